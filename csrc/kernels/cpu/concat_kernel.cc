// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/concat_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(concat,
                   CPU,
                   ALL_LAYOUT,
                   phi::ConcatKernel,
                   bool,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int32_t,
                   int64_t,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::float8_e4m3fn,
                   phi::dtype::float8_e5m2,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
