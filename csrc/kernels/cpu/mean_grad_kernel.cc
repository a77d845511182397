// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/reduce_grad.h"

PD_REGISTER_KERNEL(mean_grad,
                   CPU,
                   ALL_LAYOUT,
                   phi::MeanGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
