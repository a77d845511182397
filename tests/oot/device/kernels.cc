// SPDX-License-Identifier: Apache-2.0
// Kernels for the device of device.cc: one for an operator of phi_torch, and one for an operator of the extension.
#include "backends/custom/custom_context.h"
#include "core/kernel_registry.h"

namespace tiny {

template <typename T, typename Context>
void ReluKernel(const Context& dev_ctx, const phi::DenseTensor& x, phi::DenseTensor* out) {
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = from[i] > T(0) ? from[i] : T(0);
}

template <typename T, typename Context>
void DoubledKernel(const Context& dev_ctx, const phi::DenseTensor& x, phi::DenseTensor* out) {
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = from[i] + from[i];
}

}  // namespace tiny

PD_REGISTER_KERNEL(relu, CUSTOM, ALL_LAYOUT, tiny::ReluKernel, float, double) {}
PD_REGISTER_KERNEL(doubled, CUSTOM, ALL_LAYOUT, tiny::DoubledKernel, float) {}
