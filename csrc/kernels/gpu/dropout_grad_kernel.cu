// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/dropout.h"

PD_REGISTER_KERNEL(
    dropout_grad, GPU, ALL_LAYOUT, phi::DropoutGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  kernel->InputAt(0).SetDataType(phi::DataType::UINT8);  // mask
}
