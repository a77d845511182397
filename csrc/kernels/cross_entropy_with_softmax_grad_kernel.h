// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/optional.h"
#include "core/dense_tensor.h"

namespace phi {

// The gradient of the input from that of the loss and, where softmax is used too, from softmax_grad.
template <typename T, typename Context>
void CrossEntropyWithSoftmaxGradKernel(const Context& dev_ctx,
                                       const DenseTensor& label,
                                       const DenseTensor& softmax,
                                       const DenseTensor& loss_grad,
                                       const paddle::optional<DenseTensor>& softmax_grad,
                                       bool soft_label,
                                       bool use_softmax,
                                       bool numeric_stable_mode,
                                       int ignore_index,
                                       int axis,
                                       DenseTensor* input_grad);

}  // namespace phi
