// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/reshape_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(reshape, GPU, ALL_LAYOUT, phi::ReshapeKernel, PHI_ALL_DTYPES) {}
PD_REGISTER_KERNEL(reshape_grad, GPU, ALL_LAYOUT, phi::ReshapeGradKernel, PHI_ALL_DTYPES) {}
