// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/index_select_grad_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(index_select_grad,
                   CPU,
                   ALL_LAYOUT,
                   phi::IndexSelectGradKernel,
                   int32_t,
                   int64_t,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
