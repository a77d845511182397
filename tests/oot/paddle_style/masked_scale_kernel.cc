// SPDX-License-Identifier: Apache-2.0
// Kernels in Paddle's style: an optional input, a gradient, a kernel that calls another.
#include "backends/cpu/cpu_context.h"
#include "common/optional.h"
#include "core/kernel_registry.h"
#include "core/visit_type.h"
#include "kernels/funcs/for_range.h"
#include "kernels/funcs/full.h"

namespace phi {

namespace {

template <typename T>
struct MaskedScaleFunctor {
  MaskedScaleFunctor(const T* x, const bool* mask, T scale, T* out) : x_(x), mask_(mask), scale_(scale), out_(out) {}

  HOSTDEVICE void operator()(size_t i) const {
    out_[i] = mask_ == nullptr || mask_[i] ? scale_ * x_[i] : static_cast<T>(0);
  }

 private:
  const T* x_;
  const bool* mask_;
  T scale_;
  T* out_;
};

template <typename T, typename Context>
void MaskedScale(const Context& dev_ctx,
                 const DenseTensor& x,
                 const paddle::optional<DenseTensor>& mask,
                 float scale,
                 DenseTensor* out) {
  if (scale == 0.0f) {
    phi::Full<T, Context>(dev_ctx, phi::IntArray(common::vectorize(out->dims())), 0, out);
    return;
  }
  T* out_data = dev_ctx.template Alloc<T>(out);
  const auto* mask_tensor = mask.get_ptr();
  if (mask_tensor != nullptr) {
    PADDLE_ENFORCE_EQ(mask_tensor->dims(),
                      x.dims(),
                      phi::errors::InvalidArgument(
                          "argument 'mask': expected the shape of x, [%s], got [%s].", x.dims(), mask_tensor->dims()));
  }
  const bool* mask_data = mask ? mask->data<bool>() : nullptr;
  funcs::ForRange<Context> for_range(dev_ctx, x.numel());
  for_range(MaskedScaleFunctor<T>(x.data<T>(), mask_data, static_cast<T>(scale), out_data));
}

}  // namespace

template <typename T, typename Context>
void MaskedScaleKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const paddle::optional<DenseTensor>& mask,
                       float scale,
                       DenseTensor* out) {
  MaskedScale<T, Context>(dev_ctx, x, mask, scale, out);
}

template <typename T, typename Context>
void MaskedScaleGradKernel(const Context& dev_ctx,
                           const paddle::optional<DenseTensor>& mask,
                           const DenseTensor& out_grad,
                           float scale,
                           DenseTensor* x_grad) {
  if (x_grad == nullptr) {
    return;
  }
  MaskedScale<T, Context>(dev_ctx, out_grad, mask, scale, x_grad);
}

}  // namespace phi

PD_REGISTER_KERNEL(masked_scale, CPU, ALL_LAYOUT, phi::MaskedScaleKernel, float, double) {
  kernel->InputAt(1).SetDataType(phi::DataType::BOOL);
}

PD_REGISTER_KERNEL(masked_scale_grad, CPU, ALL_LAYOUT, phi::MaskedScaleGradKernel, float, double) {
  kernel->InputAt(0).SetDataType(phi::DataType::BOOL);
}
