// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/gaussian.h"

PD_REGISTER_KERNEL(gaussian,
                   CPU,
                   ALL_LAYOUT,
                   phi::GaussianKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
