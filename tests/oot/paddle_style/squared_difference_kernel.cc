// SPDX-License-Identifier: Apache-2.0
// A kernel in Paddle's style: a functor.
#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/elementwise_base.h"

namespace phi {

namespace funcs {

template <typename T>
struct SquaredDifferenceFunctor {
  inline HOSTDEVICE T operator()(const T x, const T y) const { return (x - y) * (x - y); }
};

}  // namespace funcs

template <typename T, typename Context>
void SquaredDifferenceKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  if (out->numel() == 0) {
    return;
  }
  funcs::ElementwiseCompute<funcs::SquaredDifferenceFunctor<T>, T>(
      dev_ctx, x, y, funcs::SquaredDifferenceFunctor<T>(), out);
}

}  // namespace phi

PD_REGISTER_KERNEL(squared_difference,
                   CPU,
                   ALL_LAYOUT,
                   phi::SquaredDifferenceKernel,
                   float,
                   double,
                   int64_t,
                   phi::float16,
                   phi::bfloat16) {}
