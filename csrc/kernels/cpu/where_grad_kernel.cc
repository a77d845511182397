// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/where_grad_kernel_impl.h"

PD_REGISTER_KERNEL(where_grad,
                   CPU,
                   ALL_LAYOUT,
                   phi::WhereGradKernel,
                   int32_t,
                   int64_t,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {
  kernel->InputAt(0).SetDataType(phi::DataType::BOOL);
}
