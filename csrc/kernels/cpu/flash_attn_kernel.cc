// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/impl/flash_attn_impl.h"

PD_REGISTER_KERNEL(
    flash_attn, CPU, ALL_LAYOUT, phi::FlashAttnKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  kernel->InputAt(3).SetBackend(phi::Backend::CPU);  // fixed_seed_offset
  kernel->OutputAt(2).SetDataType(phi::DataType::UNDEFINED);
  kernel->OutputAt(3).SetDataType(phi::DataType::INT64);
}
