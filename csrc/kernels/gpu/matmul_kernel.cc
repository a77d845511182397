// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/matmul_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(matmul,
                   GPU,
                   ALL_LAYOUT,
                   phi::MatmulKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
