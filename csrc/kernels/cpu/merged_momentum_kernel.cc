// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/merged_momentum_kernel_impl.h"

PD_REGISTER_KERNEL(merged_momentum,
                   CPU,
                   ALL_LAYOUT,
                   phi::MergedMomentumKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
