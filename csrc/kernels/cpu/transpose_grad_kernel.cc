// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/transpose_grad_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(transpose_grad, CPU, ALL_LAYOUT, phi::TransposeGradKernel, PHI_ALL_DTYPES) {}
