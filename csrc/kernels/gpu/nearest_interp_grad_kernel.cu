// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/interpolate_impl.h"

PD_REGISTER_KERNEL(nearest_interp_grad,
                   GPU,
                   ALL_LAYOUT,
                   phi::NearestInterpGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {
  for (int i = 1; i <= 3; ++i) kernel->InputAt(i).SetBackend(phi::Backend::CPU);  // what says the size
}
