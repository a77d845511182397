// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/stack_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(stack, GPU, ALL_LAYOUT, phi::StackKernel, PHI_ALL_DTYPES) {}
