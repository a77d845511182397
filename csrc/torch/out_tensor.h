// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "torch/tensor_adapter.h"

namespace phi::torch_bridge {

// An output of a call: a DenseTensor whose memory is that of a torch tensor, made when the kernel asks for it.
class OutTensor final : public DenseTensor {
 public:
  using Tensor = DenseTensor;
  OutTensor() { mutable_meta()->dtype = DataType::UNDEFINED; }

  // The result goes to `target` (an in-place or out= call). Call Bind after InferMeta.
  explicit OutTensor(at::Tensor target) : OutTensor() { target_ = std::move(target); }
  // Checks the target against what InferMeta decided. One that shares its storage with another argument may not be
  // resized: that would free or move what the kernel reads.
  void Check(const char* argument, bool may_resize) const;
  // Checks the target, gives it its shape, and uses its memory if the strides agree. Of several, all are checked first.
  void Bind(const char* argument, bool may_resize);

  void* AllocateFrom(Allocator* allocator, const Place& place, DataType dtype, size_t requested) override;
  // Takes over a finished result, of the data type that InferMeta decided, and of the shape that this one has by now.
  void Assign(at::Tensor result);

  // The finished torch tensor, on `place` whatever the kernel ran on.
  at::Tensor Release(const Place& place) {
    if (__builtin_expect(!target_.defined() && tensor_.defined(), 1) && this->place() == place) {
      return std::move(tensor_);
    }
    return ReleaseSlow(place);
  }

 private:
  at::Tensor ReleaseSlow(const Place& place);
  // Whether the target has another shape than this.
  bool has_other_shape() const { return at::IntArrayRef(Ref(dims())) != target_.sizes(); }
  // Whether it is the kernel that finds the shape.
  bool is_unknown() const;
  // Whether the kernel found a shape in its data that the target does not have.
  bool is_found() const;
  // Gives the target that shape, and writes to it.
  void UseFound();
  // Writes to the memory of the target, if its strides agree.
  void UseTarget();

  at::Tensor tensor_;
  at::Tensor target_;
  bool may_resize_ = false;
};

// A tensor that is to be written does not fit the result.
[[noreturn]] void ThrowTargetType(const char* argument, DataType expected, const at::Tensor& target);
[[noreturn]] void ThrowTargetShape(const char* argument,
                                   const enforce::Printable& expected,
                                   const enforce::Printable& got);

// A CPU tensor of these sizes on the memory of one element, whose value is unspecified.
at::Tensor EmptyExpanded(at::IntArrayRef sizes, at::ScalarType dtype);

// Gives `out` the data of `result`, without a copy where that is possible.
void AssignResult(DenseTensor* out, at::Tensor result);

}  // namespace phi::torch_bridge
