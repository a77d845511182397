#include "core/kernel_registry.h"
#include "functional/multiply.h"
#include "kernels/sum_kernel.h"

namespace tested {

using phi::DenseTensor;

template <typename T, typename Context>
void SumKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& weight, int64_t axis, DenseTensor* out) {
  const DenseTensor product = phi::Multiply<T, Context>(dev_ctx, x, weight);
  phi::SumKernel<T, Context>(dev_ctx, product, phi::IntArray({axis}), out->dtype(), false, out);
}

}  // namespace tested

PD_REGISTER_KERNEL(sum, CPU, ALL_LAYOUT, tested::SumKernel, float, double) {}
