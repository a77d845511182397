// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/dropout.h"

PD_REGISTER_KERNEL(
    dropout, CPU, ALL_LAYOUT, phi::DropoutKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  kernel->InputAt(1).SetBackend(phi::Backend::CPU).SetDataType(phi::DataType::INT32);  // seed_tensor
  kernel->OutputAt(1).SetDataType(phi::DataType::UINT8);
}
