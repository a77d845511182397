// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/tril_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(tril, GPU, ALL_LAYOUT, phi::TrilKernel, PHI_ALL_DTYPES) {}
PD_REGISTER_KERNEL(tril_grad, GPU, ALL_LAYOUT, phi::TrilGradKernel, PHI_ALL_DTYPES) {}
