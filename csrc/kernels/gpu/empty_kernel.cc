// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/empty.h"

PD_REGISTER_KERNEL(empty,
                   GPU,
                   ALL_LAYOUT,
                   phi::EmptyKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>,
                   bool,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int32_t,
                   int64_t,
                   phi::dtype::float8_e4m3fn,
                   phi::dtype::float8_e5m2) {}
