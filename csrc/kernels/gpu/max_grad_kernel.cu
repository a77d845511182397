// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/max.h"

PD_REGISTER_KERNEL(
    max_grad, GPU, ALL_LAYOUT, phi::MaxGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
