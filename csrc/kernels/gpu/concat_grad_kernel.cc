// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/concat_grad_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(concat_grad, GPU, ALL_LAYOUT, phi::ConcatGradKernel, PHI_ALL_DTYPES) {}
