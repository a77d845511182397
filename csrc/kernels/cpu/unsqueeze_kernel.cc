// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/unsqueeze_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(unsqueeze, CPU, ALL_LAYOUT, phi::UnsqueezeKernel, PHI_ALL_DTYPES) {}
PD_REGISTER_KERNEL(unsqueeze_grad, CPU, ALL_LAYOUT, phi::UnsqueezeGradKernel, PHI_ALL_DTYPES) {}
