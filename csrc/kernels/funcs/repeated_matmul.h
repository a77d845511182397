// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/math/add.h"
#include "primitive/cast.h"
#include "primitive/elementwise.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/matmul.h"
#include "primitive/packed_matrix.h"

namespace phi::funcs {

// Products of matrices with one contiguous matrix y, or its transpose, which must outlive this. It is packed where many
// products are to come and the device's library has a faster one for that.
template <typename T, typename Context>
class RepeatedMatMul {
 public:
  RepeatedMatMul(const Context& dev_ctx, const DenseTensor& y, bool trans_y, int64_t times)
      : dev_ctx_(dev_ctx), y_(y), trans_y_(trans_y) {
    const auto pack =
        FindPrimitive<primitive::PackMatrix>(PlaceToBackend(dev_ctx.GetPlace()), CppTypeToDataType<T>::Type());
    if (pack && times > 1) packed_ = pack(dev_ctx, y, trans_y);
  }

  // out = x @ y, or added to it. Both are contiguous matrices, and `out` has memory.
  void Run(const DenseTensor& x, bool accumulate, DenseTensor* out) {
    if (!packed_) return primitive::MatMul(dev_ctx_, x, false, y_, trans_y_, out, {.accumulate = accumulate});
    if (products_.dims() != out->dims()) products_ = primitive::EmptyTensor<float>(dev_ctx_, out->dims());
    packed_->Multiply(x, &products_);
    if (!accumulate) return primitive::CastTo(dev_ctx_, products_, out->dtype(), out);
    if constexpr (primitive::is_small_float_v<T>) {
      primitive::Elementwise<T, float, T>(dev_ctx_, out, AddFunctor(), products_, *out);
    }
  }

 private:
  const Context& dev_ctx_;
  const DenseTensor& y_;
  const bool trans_y_;
  std::unique_ptr<primitive::PackedMatrix> packed_;
  DenseTensor products_;  // in float
};

}  // namespace phi::funcs
