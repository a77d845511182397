// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/scan_lines.h"
#include "primitive/convert.h"
#include "primitive/loop/check_index.h"
#include "primitive/memset.h"
#include "primitive/reduce_ops.h"

namespace phi {

// The best element up to each one, of equal ones the last, and its index. NaN is best.
template <template <typename> class Op, typename T, typename Index>
struct ExtremesOfLine {
  const T* data;
  T* values;
  Index* indices;
  HOSTDEVICE void operator()(const funcs::ScanLine& line) const {
    for (int64_t i = 0; i < line.size;) {
      const int64_t best = i;
      const T element = data[line[best]];
      const auto known = primitive::ToCompute(element);
      do {
        values[line[i]] = element;
        indices[line[i]] = static_cast<Index>(best);
        ++i;
        if (line.stride == 1 && (i - best) % kChunk == 0)
          i = RepeatInChunks(line, i, known, element, static_cast<Index>(best));
      } while (i < line.size && Op<T>::Better(known, primitive::ToCompute(data[line[i]])));
    }
  }

 private:
  static constexpr int64_t kChunk = 16;

  // From element i on, as long as a whole chunk has none that is better. Gives the first element behind them.
  template <typename Known>
  HOSTDEVICE int64_t RepeatInChunks(const funcs::ScanLine& line, int64_t i, Known known, T element, Index best) const {
    for (; i + kChunk <= line.size; i += kChunk) {
      const int64_t at = line[i];
      bool are_worse = true;
      for (int64_t k = 0; k < kChunk; ++k) are_worse &= Op<T>::Better(known, primitive::ToCompute(data[at + k]));
      if (!are_worse) break;
      for (int64_t k = 0; k < kChunk; ++k) values[at + k] = element;
      for (int64_t k = 0; k < kChunk; ++k) indices[at + k] = best;
    }
    return i;
  }
};

template <template <typename> class Op, typename T, typename Context>
void CumulativeExtreme(const Context& dev_ctx, const DenseTensor& x, int axis, DenseTensor* out, DenseTensor* indices) {
  const auto scan = [&](auto index) {
    using Index = decltype(index);
    const ExtremesOfLine<Op, T, Index> lines{
        x.data<T>(), dev_ctx.template Alloc<T>(out), dev_ctx.template Alloc<Index>(indices)};
    funcs::ForEachLine(dev_ctx, primitive::AxisShape(x.dims(), axis), false, lines);
  };
  indices->dtype() == DataType::INT32 ? scan(int32_t()) : scan(int64_t());
}

// Each element gets the gradients of the results that it is.
template <typename T, typename Index>
struct ExtremesGradOfLine {
  const T* grad;
  const Index* indices;
  T* result;  // of zeros
  HOSTDEVICE void operator()(const funcs::ScanLine& line) const {
    primitive::ComputeType<T> sum(0);  // of neighbours that are the same element
    for (int64_t i = 0; i < line.size; ++i) {
      const int64_t index = indices[line[i]];
      primitive::CheckIndex("indices", index, 0, line.size);
      sum += primitive::ToCompute(grad[line[i]]);
      if (i + 1 < line.size && indices[line[i + 1]] == index) continue;
      result[line[index]] = primitive::Convert<T>(primitive::ToCompute(result[line[index]]) + sum);
      sum = 0;
    }
  }
};

template <typename T, typename Context>
void CumulativeExtremeGrad(
    const Context& dev_ctx, const DenseTensor& indices, const DenseTensor& out_grad, int axis, DenseTensor* x_grad) {
  T* result = dev_ctx.template Alloc<T>(x_grad);
  primitive::SetZero(dev_ctx, x_grad);
  const primitive::AxisShape shape(x_grad->dims(), axis);
  const auto scatter = [&](auto index) {
    using Index = decltype(index);
    const ExtremesGradOfLine<T, Index> lines{out_grad.data<T>(), indices.data<Index>(), result};
    funcs::ForEachLine(dev_ctx, shape, false, lines);
  };
  indices.dtype() == DataType::INT32 ? scatter(int32_t()) : scatter(int64_t());
}

template <typename T, typename Context>
void CummaxKernel(
    const Context& dev_ctx, const DenseTensor& x, int axis, DataType, DenseTensor* out, DenseTensor* indices) {
  CumulativeExtreme<primitive::MaxOp, T>(dev_ctx, x, axis, out, indices);
}

template <typename T, typename Context>
void CummaxGradKernel(const Context& dev_ctx,
                      const DenseTensor&,
                      const DenseTensor& indices,
                      const DenseTensor& out_grad,
                      int axis,
                      DataType,
                      DenseTensor* x_grad) {
  CumulativeExtremeGrad<T>(dev_ctx, indices, out_grad, axis, x_grad);
}

}  // namespace phi
