// More kernels for operators of phi_torch.
#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"

namespace more {

using phi::DenseTensor;

template <typename T, typename Context>
void SwishKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  T* result = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) result[i] = static_cast<T>(10 * x.data<T>()[i]);
}

}  // namespace more

PD_REGISTER_KERNEL(swish, CPU, ALL_LAYOUT, more::SwishKernel, int64_t) {}
