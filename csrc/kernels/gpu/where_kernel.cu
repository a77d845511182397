// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/where_kernel_impl.h"

PD_REGISTER_KERNEL(where,
                   GPU,
                   ALL_LAYOUT,
                   phi::WhereKernel,
                   bool,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int32_t,
                   int64_t,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::float8_e4m3fn,
                   phi::dtype::float8_e5m2,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {
  kernel->InputAt(0).SetDataType(phi::DataType::BOOL);
}
