// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/math/add.h"
#include "primitive/cast.h"
#include "primitive/elementwise.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/matmul.h"
#include "primitive/packed_matrix.h"
#include "primitive/permute.h"

namespace phi::funcs {

// Products of matrices of so many rows with one contiguous matrix y, or its transpose, which must outlive this. It is
// packed where the device's library has faster products for that.
template <typename T, typename Context>
class PackedMatMul {
 public:
  PackedMatMul(const Context& dev_ctx, const DenseTensor& y, bool trans_y, int64_t rows)
      : dev_ctx_(dev_ctx), y_(y), trans_y_(trans_y) {
    const auto pack =
        FindPrimitive<primitive::PackMatrix>(PlaceToBackend(dev_ctx.GetPlace()), CppTypeToDataType<T>::Type());
    if (pack) packed_ = pack(dev_ctx, y, trans_y, rows);
  }

  // out = x @ y, or added to it, or of the transpose of x. Both are contiguous matrices, and `out` has memory.
  void Run(const DenseTensor& x, bool trans_x, bool accumulate, DenseTensor* out) {
    if (!packed_) return primitive::MatMul(dev_ctx_, x, trans_x, y_, trans_y_, out, {.accumulate = accumulate});
    if (trans_x) {
      DenseTensor transposed = primitive::EmptyTensor<T>(dev_ctx_, {x.dims()[1], x.dims()[0]});
      primitive::PermuteTo(dev_ctx_, x, {1, 0}, &transposed);
      return Run(transposed, false, accumulate, out);
    }
    if constexpr (std::is_same_v<T, float>) return packed_->Multiply(x, accumulate, out);
    if (products_.dims() != out->dims()) products_ = primitive::EmptyTensor<float>(dev_ctx_, out->dims());
    packed_->Multiply(x, false, &products_);
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
