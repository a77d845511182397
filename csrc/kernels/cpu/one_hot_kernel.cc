// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/one_hot_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(one_hot, CPU, ALL_LAYOUT, phi::OneHotKernel, int32_t, int64_t) {
  kernel->OutputAt(0).SetDataType(phi::DataType::FLOAT32);
}
