// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/gather_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(gather, CPU, ALL_LAYOUT, phi::GatherKernel, PHI_ALL_DTYPES) {}
