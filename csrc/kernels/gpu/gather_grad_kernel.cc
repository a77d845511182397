// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/gather_grad_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(gather_grad,
                   GPU,
                   ALL_LAYOUT,
                   phi::GatherGradKernel,
                   int32_t,
                   int64_t,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
