// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/topk_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(topk,
                   CPU,
                   ALL_LAYOUT,
                   phi::TopkKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   int32_t,
                   int64_t) {
  kernel->OutputAt(1).SetDataType(phi::DataType::INT64);
}
