// SPDX-License-Identifier: Apache-2.0
// Custom operators with a mistake each: the first ones are refused when the library is loaded, the others when they
// run.
#include <stdexcept>
#include <vector>

#include "paddle/extension.h"

using Tensors = std::vector<paddle::Tensor>;

Tensors One(const paddle::Tensor& x) { return {x}; }
Tensors OneScaled(const paddle::Tensor& x, float scale) { return {x * scale}; }
Tensors Two(const paddle::Tensor& x, const paddle::Tensor& y) { return {x + y}; }
void OneOut(const paddle::Tensor& x, paddle::Tensor* out) { *out = x; }
std::vector<std::vector<int64_t>> TwoShapes(const std::vector<int64_t>& x, const std::vector<int64_t>& y) {
  return {x};
}

PD_BUILD_OP(no_kernel).Inputs({"X"}).Outputs({"Out"});
PD_BUILD_OP(no_inputs).Outputs({"Out"}).SetKernelFn(PD_KERNEL(One));
PD_BUILD_OP(wrong_inputs).Inputs({"X", "Y"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(One));
PD_BUILD_OP(wrong_kind).Inputs({paddle::Vec("X")}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(One));
PD_BUILD_OP(same_input).Inputs({"X", paddle::Optional("X")}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(Two));
PD_BUILD_OP(wrong_attribute).Inputs({"X"}).Outputs({"Out"}).Attrs({"scale: double"}).SetKernelFn(PD_KERNEL(OneScaled));
PD_BUILD_OP(unknown_attribute)
    .Inputs({"X"})
    .Outputs({"Out"})
    .Attrs({"scale: complex"})
    .SetKernelFn(PD_KERNEL(OneScaled));
PD_BUILD_OP(missing_attribute).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(OneScaled));
PD_BUILD_OP(wrong_outputs).Inputs({"X"}).Outputs({"Out", "More"}).SetKernelFn(PD_KERNEL(OneOut));
PD_BUILD_OP(list_output).Inputs({"X"}).Outputs({paddle::Vec("Out")}).SetKernelFn(PD_KERNEL(One));
PD_BUILD_OP(wrong_map).Inputs({"X"}).Outputs({"Out"}).SetInplaceMap({{"Y", "Out"}}).SetKernelFn(PD_KERNEL(One));
PD_BUILD_OP(wrong_infer)
    .Inputs({"X"})
    .Outputs({"Out"})
    .SetKernelFn(PD_KERNEL(One))
    .SetInferShapeFn(PD_INFER_SHAPE(TwoShapes));
PD_BUILD_GRAD_OP(orphan).Inputs({paddle::Grad("Out")}).Outputs({paddle::Grad("X")}).SetKernelFn(PD_KERNEL(One));

PD_BUILD_OP(twice).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(One));
PD_BUILD_OP(wrong_grad_input).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(One));
PD_BUILD_GRAD_OP(wrong_grad_input)
    .Inputs({"Y", paddle::Grad("Out")})
    .Outputs({paddle::Grad("X")})
    .SetKernelFn(PD_KERNEL(Two));
PD_BUILD_OP(wrong_grad_output).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(One));
PD_BUILD_GRAD_OP(wrong_grad_output)
    .Inputs({paddle::Grad("Out")})
    .Outputs({paddle::Grad("Y")})
    .SetKernelFn(PD_KERNEL(One));
PD_BUILD_OP(wrong_grad_attribute).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(One));
PD_BUILD_GRAD_OP(wrong_grad_attribute)
    .Inputs({paddle::Grad("Out")})
    .Outputs({paddle::Grad("X")})
    .Attrs({"scale: float"})
    .SetKernelFn(PD_KERNEL(OneScaled));

Tensors ReturnsTwo(const paddle::Tensor& x) { return {x, x}; }
PD_BUILD_OP(returns_two).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(ReturnsTwo));
Tensors ReturnsNone(const paddle::Tensor& x) { return {paddle::Tensor()}; }
PD_BUILD_OP(returns_none).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(ReturnsNone));
Tensors Counts(const paddle::Tensor& x) { return {x.cast(paddle::DataType::INT64)}; }
PD_BUILD_OP(other_dtype).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(Counts));
Tensors Half(const paddle::Tensor& x) { return {x.slice(0, x.shape()[0] / 2)}; }
PD_BUILD_OP(other_shape).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(Half));
Tensors Throws(const paddle::Tensor& x) { throw std::runtime_error("the author's own error"); }
PD_BUILD_OP(throws).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(Throws));
Tensors ReadsDouble(const paddle::Tensor& x) {
  auto out = paddle::empty_like(x);
  out.data<double>()[0] = x.data<double>()[0];
  return {out};
}
PD_BUILD_OP(reads_double).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(ReadsDouble));
Tensors Enforces(const paddle::Tensor& x) {
  PADDLE_ENFORCE_EQ(
      x.dims().size(), 2, common::errors::InvalidArgument("expected a matrix, got rank %d", x.dims().size()));
  return {x};
}
PD_BUILD_OP(enforces).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(Enforces));
