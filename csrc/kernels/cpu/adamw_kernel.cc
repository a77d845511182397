// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/adamw_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(adamw, CPU, ALL_LAYOUT, phi::AdamwKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
}
