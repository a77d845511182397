// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "api/call.h"
#include "torch/convert.h"
#include "torch/empty_lists.h"
#include "torch/errors.h"
#include "torch/out_tensor.h"

// What a generated API function is made of beside the dispatcher (api/call.h): torch's tensors are lent to a call, and
// its results are taken.
namespace phi::torch_bridge {

namespace detail {
// A conjugate or negative view says other numbers than its memory holds.
void LendResolved(const at::Tensor& tensor, DenseTensor* dense);

inline void Lend(const at::Tensor& tensor, int flags, DenseTensor* dense) {
  if (flags & kNoBuffer) return BorrowMeta(tensor, dense);
  if (__builtin_expect(tensor.is_conj() || tensor.is_neg(), 0)) return LendResolved(tensor, dense);
  Borrow(tensor, dense);
}
}  // namespace detail

// Each argument as an input of a call, which the tensor outlives.
inline Input Lend(const at::Tensor& tensor, const InputRule& rule) {
  Input input;
  detail::Lend(tensor, rule.flags, input.mutable_tensor());
  return input;
}
inline OptionalInput Lend(const std::optional<at::Tensor>& tensor, const InputRule& rule) {
  OptionalInput input;
  if (tensor && tensor->defined()) detail::Lend(*tensor, rule.flags, &input.mutable_tensor()->emplace());
  return input;
}
InputList Lend(at::TensorList tensors, const InputRule& rule);
OptionalInputList Lend(const std::optional<std::vector<at::Tensor>>& tensors, const InputRule& rule);
// A device argument that names no index is the current device of its kind.
std::optional<at::Device> WithIndex(const std::optional<at::Device>& device);

// The tensor of a list that decides the key.
template <typename T, typename One>
const T& First(const ListOf<T, One>& tensors, const char* name) {
  if (__builtin_expect(tensors.size() == 0, 0)) detail::ThrowEmptyList(name);
  return tensors[0].tensor();
}

// The outputs of an output `Tensor[]`, each of the class Out: OutTensor, or OutOf<T>.
template <typename Out>
class OutList {
 public:
  using Tensor = typename Out::Tensor;
  explicit OutList(size_t size) {
    Reserve(size);
    for (size_t i = 0; i < size; ++i) Add(at::Tensor());
  }
  // The results go to `targets`, as in Out; an absent list gives none.
  explicit OutList(at::TensorList targets) {
    Reserve(targets.size());
    for (const at::Tensor& target : targets) Add(target);
  }
  explicit OutList(const std::optional<std::vector<at::Tensor>>& targets)
      : OutList(targets ? at::TensorList(*targets) : at::TensorList()) {}
  void Check(const char* argument, bool may_resize) const {
    for (const Element& element : elements_) element.tensor.Check(argument, may_resize);
  }
  void Bind(const char* argument, bool may_resize) {
    Check(argument, may_resize);
    for (Element& element : elements_) element.tensor.Bind(argument, may_resize);
  }
  const std::vector<MetaTensor<int64_t>*>& metas() const { return meta_pointers_; }
  const std::vector<Tensor*>& pointers() const { return pointers_; }
  std::vector<at::Tensor> Release(const Place& place) {
    std::vector<at::Tensor> results;
    results.reserve(elements_.size());
    for (Element& element : elements_) results.push_back(element.tensor.Release(place));
    return results;
  }

 private:
  struct Element {
    explicit Element(const at::Tensor& target) : tensor(target) {}
    Out tensor;
    MetaTensor<int64_t> meta{&tensor};
  };
  void Reserve(size_t size) {
    elements_.reserve(size);  // exact, so that what the pointers below point to stays
    meta_pointers_.reserve(size);
    pointers_.reserve(size);
  }
  void Add(const at::Tensor& target) {
    Element& element = elements_.emplace_back(target);
    meta_pointers_.push_back(&element.meta);
    pointers_.push_back(&element.tensor);
  }

  std::vector<Element> elements_;
  std::vector<MetaTensor<int64_t>*> meta_pointers_;
  std::vector<Tensor*> pointers_;
};

}  // namespace phi::torch_bridge
