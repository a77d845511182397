// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/expand_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(expand, CPU, ALL_LAYOUT, phi::ExpandKernel, PHI_ALL_DTYPES) {}
