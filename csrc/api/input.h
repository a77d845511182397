// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/optional.h"
#include "core/meta_tensor.h"

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

// A tensor of a class other than DenseTensor, which the kernel gets as it is.
template <typename T>
class InputOf {
 public:
  explicit InputOf(T tensor) : tensor_(std::move(tensor)) {}
  operator const T&() const { return tensor_; }  // NOLINT
  const T& tensor() const { return tensor_; }
  MetaTensor<int64_t> meta() const { return MetaTensor<int64_t>(tensor_); }

 private:
  T tensor_;
};

template <typename T>
class OptionalInputOf {
 public:
  OptionalInputOf() = default;
  explicit OptionalInputOf(T tensor) : tensor_(std::move(tensor)) {}
  operator const paddle::optional<T>&() const { return tensor_; }  // NOLINT
  const paddle::optional<T>& tensor() const { return tensor_; }
  MetaTensor<int64_t> meta() const { return tensor_ ? MetaTensor<int64_t>(*tensor_) : MetaTensor<int64_t>(); }

 private:
  paddle::optional<T> tensor_;
};

// A list of tensors of the class T, each an input One.
template <typename T, typename One>
class ListOf {
 public:
  explicit ListOf(size_t size)
    requires std::is_default_constructible_v<One>
      : elements_(size) {}
  explicit ListOf(std::vector<One> inputs) {
    elements_.reserve(inputs.size());
    for (One& input : inputs) elements_.push_back({std::move(input), {}});
  }
  operator const std::vector<const T*>&() const { return tensors_; }  // NOLINT
  size_t size() const { return elements_.size(); }
  const One& operator[](size_t i) const { return elements_[i].input; }
  One& operator[](size_t i) { return elements_[i].input; }
  const std::vector<const T*>& tensors() const { return tensors_; }
  const std::vector<const MetaTensor<int64_t>*>& metas() const { return metas_; }
  // Once the tensors are what the kernel gets.
  void Finish() {
    tensors_.reserve(elements_.size());
    metas_.reserve(elements_.size());
    for (Element& element : elements_) {
      element.meta = element.input.meta();
      tensors_.push_back(&element.input.tensor());
      metas_.push_back(&element.meta);
    }
  }

 private:
  struct Element {
    One input;
    MetaTensor<int64_t> meta;
  };
  std::vector<Element> elements_;
  std::vector<const T*> tensors_;
  std::vector<const MetaTensor<int64_t>*> metas_;
};

template <typename T, typename One>
class OptionalListOf {
 public:
  operator const paddle::optional<std::vector<const T*>>&() const { return tensors_; }  // NOLINT
  std::optional<ListOf<T, One>>& list() { return list_; }
  const std::optional<ListOf<T, One>>& list() const { return list_; }
  std::vector<const MetaTensor<int64_t>*> metas() const {
    return list_ ? list_->metas() : std::vector<const MetaTensor<int64_t>*>();
  }
  // Once the list is finished.
  void Finish() {
    if (list_) tensors_ = list_->tensors();
  }

 private:
  std::optional<ListOf<T, One>> list_;
  paddle::optional<std::vector<const T*>> tensors_;
};

using InputList = ListOf<DenseTensor, Input>;
using OptionalInputList = OptionalListOf<DenseTensor, Input>;

}  // namespace phi
