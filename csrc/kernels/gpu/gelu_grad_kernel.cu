// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/gelu_grad_kernel_impl.h"

PD_REGISTER_KERNEL(
    gelu_grad, GPU, ALL_LAYOUT, phi::GeluGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
