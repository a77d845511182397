// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/data_type.h"
#include "common/layout.h"
#include "core/ddim.h"

namespace phi {

// What is known of a tensor without its data. For Dim = c10::SymInt `strides` is filled only when not `contiguous`.
template <class Dim>
struct TensorMeta {
  BasicDDim<Dim> dims;
  BasicDDim<Dim> strides;
  DataType dtype = DataType::UNDEFINED;
  DataLayout layout = DataLayout::NCHW;
  bool contiguous = true;
  // dense and non-overlapping: some permutation of the dimensions is contiguous (channels_last is)
  bool dense = true;
};

using DenseTensorMeta = TensorMeta<int64_t>;

}  // namespace phi
