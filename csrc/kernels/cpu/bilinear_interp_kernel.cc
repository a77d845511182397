// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/interpolate_impl.h"

PD_REGISTER_KERNEL(bilinear_interp,
                   CPU,
                   ALL_LAYOUT,
                   phi::BilinearInterpKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   uint8_t) {
  for (int i = 1; i <= 3; ++i) kernel->InputAt(i).SetBackend(phi::Backend::CPU);  // what says the size
}
