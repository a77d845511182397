// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/stack_grad_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(stack_grad, GPU, ALL_LAYOUT, phi::StackGradKernel, PHI_ALL_DTYPES) {}
