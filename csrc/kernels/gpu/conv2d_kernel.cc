// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/conv2d_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(
    conv2d, GPU, ALL_LAYOUT, phi::Conv2dKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
