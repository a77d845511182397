// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/squeeze_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(squeeze, GPU, ALL_LAYOUT, phi::SqueezeKernel, PHI_ALL_DTYPES) {}
PD_REGISTER_KERNEL(squeeze_grad, GPU, ALL_LAYOUT, phi::SqueezeGradKernel, PHI_ALL_DTYPES) {}
