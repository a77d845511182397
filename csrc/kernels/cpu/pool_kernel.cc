// SPDX-License-Identifier: Apache-2.0
#include "kernels/pool_kernel.h"

#include <limits>
#include <vector>

#include "core/kernel_registry.h"
#include "kernels/funcs/pooling.h"
#include "kernels/funcs/vec_loop.h"

namespace phi {
namespace {

template <typename T>
struct MaxPool {
  using MT = funcs::Acc<T>;
  using V = funcs::Vec<T>;
  static constexpr MT kInit = -std::numeric_limits<MT>::infinity();
  static V Add(const V& a, const V& b) { return at::vec::maximum(a, b); }
  // as at::vec::maximum, a NaN wins
  static MT Add(MT a, MT b) { return b > a || b != b ? b : a; }
  static MT Finish(MT v, MT) { return v; }
};

template <typename T>
struct AvgPool {
  using MT = funcs::Acc<T>;
  using V = funcs::Vec<T>;
  static constexpr MT kInit = 0;
  static V Add(const V& a, const V& b) { return a + b; }
  static MT Add(MT a, MT b) { return a + b; }
  static MT Finish(MT v, MT scale) { return v * scale; }
};

// One row of outputs of a plane: first the rows of the windows are combined, then their columns.
template <typename Pool, typename T>
void PoolPlaneRow(const Pool2dShape& shape, const PoolWindow& h, const T* plane, T* out, typename Pool::MT* buffer) {
  using MT = typename Pool::MT;
  using V = typename Pool::V;
  const int64_t in = shape.width.in;
  std::fill_n(buffer, in, Pool::kInit);
  for (int64_t i = h.begin; i < h.end; ++i) {
    funcs::VecMap(in, buffer, [](const V& a, const V& b) { return Pool::Add(a, b); }, buffer, plane + i * in);
  }
  for (int64_t j = 0; j < shape.width.out; ++j) {
    const PoolWindow w = shape.width.Window(j);
    MT value = Pool::kInit;
    for (int64_t k = w.begin; k < w.end; ++k) value = Pool::Add(value, buffer[k]);
    out[j] = static_cast<T>(Pool::Finish(value, PoolScale<MT>(h, w)));
  }
}

// All channels of one output; they are neighbours.
template <typename Pool, typename T>
void PoolPixel(const Pool2dShape& shape,
               const PoolWindow& h,
               const PoolWindow& w,
               const T* image,
               T* out,
               typename Pool::MT* buffer) {
  using MT = typename Pool::MT;
  using V = typename Pool::V;
  const int64_t channels = shape.channels;
  std::fill_n(buffer, channels, Pool::kInit);
  for (int64_t i = h.begin; i < h.end; ++i) {
    for (int64_t k = w.begin; k < w.end; ++k) {
      const T* pixel = image + (i * shape.width.in + k) * channels;
      funcs::VecMap(channels, buffer, [](const V& a, const V& b) { return Pool::Add(a, b); }, buffer, pixel);
    }
  }
  const MT scale = PoolScale<MT>(h, w);
  for (int64_t c = 0; c < channels; ++c) out[c] = static_cast<T>(Pool::Finish(buffer[c], scale));
}

template <typename Pool, typename T>
void RunPool(const Pool2dShape& shape, const T* x, T* out) {
  using MT = typename Pool::MT;
  const PoolSpan& height = shape.height;
  const PoolSpan& width = shape.width;
  const int64_t planes = shape.channel_last ? shape.batch : shape.batch * shape.channels;
  const int64_t pixel = shape.channel_last ? shape.channels : 1;
  const int64_t work = width.in * pixel * std::max<int64_t>(1, height.in / std::max<int64_t>(1, height.out));
  at::parallel_for(0, planes * height.out, funcs::RowGrain(work), [&](int64_t first, int64_t last) {
    std::vector<MT> buffer(shape.channel_last ? shape.channels : width.in);
    for (int64_t row = first; row < last; ++row) {
      const T* plane = x + row / height.out * height.in * width.in * pixel;
      T* to = out + row * width.out * pixel;
      const PoolWindow h = height.Window(row % height.out);
      if (!shape.channel_last) {
        PoolPlaneRow<Pool>(shape, h, plane, to, buffer.data());
        continue;
      }
      for (int64_t j = 0; j < width.out; ++j)
        PoolPixel<Pool>(shape, h, width.Window(j), plane, to + j * pixel, buffer.data());
    }
  });
}

}  // namespace

template <typename T, typename Context>
void Pool2dKernel(const Context& dev_ctx,
                  const DenseTensor& x,
                  const IntArray& kernel_size,
                  const std::vector<int64_t>& strides,
                  const std::vector<int64_t>& paddings,
                  bool,
                  bool exclusive,
                  const std::string& data_format,
                  const std::string& pooling_type,
                  bool global_pooling,
                  bool adaptive,
                  const std::string& padding_algorithm,
                  DenseTensor* out) {
  T* result = dev_ctx.template Alloc<T>(out);
  if (out->numel() == 0) return;
  const Pool2dShape shape(x.dims(),
                          out->dims(),
                          kernel_size,
                          strides,
                          paddings,
                          exclusive,
                          data_format,
                          pooling_type,
                          global_pooling,
                          adaptive,
                          padding_algorithm);
  if (shape.is_max) {
    RunPool<MaxPool<T>>(shape, x.data<T>(), result);
  } else {
    RunPool<AvgPool<T>>(shape, x.data<T>(), result);
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(
    pool2d, CPU, ALL_LAYOUT, phi::Pool2dKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
