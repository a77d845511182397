// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "infermeta/view_dims.h"

// Shapes and arguments of torch's, which may be symbolic, as the InferMeta functions of the view operators take them.
namespace phi::torch_bridge::view_arguments {

inline BasicDDim<c10::SymInt> Dims(const at::Tensor& x) {
  return BasicDDim<c10::SymInt>(x.sym_sizes().data(), x.dim());
}

inline IntArrayBase<c10::SymInt> Ints(c10::SymIntArrayRef values) {
  return IntArrayBase<c10::SymInt>(values.data(), values.size());
}

inline c10::SymIntArrayRef Ref(const BasicDDim<c10::SymInt>& dims) {
  return {dims.Get(), static_cast<size_t>(dims.size())};
}

inline std::vector<int64_t> ChosenAxes(const AxisFlags<c10::SymInt>& axes, int64_t rank) {
  std::vector<int64_t> chosen;
  for (int64_t i = 0; i < rank; ++i) {
    if (axes[i]) chosen.push_back(i);
  }
  return chosen;
}

}  // namespace phi::torch_bridge::view_arguments
