// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/SymIntArrayRef.h>

#include "common/int_array.h"
#include "core/ddim.h"

namespace phi::torch_bridge {

// Sizes and strides of a tensor of which a view needs nothing of torch's dispatcher: a dense CPU tensor that autograd
// has not seen, with no mode or transform on. False for others, and where an argument is symbolic.
class PlainTensor {
 public:
  explicit PlainTensor(const at::Tensor& x, c10::SymIntArrayRef argument = {});
  explicit operator bool() const { return is_plain_; }

  const DDim& sizes() const { return sizes_; }
  const DDim& strides() const { return strides_; }
  const IntArray& argument() const { return argument_; }
  bool is_contiguous() const { return x_.is_contiguous(); }
  // A view from `offset` on, alone or as one of several results. To torch it is like one of its own.
  at::Tensor View(const DDim& sizes, const DDim& strides, int64_t offset = 0, bool one_of_several = false) const;

 private:
  const at::Tensor& x_;
  bool is_plain_;
  DDim sizes_;
  DDim strides_;
  IntArray argument_;
};

// Whether a copy of `x`, which may be a view, needs nothing of it either.
bool CopiesPlainly(const at::Tensor& x);

}  // namespace phi::torch_bridge
