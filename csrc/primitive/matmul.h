// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"

namespace phi::primitive {

struct MatMulOptions {
  bool conj_x = false;
  bool conj_y = false;
  bool accumulate = false;  // add to what is in `out`
};

// out = op(x) @ op(y) as numpy.matmul: the leading dimensions broadcast; op transposes the last two dimensions, and
// does nothing to a vector. x and y may have any strides; out is contiguous, and is allocated if it has no memory.
// May be called from several threads when `out` is allocated. By the libraries that torch carries, in csrc/torch/.
struct Matmul {
  static constexpr const char* kName = "matmul";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx,
                      const DenseTensor& x,
                      bool trans_x,
                      const DenseTensor& y,
                      bool trans_y,
                      DenseTensor* out,
                      const MatMulOptions& options);
};
using BatchMatmul = Matmul;
using BroadcastMatmul = Matmul;

inline void MatMul(const DeviceContext& dev_ctx,
                   const DenseTensor& x,
                   bool trans_x,
                   const DenseTensor& y,
                   bool trans_y,
                   DenseTensor* out,
                   const MatMulOptions& options = {}) {
  GetPrimitive<Matmul>(dev_ctx, x.dtype())(dev_ctx, x, trans_x, y, trans_y, out, options);
}

}  // namespace phi::primitive
