// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/arange.h"

PD_REGISTER_KERNEL(arange,
                   CPU,
                   ALL_LAYOUT,
                   phi::ArangeKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int32_t,
                   int64_t) {}
