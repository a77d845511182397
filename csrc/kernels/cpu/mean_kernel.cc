// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/mean.h"

PD_REGISTER_KERNEL(mean,
                   CPU,
                   ALL_LAYOUT,
                   phi::MeanKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>,
                   bool,
                   int32_t,
                   int64_t) {}
