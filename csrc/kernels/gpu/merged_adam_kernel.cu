// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/merged_adam_kernel_impl.h"

PD_REGISTER_KERNEL(
    merged_adam, GPU, ALL_LAYOUT, phi::MergedAdamKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
