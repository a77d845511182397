// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "kernels/funcs/interp_axis.h"
#include "primitive/convert.h"
#include "primitive/for_each.h"

// Interpolation on the GPU: a thread for each result. The gradient gathers, so that no order of threads changes it.
namespace phi::funcs {

// The place of element `i` of images of this size; Index is an unsigned type that holds their numbers of elements.
template <typename Index>
struct InterpPlace {
  int64_t channel, column, row, plane;
  HOSTDEVICE InterpPlace(Index i, Index inner, Index width, Index height) {
    channel = i % inner;
    column = i / inner % width;
    row = i / inner / width % height;
    plane = i / inner / width / height;
  }
};

template <typename Index, typename T>
void InterpolateOnGpu(const GPUContext& dev_ctx, const InterpShape& shape, const T* x, T* out) {
  primitive::ForEach(dev_ctx, shape.OutSize(), [=] HOSTDEVICE(int64_t i) {
    const InterpPlace<Index> at(i, shape.inner, shape.width.out, shape.height.out);
    const InterpTap h = shape.height.At(at.row);
    const InterpTap w = shape.width.At(at.column);
    const auto load = [&](int64_t row, int64_t column) {
      return x[((at.plane * shape.height.in + row) * shape.width.in + column) * shape.inner + at.channel];
    };
    if (shape.height.nearest) {
      out[i] = load(h.lo, w.lo);
      return;
    }
    using C = std::conditional_t<std::is_integral_v<T>, double, primitive::ComputeType<T>>;
    const C right = static_cast<C>(w.weight);
    const C down = static_cast<C>(h.weight);
    const C above = static_cast<C>(load(h.lo, w.lo)) * (C(1) - right) + static_cast<C>(load(h.lo, w.hi)) * right;
    const C below = static_cast<C>(load(h.hi, w.lo)) * (C(1) - right) + static_cast<C>(load(h.hi, w.hi)) * right;
    out[i] = static_cast<T>(above * (C(1) - down) + below * down);
  });
}

template <typename Index, typename T>
void InterpolateGradOnGpu(const GPUContext& dev_ctx, const InterpShape& shape, const T* out_grad, T* x_grad) {
  using C = primitive::ComputeType<T>;
  primitive::ForEach(dev_ctx, shape.InSize(), [=] HOSTDEVICE(int64_t i) {
    const InterpPlace<Index> at(i, shape.inner, shape.width.in, shape.height.in);
    int64_t top, bottom, left, right;
    shape.height.Reach(at.row, &top, &bottom);
    shape.width.Reach(at.column, &left, &right);
    C sum = 0;
    for (int64_t y = top; y < bottom; ++y) {
      C line = 0;
      for (int64_t j = left; j < right; ++j) {
        const T grad = out_grad[((at.plane * shape.height.out + y) * shape.width.out + j) * shape.inner + at.channel];
        line += shape.width.template Weight<C>(at.column, j) * static_cast<C>(grad);
      }
      sum += shape.height.template Weight<C>(at.row, y) * line;
    }
    x_grad[i] = static_cast<T>(sum);
  });
}

inline bool FitsInt32(const InterpShape& shape) {
  return std::max(shape.InSize(), shape.OutSize()) <= std::numeric_limits<int32_t>::max();
}

template <typename T>
void Interpolate(const GPUContext& dev_ctx, const InterpShape& shape, const T* x, T* out) {
  if (FitsInt32(shape)) return InterpolateOnGpu<uint32_t>(dev_ctx, shape, x, out);
  InterpolateOnGpu<uint64_t>(dev_ctx, shape, x, out);
}

template <typename T>
void InterpolateGrad(const GPUContext& dev_ctx, const InterpShape& shape, const T* out_grad, T* x_grad) {
  if (FitsInt32(shape)) return InterpolateGradOnGpu<uint32_t>(dev_ctx, shape, out_grad, x_grad);
  InterpolateGradOnGpu<uint64_t>(dev_ctx, shape, out_grad, x_grad);
}

}  // namespace phi::funcs
