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
  int64_t channel, column, row, slice, plane;
  HOSTDEVICE InterpPlace(Index i, Index inner, Index width, Index height, Index depth) {
    channel = i % inner;
    column = i / inner % width;
    row = i / inner / width % height;
    slice = i / inner / width / height % depth;
    plane = i / inner / width / height / depth;
  }
};

template <typename Index, typename T>
void InterpolateOnGpu(const GPUContext& dev_ctx, const InterpShape& shape, const T* x, T* out) {
  primitive::ForEach(dev_ctx, shape.OutSize(), [=] HOSTDEVICE(int64_t i) {
    const InterpPlace<Index> at(i, shape.inner, shape.width.out, shape.height.out, shape.depth.out);
    const InterpTap d = shape.depth.At(at.slice);
    const InterpTap h = shape.height.At(at.row);
    const InterpTap w = shape.width.At(at.column);
    const auto load = [&](int64_t slice, int64_t row, int64_t column) {
      const int64_t line = (at.plane * shape.depth.in + slice) * shape.height.in + row;
      return x[(line * shape.width.in + column) * shape.inner + at.channel];
    };
    if (shape.height.nearest) {
      out[i] = load(d.lo, h.lo, w.lo);
      return;
    }
    if constexpr (std::is_integral_v<T>) {  // as on the CPU: each product is rounded, and added in this order
      const InterpTap taps[3] = {d, h, w};
      float sum = 0;
      for (int n = 0; n < 8; ++n) {
        const bool far[3] = {(n & 4) != 0, (n & (shape.is_volume ? 2 : 1)) != 0, (n & (shape.is_volume ? 1 : 2)) != 0};
        float product = load(far[0] ? d.hi : d.lo, far[1] ? h.hi : h.lo, far[2] ? w.hi : w.lo);
        for (int axis = 0; axis < 3; ++axis) {
          const double weight = far[axis] ? taps[axis].weight : 1.0f - taps[axis].weight;
          product = static_cast<float>(static_cast<double>(product) * weight);
        }
        sum += product;
      }
      out[i] = static_cast<T>(sum);
      return;
    }
    using C = primitive::ComputeType<T>;
    const C right = static_cast<C>(w.weight);
    const C down = static_cast<C>(h.weight);
    const auto line = [&](int64_t slice, int64_t row) {
      return static_cast<C>(load(slice, row, w.lo)) * (C(1) - right) + static_cast<C>(load(slice, row, w.hi)) * right;
    };
    const auto image = [&](int64_t slice) { return line(slice, h.lo) * (C(1) - down) + line(slice, h.hi) * down; };
    const C front = image(d.lo);
    const C back = static_cast<C>(d.weight);
    out[i] = static_cast<T>(shape.depth.in == 1 ? front : front * (C(1) - back) + image(d.hi) * back);
  });
}

template <typename Index, typename T>
void InterpolateGradOnGpu(const GPUContext& dev_ctx, const InterpShape& shape, const T* out_grad, T* x_grad) {
  using C = primitive::ComputeType<T>;
  primitive::ForEach(dev_ctx, shape.InSize(), [=] HOSTDEVICE(int64_t i) {
    const InterpPlace<Index> at(i, shape.inner, shape.width.in, shape.height.in, shape.depth.in);
    int64_t front, back, top, bottom, left, right;
    shape.depth.Reach(at.slice, &front, &back);
    shape.height.Reach(at.row, &top, &bottom);
    shape.width.Reach(at.column, &left, &right);
    C sum = 0;
    for (int64_t z = front; z < back; ++z) {
      C image = 0;
      for (int64_t y = top; y < bottom; ++y) {
        const int64_t row = (at.plane * shape.depth.out + z) * shape.height.out + y;
        C line = 0;
        for (int64_t j = left; j < right; ++j) {
          const T grad = out_grad[(row * shape.width.out + j) * shape.inner + at.channel];
          line += shape.width.template Weight<C>(at.column, j) * static_cast<C>(grad);
        }
        image += shape.height.template Weight<C>(at.row, y) * line;
      }
      sum += shape.depth.template Weight<C>(at.slice, z) * image;
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
