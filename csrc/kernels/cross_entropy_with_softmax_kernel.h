// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

// softmax = softmax(input, axis) and loss = -sum(label * log(softmax), axis), where a hard label is the index of the
// class. Without use_softmax, input holds probabilities already, and softmax is a copy of it; softmax may be input.
template <typename T, typename Context>
void CrossEntropyWithSoftmaxKernel(const Context& dev_ctx,
                                   const DenseTensor& input,
                                   const DenseTensor& label,
                                   bool soft_label,
                                   bool use_softmax,
                                   bool numeric_stable_mode,
                                   int ignore_index,
                                   int axis,
                                   DenseTensor* softmax,
                                   DenseTensor* loss);

}  // namespace phi
