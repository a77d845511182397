// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>
#include <vector>

#include "common/optional.h"
#include "core/meta_tensor.h"

// What the generated functional form of a kernel (functional/<op>.h) is made of.
namespace phi {

inline MetaTensor<int64_t> MetaOf(const DenseTensor& tensor) { return MetaTensor<int64_t>(tensor); }
inline MetaTensor<int64_t> MetaOf(const paddle::optional<DenseTensor>& tensor) {
  return tensor ? MetaTensor<int64_t>(*tensor) : MetaTensor<int64_t>();
}

// The metas of an input `Tensor[]`, as InferMeta functions take them.
class MetaList {
 public:
  explicit MetaList(const std::vector<const DenseTensor*>& tensors) {
    metas_.reserve(tensors.size());
    for (const DenseTensor* t : tensors) pointers_.push_back(&metas_.emplace_back(*t));
  }
  explicit MetaList(const paddle::optional<std::vector<const DenseTensor*>>& tensors)
      : MetaList(tensors ? *tensors : std::vector<const DenseTensor*>()) {}
  operator const std::vector<const MetaTensor<int64_t>*>&() const { return pointers_; }  // NOLINT

 private:
  std::vector<MetaTensor<int64_t>> metas_;
  std::vector<const MetaTensor<int64_t>*> pointers_;
};

// The tensors of an output `Tensor[]`.
class ResultList {
 public:
  explicit ResultList(size_t size) : tensors_(size) {
    metas_.reserve(size);
    for (DenseTensor& t : tensors_) {
      pointers_.push_back(&t);
      meta_pointers_.push_back(&metas_.emplace_back(&t));
    }
  }
  const std::vector<DenseTensor*>& pointers() const { return pointers_; }
  const std::vector<MetaTensor<int64_t>*>& metas() const { return meta_pointers_; }
  std::vector<DenseTensor> take() { return std::move(tensors_); }

 private:
  std::vector<DenseTensor> tensors_;
  std::vector<MetaTensor<int64_t>> metas_;
  std::vector<DenseTensor*> pointers_;
  std::vector<MetaTensor<int64_t>*> meta_pointers_;
};

}  // namespace phi
