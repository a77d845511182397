// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/sum.h"

PD_REGISTER_KERNEL(sum_grad,
                   CPU,
                   ALL_LAYOUT,
                   phi::SumGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {
  kernel->InputAt(1).SetDataType(phi::DataType::UNDEFINED);  // out_grad has the dtype of the sums
}
