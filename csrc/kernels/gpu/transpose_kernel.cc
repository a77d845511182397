// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/transpose_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(transpose, GPU, ALL_LAYOUT, phi::TransposeKernel, PHI_ALL_DTYPES) {}
