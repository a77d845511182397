// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "common/optional.h"
#include "core/meta_tensor.h"
#include "core/selected_rows.h"

// The tensor arguments of a typed call. Each is lent to the call, and transformed by it if it does not fit the kernel.
namespace phi {

// What InferMeta sees of an input: for one that was cast the data type that it was given with, as on the device meta.
using GivenMeta = std::unique_ptr<DenseTensor>;

class Input {
 public:
  operator const DenseTensor&() const { return dense_; }  // NOLINT
  const DenseTensor& tensor() const { return dense_; }
  DenseTensor* mutable_tensor() { return &dense_; }
  GivenMeta* mutable_given() { return &given_; }
  MetaTensor<int64_t> meta() const { return MetaTensor<int64_t>(given_ ? *given_ : dense_); }

 private:
  DenseTensor dense_;
  GivenMeta given_;
};

class OptionalInput {
 public:
  operator const paddle::optional<DenseTensor>&() const { return dense_; }  // NOLINT
  const paddle::optional<DenseTensor>& tensor() const { return dense_; }
  paddle::optional<DenseTensor>* mutable_tensor() { return &dense_; }
  GivenMeta* mutable_given() { return &given_; }
  MetaTensor<int64_t> meta() const {
    return dense_ ? MetaTensor<int64_t>(given_ ? *given_ : *dense_) : MetaTensor<int64_t>();
  }

 private:
  paddle::optional<DenseTensor> dense_;
  GivenMeta given_;
};

class InputList {
 public:
  explicit InputList(size_t size) : elements_(size) {}
  operator const std::vector<const DenseTensor*>&() const { return dense_; }  // NOLINT
  size_t size() const { return elements_.size(); }
  const Input& operator[](size_t i) const { return elements_[i].input; }
  Input& operator[](size_t i) { return elements_[i].input; }
  const std::vector<const DenseTensor*>& tensors() const { return dense_; }
  const std::vector<const MetaTensor<int64_t>*>& metas() const { return metas_; }
  // Once the tensors are what the kernel gets.
  void Finish() {
    dense_.reserve(elements_.size());
    metas_.reserve(elements_.size());
    for (Element& element : elements_) {
      element.meta = element.input.meta();
      dense_.push_back(&element.input.tensor());
      metas_.push_back(&element.meta);
    }
  }

 private:
  struct Element {
    Input input;
    MetaTensor<int64_t> meta;
  };
  std::vector<Element> elements_;
  std::vector<const DenseTensor*> dense_;
  std::vector<const MetaTensor<int64_t>*> metas_;
};

class OptionalInputList {
 public:
  operator const paddle::optional<std::vector<const DenseTensor*>>&() const { return dense_; }  // NOLINT
  std::optional<InputList>& list() { return list_; }
  const std::optional<InputList>& list() const { return list_; }
  std::vector<const MetaTensor<int64_t>*> metas() const {
    return list_ ? list_->metas() : std::vector<const MetaTensor<int64_t>*>();
  }
  // Once the list is finished.
  void Finish() {
    if (list_) dense_ = list_->tensors();
  }

 private:
  std::optional<InputList> list_;
  paddle::optional<std::vector<const DenseTensor*>> dense_;
};

// Its rows occur once each.
class SelectedRowsInput {
 public:
  explicit SelectedRowsInput(SelectedRows rows) : rows_(std::move(rows)) {}
  operator const SelectedRows&() const { return rows_; }  // NOLINT
  const SelectedRows& tensor() const { return rows_; }
  MetaTensor<int64_t> meta() const { return MetaTensor<int64_t>(rows_.value()); }

 private:
  SelectedRows rows_;
};

}  // namespace phi
