// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/index_select_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(index_select, GPU, ALL_LAYOUT, phi::IndexSelectKernel, PHI_ALL_DTYPES) {}
