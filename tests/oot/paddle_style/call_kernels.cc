// SPDX-License-Identifier: Apache-2.0
// The kernels beside this file, called as functions of phi::DenseTensor by custom operators.
#include "backends/cpu/cpu_context.h"
#include "paddle/extension.h"

namespace phi {
template <typename T, typename Context>
void SquaredDifferenceKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out);
template <typename T, typename Context>
void PowerMeanKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const IntArray& axis,
                     float p,
                     float epsilon,
                     bool keepdim,
                     DenseTensor* out);
template <typename T, typename Context>
void MaskedScaleKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const paddle::optional<DenseTensor>& mask,
                       float scale,
                       DenseTensor* out);
}  // namespace phi

using phi::CPUContext;
using phi::DenseTensor;
using Tensors = std::vector<paddle::Tensor>;

namespace {

const CPUContext& Context() {
  return *static_cast<CPUContext*>(phi::DeviceContextPool::Instance().Get(phi::CPUPlace()));
}
const DenseTensor& Dense(const std::shared_ptr<phi::TensorBase>& impl) {
  return *std::dynamic_pointer_cast<DenseTensor>(impl);
}

}  // namespace

Tensors SquaredDifference(const paddle::Tensor& x, const paddle::Tensor& y) {
  auto out = std::make_shared<DenseTensor>();
  out->Resize(x.dims());
  PD_DISPATCH_FLOATING_AND_HALF_TYPES(x.dtype(), "squared_difference", ([&] {
                                        phi::SquaredDifferenceKernel<data_t, CPUContext>(
                                            Context(), Dense(x.impl()), Dense(y.impl()), out.get());
                                      }));
  return {paddle::Tensor(out)};
}
std::vector<std::vector<int64_t>> FirstShape(const std::vector<int64_t>& x) { return {x}; }
std::vector<paddle::DataType> FirstDtype(paddle::DataType x) { return {x}; }
PD_BUILD_OP(squared_difference)
    .Inputs({"X", "Y"})
    .Outputs({"Out"})
    .SetKernelFn(PD_KERNEL(SquaredDifference))
    .SetInferShapeFn(PD_INFER_SHAPE(FirstShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(FirstDtype));

Tensors PowerMean(const paddle::Tensor& x, float p) {
  auto out = std::make_shared<DenseTensor>();
  out->Resize(phi::make_ddim({x.shape()[0]}));
  PD_DISPATCH_FLOATING_TYPES(x.dtype(), "power_mean", ([&] {
                               phi::PowerMeanKernel<data_t, CPUContext>(
                                   Context(), Dense(x.impl()), {-1}, p, 0.0f, false, out.get());
                             }));
  return {paddle::Tensor(out)};
}
std::vector<std::vector<int64_t>> RowsShape(const std::vector<int64_t>& x) { return {{x[0]}}; }
PD_BUILD_OP(power_mean)
    .Inputs({"X"})
    .Outputs({"Out"})
    .Attrs({"p: float"})
    .SetKernelFn(PD_KERNEL(PowerMean))
    .SetInferShapeFn(PD_INFER_SHAPE(RowsShape));

Tensors MaskedScale(const paddle::Tensor& x, const paddle::optional<paddle::Tensor>& mask, float scale) {
  auto out = std::make_shared<DenseTensor>();
  out->Resize(x.dims());
  const auto dense_mask = mask ? paddle::optional<DenseTensor>(Dense(mask->impl())) : paddle::none;
  PD_DISPATCH_FLOATING_TYPES(x.dtype(), "masked_scale", ([&] {
                               phi::MaskedScaleKernel<data_t, CPUContext>(
                                   Context(), Dense(x.impl()), dense_mask, scale, out.get());
                             }));
  return {paddle::Tensor(out)};
}
PD_BUILD_OP(masked_scale)
    .Inputs({"X", paddle::Optional("Mask")})
    .Outputs({"Out"})
    .Attrs({"scale: float"})
    .SetKernelFn(PD_KERNEL(MaskedScale))
    .SetInferShapeFn(PD_INFER_SHAPE(FirstShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(FirstDtype));
