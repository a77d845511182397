#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "paddle/extension.h"

namespace faulty {

using phi::DenseTensor;

// Copies to `out`, beginning `shift` elements later.
template <typename T, typename Context>
void Copy(const Context& dev_ctx, const DenseTensor& x, int64_t count, int64_t shift, DenseTensor* out) {
  volatile T* to = dev_ctx.template Alloc<T>(out);
  const T* from = x.data<T>();
  for (int64_t i = 0; i < count; ++i) to[i + shift] = from[i];
}

template <typename T, typename Context>
void CopyAllKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  Copy<T>(dev_ctx, x, x.numel(), 0, out);
}
template <typename T, typename Context>
void CopyAllGradKernel(const Context& dev_ctx, const DenseTensor& out_grad, DenseTensor* x_grad) {
  Copy<T>(dev_ctx, out_grad, out_grad.numel(), 0, x_grad);
}
template <typename T, typename Context>
void CopyExactKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  Copy<T>(dev_ctx, x, x.numel(), 0, out);
}
template <typename T, typename Context>
void CopyEarlyKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  Copy<T>(dev_ctx, x, x.numel(), 0, out);
  Copy<T>(dev_ctx, x, 1, -1, out);
}
template <typename T, typename Context>
void CopyHalfKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  Copy<T>(dev_ctx, x, x.numel() / 2, 0, out);
}
template <typename T, typename Context>
void AddToNewKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] += x.data<T>()[i];
}

template <typename T, typename Context>
void ProductKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& weight, DenseTensor* out) {
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = x.data<T>()[i] * weight.data<T>()[i];
}
template <typename T, typename Context>
void GradOfProduct(const Context& dev_ctx,
                   const DenseTensor& x,
                   const DenseTensor& weight,
                   const DenseTensor& out_grad,
                   T factor,
                   DenseTensor* x_grad,
                   DenseTensor* weight_grad) {
  const T* dout = out_grad.data<T>();
  for (int64_t i = 0; i < x.numel() && x_grad; ++i) {
    dev_ctx.template Alloc<T>(x_grad)[i] = factor * dout[i] * weight.data<T>()[i];
  }
  for (int64_t i = 0; i < x.numel() && weight_grad; ++i) {
    dev_ctx.template Alloc<T>(weight_grad)[i] = dout[i] * x.data<T>()[i];
  }
}
template <typename T, typename Context>
void ProductGradKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const DenseTensor& weight,
                       const DenseTensor& out_grad,
                       DenseTensor* x_grad,
                       DenseTensor* weight_grad) {
  GradOfProduct<T>(dev_ctx, x, weight, out_grad, T(1), x_grad, weight_grad);
}
template <typename T, typename Context>
void TripledGradKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const DenseTensor& weight,
                       const DenseTensor& out_grad,
                       DenseTensor* x_grad,
                       DenseTensor* weight_grad) {
  GradOfProduct<T>(dev_ctx, x, weight, out_grad, T(3), x_grad, weight_grad);
}

}  // namespace faulty

PD_REGISTER_KERNEL(copy_all, CPU, ALL_LAYOUT, faulty::CopyAllKernel, float, double) {}
PD_REGISTER_KERNEL(copy_all_grad, CPU, ALL_LAYOUT, faulty::CopyAllGradKernel, float, double) {}
PD_REGISTER_KERNEL(copy_exact, CPU, ALL_LAYOUT, faulty::CopyExactKernel, float, double) {}
PD_REGISTER_KERNEL(copy_early, CPU, ALL_LAYOUT, faulty::CopyEarlyKernel, float, double) {}
PD_REGISTER_KERNEL(copy_half, CPU, ALL_LAYOUT, faulty::CopyHalfKernel, float, double) {}
PD_REGISTER_KERNEL(add_to_new, CPU, ALL_LAYOUT, faulty::AddToNewKernel, float, double) {}
PD_REGISTER_KERNEL(product, CPU, ALL_LAYOUT, faulty::ProductKernel, float, double) {}
PD_REGISTER_KERNEL(product_grad, CPU, ALL_LAYOUT, faulty::ProductGradKernel, float, double) {}
PD_REGISTER_KERNEL(tripled_grad, CPU, ALL_LAYOUT, faulty::TripledGradKernel, float, double) {}

// A custom operator that writes one element too many, one whose gradient is twice what it should be, and one whose
// shape is computed from numbers.
std::vector<paddle::Tensor> Spill(const paddle::Tensor& x) {
  auto out = paddle::empty({x.shape()[0]}, x.dtype(), x.place());
  PD_DISPATCH_FLOATING_TYPES(x.dtype(), "spill", ([&] {
                               volatile data_t* to = out.data<data_t>();
                               for (int64_t i = 0; i <= out.numel(); ++i) to[i] = x.data<data_t>()[0];
                             }));
  return {out};
}
std::vector<std::vector<int64_t>> FirstShape(const std::vector<int64_t>& x) { return {{x[0]}}; }
std::vector<paddle::Tensor> Keep(const paddle::Tensor& x) { return {x * 1}; }
std::vector<paddle::Tensor> Doubled(const paddle::Tensor& x, const paddle::Tensor& out_grad) { return {out_grad * 2}; }
std::vector<std::vector<int64_t>> SameShape(const std::vector<int64_t>& x) { return {x}; }

PD_BUILD_OP(spill)
    .Inputs({"X"})
    .Outputs({"Out"})
    .SetKernelFn(PD_KERNEL(Spill))
    .SetInferShapeFn(PD_INFER_SHAPE(FirstShape));
PD_BUILD_OP(keep).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(Keep));
PD_BUILD_GRAD_OP(keep).Inputs({"X", paddle::Grad("Out")}).Outputs({paddle::Grad("X")}).SetKernelFn(PD_KERNEL(Doubled));
PD_BUILD_OP(counted)
    .Inputs({"X"})
    .Outputs({"Out"})
    .SetKernelFn(PD_KERNEL(Keep))
    .SetInferShapeFn(PD_INFER_SHAPE(SameShape));
PD_BUILD_OP(numbers)
    .Inputs({"X"})
    .Outputs({"Out"})
    .SetKernelFn(PD_KERNEL(Keep))
    .SetInferShapeFn(PD_INFER_SHAPE(SameShape));
