// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/squeeze_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(squeeze, CPU, ALL_LAYOUT, phi::SqueezeKernel, PHI_ALL_DTYPES) {}
PD_REGISTER_KERNEL(squeeze_grad, CPU, ALL_LAYOUT, phi::SqueezeGradKernel, PHI_ALL_DTYPES) {}
