// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/conv2d_transpose_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(conv2d_transpose_grad,
                   CPU,
                   ALL_LAYOUT,
                   phi::Conv2dTransposeGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
