// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/max.h"

PD_REGISTER_KERNEL(
    max, CPU, ALL_LAYOUT, phi::MaxKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16, int32_t, int64_t) {}
