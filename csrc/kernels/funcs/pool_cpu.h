// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "backends/cpu/cpu_context.h"
#include "core/parallel.h"
#include "kernels/funcs/pooling_cpu.h"

namespace phi::funcs {

template <typename T>
struct MaxPool {
  using MT = primitive::Acc<T>;
  using V = primitive::Vec<T>;
  static constexpr MT kInit = -std::numeric_limits<MT>::infinity();
  static V Add(const V& a, const V& b) { return at::vec::maximum(a, b); }
  // as at::vec::maximum, a NaN wins
  static MT Add(MT a, MT b) { return (b > a) | (b != b) ? b : a; }
  template <typename N>
  static N Finish(N v, N) {
    return v;
  }
};

template <typename T>
struct AvgPool {
  using MT = primitive::Acc<T>;
  using V = primitive::Vec<T>;
  static constexpr MT kInit = 0;
  template <typename N>
  static N Add(const N& a, const N& b) {
    return a + b;
  }
  template <typename N>
  static N Finish(N v, N count) {
    return v / count;
  }
};

template <typename Pool, typename T>
class PoolRunner {
 public:
  using MT = typename Pool::MT;
  using V = typename Pool::V;

  PoolRunner(const PoolShape& shape, const T* x, T* out)
      : shape_(shape), x_(x), out_(out), counts_(PoolCounts<MT>(shape.width)) {}

  void Run() const {
    const int64_t volumes = shape_.channel_last ? shape_.batch : shape_.batch * shape_.channels;
    const int64_t height = shape_.height.out, rows = shape_.depth.out * height;
    const int64_t work = in_ / std::max<int64_t>(1, rows) * pixel_;
    ParallelFor(volumes * rows, primitive::RowGrain(work), [&](int64_t first, int64_t last) {
      std::vector<MT> buffer(shape_.channel_last ? shape_.channels : shape_.width.in + shape_.width.out);
      for (int64_t row = first; row < last; ++row) {
        const T* volume = x_ + row / rows * in_ * pixel_;
        T* to = out_ + row * shape_.width.out * pixel_;
        const PoolWindow d = shape_.depth.Window(row / height % shape_.depth.out);
        const PoolWindow h = shape_.height.Window(row % height);
        shape_.channel_last ? PixelRow(d, h, volume, to, buffer.data()) : PlaneRow(d, h, volume, to, buffer.data());
      }
    });
  }

 private:
  struct AddVectors {
    V operator()(const V& a, const V& b) const { return Pool::Add(a, b); }
  };

  const T* RowAt(const T* volume, int64_t z, int64_t i) const {
    return volume + (z * shape_.height.in + i) * shape_.width.in * pixel_;
  }

  // One row of outputs of a channel: first the rows of the windows are combined, then their columns.
  void PlaneRow(const PoolWindow& d, const PoolWindow& h, const T* volume, T* out, MT* columns) const {
    const int64_t in = shape_.width.in;
    const MT rows = PoolCount<MT>(d) * PoolCount<MT>(h);
    if (shape_.width.out == 1 && shape_.width.Window(0).end - shape_.width.Window(0).begin == in) {
      // the windows are whole rows, which follow each other
      const int64_t n = std::max<int64_t>(0, h.end - h.begin) * in;
      MT sum = Pool::kInit;
      for (int64_t z = d.begin; z < d.end; ++z) {
        const T* from = RowAt(volume, z, h.begin);
        sum = Pool::Add(sum, primitive::VecReduce(n, Pool::kInit, AddVectors(), [](const V& v) { return v; }, from));
      }
      *out = static_cast<T>(Pool::Finish(sum, rows * counts_[0]));
      return;
    }
    MT* sums = columns + in;
    std::fill_n(columns, in + shape_.width.out, Pool::kInit);
    for (int64_t z = d.begin; z < d.end; ++z) {
      for (int64_t i = h.begin; i < h.end; ++i) {
        primitive::VecMap(in, columns, AddVectors(), columns, RowAt(volume, z, i));
      }
    }
    ForEachPoolColumn(shape_.width, [=](int64_t j, int64_t k) { sums[j] = Pool::Add(sums[j], columns[k]); });
    const auto finish = [=](const V& v, const V& count) { return Pool::Finish(v, count * V(rows)); };
    primitive::VecMap(shape_.width.out, out, finish, sums, counts_.data());
  }

  // One row of NHWC outputs; the channels of a pixel are neighbours.
  void PixelRow(const PoolWindow& d, const PoolWindow& h, const T* volume, T* out, MT* sums) const {
    const MT rows = PoolCount<MT>(d) * PoolCount<MT>(h);
    for (int64_t j = 0; j < shape_.width.out; ++j, out += pixel_) {
      const PoolWindow w = shape_.width.Window(j);
      std::fill_n(sums, pixel_, Pool::kInit);
      for (int64_t z = d.begin; z < d.end; ++z) {
        for (int64_t i = h.begin; i < h.end; ++i) {
          for (int64_t k = w.begin; k < w.end; ++k) {
            primitive::VecMap(pixel_, sums, AddVectors(), sums, RowAt(volume, z, i) + k * pixel_);
          }
        }
      }
      const V count(rows * counts_[j]);
      primitive::VecMap(pixel_, out, [=](const V& v) { return Pool::Finish(v, count); }, sums);
    }
  }

  const PoolShape& shape_;
  const T* x_;
  T* out_;
  const int64_t in_ = shape_.In().size();
  const int64_t pixel_ = shape_.channel_last ? shape_.channels : 1;
  const std::vector<MT> counts_;
};

template <typename T>
void RunPool(const CPUContext&, const PoolShape& shape, const T* x, T* out) {
  if (shape.is_max) {
    PoolRunner<MaxPool<T>, T>(shape, x, out).Run();
  } else {
    PoolRunner<AvgPool<T>, T>(shape, x, out).Run();
  }
}

}  // namespace phi::funcs
