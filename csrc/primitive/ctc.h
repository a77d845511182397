// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"

namespace phi::primitive {

struct CtcInputs {
  const DenseTensor& logits;         // [steps, batch, classes]
  const DenseTensor& label;          // [batch, labels], int32 or int64
  const DenseTensor* logits_length;  // [batch], integers: the steps that count; null: all
  const DenseTensor* labels_length;  // the same of the labels
  int blank;
};

// loss [batch, 1] = -log of the probability that the steps, whose softmax `logits` are of, spell the labels: each class
// once or several times, with blanks between. 0 where there are too few steps. `logits_grad` is its gradient. By what
// torch carries, in csrc/torch/. The key is the dtype of the logits.
struct CtcLoss {
  static constexpr const char* kName = "ctc_loss";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx, const CtcInputs& in, DenseTensor* loss, DenseTensor* logits_grad);
};

}  // namespace phi::primitive
