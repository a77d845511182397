// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/binary_grad.h"

namespace phi {

template <typename T, typename Context>
void BroadcastTensorsKernel(const Context& dev_ctx,
                            const std::vector<const DenseTensor*>& input,
                            std::vector<DenseTensor*> out) {
  for (size_t i = 0; i < input.size(); ++i) primitive::Copy(dev_ctx, *input[i], out[i]);
}

// Of the inputs only the shapes are read. A null gradient is skipped.
template <typename T, typename Context>
void BroadcastTensorsGradKernel(const Context& dev_ctx,
                                const std::vector<const DenseTensor*>& input,
                                const std::vector<const DenseTensor*>& out_grad,
                                std::vector<DenseTensor*> input_grad) {
  for (size_t i = 0; i < input.size(); ++i) {
    funcs::SumToInput(dev_ctx, *out_grad[i], -1, *input[i], input_grad[i]);
  }
}

}  // namespace phi
