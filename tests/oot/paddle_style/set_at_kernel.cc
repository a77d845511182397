// SPDX-License-Identifier: Apache-2.0
// A kernel in Paddle's style that reads a tensor as a vector.
#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/math_function.h"
#include "kernels/funcs/tensor_utils.h"

namespace phi {

template <typename T, typename Context>
void SetAtKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& index, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  funcs::set_constant(dev_ctx, out, -1);
  std::vector<int64_t> places;
  TensorToVector(index, dev_ctx, &places);
  DenseTensor copy;
  TensorFromVector(places, dev_ctx, &copy);
  for (int64_t i = 0; i < copy.numel(); ++i) {
    const int64_t place = copy.data<int64_t>()[i];
    PADDLE_ENFORCE_LT(
        place, x.numel(), errors::OutOfRange("argument 'index': expected less than %d, got %d", x.numel(), place));
    out->data<T>()[place] = x.data<T>()[place];
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(set_at, CPU, ALL_LAYOUT, phi::SetAtKernel, float, double) {
  kernel->InputAt(1).SetDataType(phi::DataType::INT64);
}
