// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/slice_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(slice, GPU, ALL_LAYOUT, phi::SliceKernel, PHI_ALL_DTYPES) {}
PD_REGISTER_KERNEL(slice_grad, GPU, ALL_LAYOUT, phi::SliceGradKernel, PHI_ALL_DTYPES) {}
