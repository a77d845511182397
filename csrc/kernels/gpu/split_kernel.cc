// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/split_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(split, GPU, ALL_LAYOUT, phi::SplitKernel, PHI_ALL_DTYPES) {}
PD_REGISTER_KERNEL(split_with_num, GPU, ALL_LAYOUT, phi::SplitWithNumKernel, PHI_ALL_DTYPES) {}
