// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/broadcast_grad.h"

namespace phi {

namespace detail {

// A vector along one axis of a grid.
inline DDim AlongGrid(const DenseTensor& input, size_t axis, size_t rank) {
  DDim dims(static_cast<int>(rank), 1);
  dims[static_cast<int>(axis)] = input.numel();
  return dims;
}

}  // namespace detail

template <typename T, typename Context>
void MeshgridKernel(const Context& dev_ctx,
                    const std::vector<const DenseTensor*>& inputs,
                    std::vector<DenseTensor*> out) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const DDim dims = detail::AlongGrid(*inputs[i], i, inputs.size());
    primitive::Copy(dev_ctx, primitive::ViewOf(*inputs[i], dims), out[i]);
  }
}

// Of the inputs only the shapes are read. A null gradient is skipped.
template <typename T, typename Context>
void MeshgridGradKernel(const Context& dev_ctx,
                        const std::vector<const DenseTensor*>& inputs,
                        const std::vector<const DenseTensor*>& out_grad,
                        std::vector<DenseTensor*> inputs_grad) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs_grad[i] == nullptr) continue;
    const DDim dims = detail::AlongGrid(*inputs[i], i, inputs.size());
    funcs::SumBroadcast(dev_ctx, *out_grad[i], dims, out_grad[i]->dtype(), inputs_grad[i]);
  }
}

}  // namespace phi
