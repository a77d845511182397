// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/bmm.h"

PD_REGISTER_KERNEL(bmm_grad,
                   GPU,
                   ALL_LAYOUT,
                   phi::BmmGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
