// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/momentum_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(
    momentum, GPU, ALL_LAYOUT, phi::MomentumKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
