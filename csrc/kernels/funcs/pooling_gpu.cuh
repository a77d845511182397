// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "backends/gpu/gpu_context.h"
#include "kernels/funcs/pooling.h"
#include "primitive/convert.h"
#include "primitive/gpu/for_each.cuh"
#include "primitive/loop/tensor_view.h"

namespace phi::funcs {

// A pixel of one channel of one volume.
struct PoolPixel {
  int64_t plane;
  int64_t row;
  int64_t col;
  int64_t volume;  // of one channel, for NCHW
  int64_t channel;

  // the pixel of element i of a tensor of these sizes
  __device__ PoolPixel(const PoolShape& shape, const PoolExtent& size, int64_t i) {
    channel = shape.channel_last ? i % shape.channels : 0;
    if (shape.channel_last) i /= shape.channels;
    col = i % size.width;
    i /= size.width;
    row = i % size.height;
    i /= size.height;
    plane = i % size.depth;
    volume = i / size.depth;
  }
  // where pixel (z, r, c) of the same channel of the same volume is, in a tensor of these sizes
  __device__ int64_t At(const PoolShape& shape, const PoolExtent& size, int64_t z, int64_t r, int64_t c) const {
    const int64_t pixel = ((volume * size.depth + z) * size.height + r) * size.width + c;
    return shape.channel_last ? pixel * shape.channels + channel : pixel;
  }
};

template <typename T>
struct PoolOutput {
  using MT = primitive::Acc<T>;

  PoolShape shape;
  const T* x;
  T* out;

  __device__ void operator()(int64_t i) const {
    const PoolPixel pixel(shape, shape.Out(), i);
    const PoolWindow d = shape.depth.Window(pixel.plane);
    const PoolWindow h = shape.height.Window(pixel.row);
    const PoolWindow w = shape.width.Window(pixel.col);
    const PoolExtent in = shape.In();
    MT value = shape.is_max ? -std::numeric_limits<MT>::infinity() : MT(0);
    for (int64_t z = d.begin; z < d.end; ++z) {
      for (int64_t r = h.begin; r < h.end; ++r) {
        for (int64_t c = w.begin; c < w.end; ++c) {
          const MT v = static_cast<MT>(x[pixel.At(shape, in, z, r, c)]);
          if (shape.is_max) {
            value = v > value || v != v ? v : value;  // a NaN wins
          } else {
            value += v;
          }
        }
      }
    }
    out[i] = static_cast<T>(shape.is_max ? value : value * PoolScale<MT>(d, h, w));
  }
};

// Where the maximum of each output is first: the element of x, -1 for a window without elements.
template <typename T>
struct FindMaximum {
  using MT = primitive::Acc<T>;

  PoolShape shape;
  const T* x;
  const T* out;
  int64_t* index;

  __device__ void operator()(int64_t i) const {
    const PoolPixel pixel(shape, shape.Out(), i);
    const PoolWindow d = shape.depth.Window(pixel.plane);
    const PoolWindow h = shape.height.Window(pixel.row);
    const PoolWindow w = shape.width.Window(pixel.col);
    const PoolExtent in = shape.In();
    const MT max = static_cast<MT>(out[i]);
    index[i] = -1;
    for (int64_t z = d.begin; z < d.end; ++z) {
      for (int64_t r = h.begin; r < h.end; ++r) {
        for (int64_t c = w.begin; c < w.end; ++c) {
          const int64_t at = pixel.At(shape, in, z, r, c);
          const MT v = static_cast<MT>(x[at]);
          if (v == max || v != v) {
            index[i] = at;
            return;
          }
        }
      }
    }
  }
};

// Each element collects what the outputs that it is a part of give it: no two threads write to the same place.
template <typename T>
struct CollectGradient {
  using MT = primitive::Acc<T>;

  PoolShape shape;
  const T* out_grad;
  const int64_t* index;  // of the maxima; null for means
  T* x_grad;

  __device__ void operator()(int64_t i) const {
    const PoolPixel pixel(shape, shape.In(), i);
    const PoolExtent out = shape.Out();
    int64_t front, back, top, bottom, left, right;
    shape.depth.OutputsOf(pixel.plane, &front, &back);
    shape.height.OutputsOf(pixel.row, &top, &bottom);
    shape.width.OutputsOf(pixel.col, &left, &right);
    MT sum = 0;
    for (int64_t z = front; z < back; ++z) {
      const PoolWindow d = shape.depth.Window(z);
      for (int64_t r = top; r < bottom; ++r) {
        const PoolWindow h = shape.height.Window(r);
        for (int64_t c = left; c < right; ++c) {
          const PoolWindow w = shape.width.Window(c);
          const int64_t at = pixel.At(shape, out, z, r, c);
          if (index) {
            if (index[at] == i) sum += static_cast<MT>(out_grad[at]);
          } else {
            sum += static_cast<MT>(out_grad[at]) * PoolScale<MT>(d, h, w);
          }
        }
      }
    }
    x_grad[i] = static_cast<T>(sum);
  }
};

template <typename T>
void RunPool(const GPUContext& dev_ctx, const PoolShape& shape, const T* x, T* out) {
  const int64_t count = shape.batch * shape.channels * shape.Out().size();
  primitive::detail::RunForEach(dev_ctx, count, PoolOutput<T>{shape, x, out});
}

template <typename T>
void RunPoolGrad(
    const GPUContext& dev_ctx, const PoolShape& shape, const T* x, const T* out, const T* out_grad, T* x_grad) {
  const int64_t channels = shape.batch * shape.channels;
  DenseTensor index;
  int64_t* maxima = nullptr;
  if (shape.is_max) {
    index = primitive::EmptyTensor<int64_t>(dev_ctx, {channels * shape.Out().size()});
    maxima = index.data<int64_t>();
    primitive::detail::RunForEach(dev_ctx, index.numel(), FindMaximum<T>{shape, x, out, maxima});
  }
  const int64_t count = channels * shape.In().size();
  primitive::detail::RunForEach(dev_ctx, count, CollectGradient<T>{shape, out_grad, maxima, x_grad});
}

}  // namespace phi::funcs
