// SPDX-License-Identifier: Apache-2.0
#include "primitive/prepare_elementwise.h"

namespace phi::primitive::detail {

bool PrepareElementwise(const DeviceContext& dev_ctx,
                        DenseTensor* out,
                        const DataType* types,
                        std::span<const DenseTensor* const> inputs) {
  dev_ctx.Alloc(out, types[0]);
  if (out->numel() == 0) return false;
  for (size_t i = 0; i < inputs.size(); ++i) inputs[i]->CheckType(types[i + 1]);
  return true;
}

}  // namespace phi::primitive::detail
