// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/concat_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(concat, GPU, ALL_LAYOUT, phi::ConcatKernel, PHI_ALL_DTYPES) {}
