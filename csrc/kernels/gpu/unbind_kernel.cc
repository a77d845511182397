// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/unbind_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(unbind, GPU, ALL_LAYOUT, phi::UnbindKernel, PHI_ALL_DTYPES) {}
