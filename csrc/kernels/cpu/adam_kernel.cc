// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/adam_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(adam, CPU, ALL_LAYOUT, phi::AdamKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
