// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/fc_grad_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(
    fc_grad, GPU, ALL_LAYOUT, phi::FCGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
