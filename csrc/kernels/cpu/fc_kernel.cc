// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/fc_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(fc, CPU, ALL_LAYOUT, phi::FCKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
