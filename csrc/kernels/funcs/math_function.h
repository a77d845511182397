// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"
#include "primitive/for_each.h"

namespace phi::funcs {

// SetConstant<Context, T>()(dev_ctx, &tensor, value) fills a tensor that has its memory.
template <typename Context, typename T>
struct SetConstant {
  void operator()(const Context& dev_ctx, DenseTensor* tensor, T value) const {
    primitive::Fill(dev_ctx, tensor->data<T>(), tensor->numel(), value);
  }
};

}  // namespace phi::funcs
