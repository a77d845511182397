// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/where_kernel_impl.h"

PD_REGISTER_KERNEL(where, GPU, ALL_LAYOUT, phi::WhereKernel, PHI_ALL_DTYPES) {
  kernel->InputAt(0).SetDataType(phi::DataType::BOOL);
}
