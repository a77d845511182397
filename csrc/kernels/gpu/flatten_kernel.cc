// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/flatten_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(flatten, GPU, ALL_LAYOUT, phi::FlattenKernel, PHI_ALL_DTYPES) {}
PD_REGISTER_KERNEL(flatten_grad, GPU, ALL_LAYOUT, phi::FlattenGradKernel, PHI_ALL_DTYPES) {}
