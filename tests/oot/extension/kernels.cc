#include <algorithm>

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "functional/multiply.h"
#include "functional/uniform.h"
#include "kernels/scale_kernel.h"
#include "kernels/sum_kernel.h"

namespace tested {

using phi::DenseTensor;

template <typename T, typename Context>
void SumKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& weight, int64_t axis, DenseTensor* out) {
  const DenseTensor product = phi::Multiply<T, Context>(dev_ctx, x, weight);
  phi::SumKernel<T, Context>(dev_ctx, product, phi::IntArray({axis}), out->dtype(), false, out);
}

template <typename T, typename Context>
void TwoSumsKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const DenseTensor& weight,
                   const phi::IntArray& axis,
                   float factor,
                   DenseTensor* out,
                   DenseTensor* scaled) {
  const DenseTensor product = phi::Multiply<T, Context>(dev_ctx, x, weight);
  phi::SumKernel<T, Context>(dev_ctx, product, axis, out->dtype(), false, out);
  phi::ScaleKernel<T, Context>(dev_ctx, *out, factor, 0.0, true, scaled);
}

template <typename T, typename Context>
void JitterKernel(const Context& dev_ctx, const DenseTensor& x, float width, DenseTensor* out) {
  const phi::IntArray shape(x.dims().Get(), x.dims().size());
  const DenseTensor noise = phi::Uniform<T, Context>(dev_ctx, shape, x.dtype(), -width, width, 0, dev_ctx.GetPlace());
  T* result = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) result[i] = x.data<T>()[i] + noise.data<T>()[i];
}

template <typename T, typename Context>
void PositivesKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  const auto is_positive = [](T value) { return value > T(0); };
  const T* begin = x.data<T>();
  out->Resize({std::count_if(begin, begin + x.numel(), is_positive)});
  std::copy_if(begin, begin + x.numel(), dev_ctx.template Alloc<T>(out), is_positive);
}

template <typename T, typename Context>
void DoubledLikeKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  phi::ScaleKernel<T, Context>(dev_ctx, x, 2.0, 0.0, true, out);
}

}  // namespace tested

PD_REGISTER_KERNEL(sum, CPU, ALL_LAYOUT, tested::SumKernel, float, double) {}
PD_REGISTER_KERNEL(two_sums, CPU, ALL_LAYOUT, tested::TwoSumsKernel, float, double) {}
PD_REGISTER_KERNEL(jitter, CPU, ALL_LAYOUT, tested::JitterKernel, float, double) {}
PD_REGISTER_KERNEL(positives, CPU, ALL_LAYOUT, tested::PositivesKernel, float, double) {}
PD_REGISTER_KERNEL(doubled_like, CPU, ALL_LAYOUT, tested::DoubledLikeKernel, float, double) {}
