// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/topk_grad_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(topk_grad,
                   CPU,
                   ALL_LAYOUT,
                   phi::TopkGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   int32_t,
                   int64_t) {}
