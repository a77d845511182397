// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "backends/cpu/cpu_context.h"
#include "common/ceil_div.h"
#include "core/parallel.h"
#include "kernels/funcs/max_pool_grad_cpu.h"
#include "kernels/funcs/max_pool_pairs_cpu.h"
#include "kernels/funcs/pooling_cpu.h"

namespace phi::funcs {

// Gradients of overlapping windows are summed in MT: in a channel of it for half types, else in the result itself.
template <typename T>
class PoolGrad {
 public:
  using MT = primitive::Acc<T>;
  using V = primitive::Vec<T>;
  static constexpr int64_t kBlock = 64;  // channels of one NHWC task
  static constexpr bool kHalf = !std::is_same_v<T, MT>;

  PoolGrad(const PoolShape& shape, const T* x, const T* out, const T* out_grad, T* x_grad)
      : shape_(shape), x_(x), y_(out), dy_(out_grad), dx_(x_grad), counts_(PoolCounts<MT>(shape.width)) {}

  void Run() const {
    if (!shape_.channel_last && shape_.is_max) return RunMaxVolumes();
    const bool last = shape_.channel_last;
    const int64_t tasks = shape_.batch * (last ? CeilDiv(shape_.channels, kBlock) : shape_.channels);
    const int64_t work = in_ * (last ? kBlock : 1);
    ParallelFor(tasks, primitive::RowGrain(work), [&](int64_t first, int64_t end) {
      std::vector<MT> volume(kHalf ? work : 0);
      std::vector<MT> buffer(last ? kBlock : shape_.width.in + shape_.width.out);
      for (int64_t task = first; task < end; ++task) {
        last ? Block(task, volume.data(), buffer.data()) : AvgVolume(task, volume.data(), buffer.data());
      }
    });
  }

 private:
  void RunMaxVolumes() const {
    if (MaxPoolGradOfPairs<T>::Fits(shape_)) return RunMaxPairs();
    // adaptive windows differ, and in large ones the maximum is found before all places are looked at
    constexpr int64_t kMaxPlaces = 36;
    const bool adaptive = shape_.height.adaptive || shape_.width.adaptive;
    const bool search = adaptive || shape_.depth.kernel * shape_.height.kernel * shape_.width.kernel > kMaxPlaces;
    ParallelFor(shape_.batch * shape_.channels, primitive::RowGrain(in_), [&](int64_t n, int64_t end) {
      std::optional<MaxPoolGradByPlace<MT>> by_place;
      if (!search) by_place.emplace(shape_.depth, shape_.height, shape_.width);
      std::vector<MT> buffer(kHalf ? 2 * (in_ + out_) : 0);
      for (; n < end; ++n) {
        MT* sum = buffer.data();
        if constexpr (!kHalf) sum = dx_ + n * in_;
        search ? SearchMaxima(n, sum) : CompareMaxima(n, &*by_place, sum);
        if constexpr (kHalf) primitive::VecMap(in_, dx_ + n * in_, Same, sum);
      }
    });
  }

  void RunMaxPairs() const {
    const MaxPoolGradOfPairs<T> channel(shape_);
    ParallelFor(shape_.batch * shape_.channels, primitive::RowGrain(in_), [&](int64_t n, int64_t end) {
      for (; n < end; ++n) channel.Run(x_ + n * in_, y_ + n * out_, dy_ + n * out_, dx_ + n * in_);
    });
  }

  void SearchMaxima(int64_t n, MT* sum) const {
    std::fill_n(sum, in_, MT(0));
    const T* y = y_ + n * out_;
    const T* dy = dy_ + n * out_;
    const PoolExtent in = shape_.In();
    for (int64_t row = 0; row < shape_.depth.out * shape_.height.out; ++row) {
      const PoolWindow d = shape_.depth.Window(row / shape_.height.out);
      const PoolWindow h = shape_.height.Window(row % shape_.height.out);
      for (int64_t j = 0; j < shape_.width.out; ++j, ++y, ++dy) {
        const PoolWindow w = shape_.width.Window(j);
        const int64_t at = FirstMaximum(d, h, w, in, x_ + n * in_, static_cast<MT>(*y));
        if (at >= 0) sum[at] += static_cast<MT>(*dy);
      }
    }
  }

  void CompareMaxima(int64_t n, MaxPoolGradByPlace<MT>* by_place, MT* sum) const {
    if constexpr (kHalf) {  // behind the sums there is room for what has to be converted
      MT* const x = sum + in_;
      MT* const y = x + in_;
      MT* const dy = y + out_;
      primitive::VecMap(in_, x, Same, x_ + n * in_);
      primitive::VecMap(out_, y, Same, y_ + n * out_);
      primitive::VecMap(out_, dy, Same, dy_ + n * out_);
      by_place->Run(x, y, dy, sum);
    } else {
      by_place->Run(x_ + n * in_, y_ + n * out_, dy_ + n * out_, sum);
    }
  }

  void AvgVolume(int64_t n, MT* sum, MT* buffer) const {
    if constexpr (!kHalf) sum = dx_ + n * in_;
    std::fill_n(sum, in_, MT(0));
    for (int64_t row = 0; row < shape_.depth.out * shape_.height.out; ++row) {
      const PoolWindow d = shape_.depth.Window(row / shape_.height.out);
      const PoolWindow h = shape_.height.Window(row % shape_.height.out);
      AvgRow(d, h, dy_ + n * out_ + row * shape_.width.out, sum, buffer);
    }
    if constexpr (kHalf) primitive::VecMap(in_, dx_ + n * in_, Same, sum);
  }

  // The columns of the windows first, then their rows.
  void AvgRow(const PoolWindow& d, const PoolWindow& h, const T* dy, MT* sum, MT* row) const {
    const int64_t width = shape_.width.in;
    MT* share = row + width;
    const V rows(PoolCount<MT>(d) * PoolCount<MT>(h));
    primitive::VecMap(
        shape_.width.out, share, [=](const V& g, const V& n) { return g / (rows * n); }, dy, counts_.data());
    std::fill_n(row, width, MT(0));
    ForEachPoolColumn(shape_.width, [=](int64_t j, int64_t k) { row[k] += share[j]; });
    for (int64_t z = d.begin; z < d.end; ++z) {
      for (int64_t i = h.begin; i < h.end; ++i) Add(width, sum + (z * shape_.height.in + i) * width, row);
    }
  }

  // Some channels of one NHWC image.
  void Block(int64_t task, MT* sum, MT* rest) const {
    const int64_t blocks = CeilDiv(shape_.channels, kBlock);
    const int64_t c = task % blocks * kBlock;
    const int64_t n = task / blocks;
    const int64_t channels = shape_.channels;
    const int64_t count = std::min(kBlock, channels - c);
    const int64_t stride = kHalf ? kBlock : channels;
    T* dx = dx_ + n * in_ * channels + c;
    if constexpr (!kHalf) sum = dx;
    for (int64_t p = 0; p < in_; ++p) std::fill_n(sum + p * stride, count, MT(0));
    for (int64_t p = 0; p < out_; ++p) {
      const PoolWindow d = shape_.depth.Window(p / shape_.width.out / shape_.height.out);
      const PoolWindow h = shape_.height.Window(p / shape_.width.out % shape_.height.out);
      const PoolWindow w = shape_.width.Window(p % shape_.width.out);
      const int64_t from = (n * out_ + p) * channels + c;
      const V size(shape_.is_max ? MT(1) : PoolCount<MT>(d) * PoolCount<MT>(h) * PoolCount<MT>(w));
      primitive::VecMap(count, rest, [=](const V& g) { return g / size; }, dy_ + from);
      ForEachPixel(d, h, w, [&](int64_t at) {
        const T* x = x_ + (n * in_ + at) * channels + c;
        MT* to = sum + at * stride;
        shape_.is_max ? GiveToMaxima(count, x, y_ + from, rest, to) : Add(count, to, rest);
      });
    }
    if constexpr (kHalf) {
      for (int64_t p = 0; p < in_; ++p) {
        primitive::VecMap(count, dx + p * channels, Same, sum + p * stride);
      }
    }
  }

  template <typename F>
  void ForEachPixel(const PoolWindow& d, const PoolWindow& h, const PoolWindow& w, const F& f) const {
    for (int64_t z = d.begin; z < d.end; ++z) {
      for (int64_t i = h.begin; i < h.end; ++i) {
        for (int64_t k = w.begin; k < w.end; ++k) f((z * shape_.height.in + i) * shape_.width.in + k);
      }
    }
  }

  static V Same(const V& v) { return v; }
  static void Add(int64_t n, MT* sum, const MT* value) {
    primitive::VecMap(n, sum, [](const V& s, const V& v) { return s + v; }, sum, value);
  }

  const PoolShape& shape_;
  const int64_t in_ = shape_.In().size();
  const int64_t out_ = shape_.Out().size();
  const T* x_;
  const T* y_;
  const T* dy_;
  T* dx_;
  const std::vector<MT> counts_;
};

template <typename T>
void RunPoolGrad(const CPUContext&, const PoolShape& shape, const T* x, const T* out, const T* out_grad, T* x_grad) {
  PoolGrad<T>(shape, x, out, out_grad, x_grad).Run();
}

}  // namespace phi::funcs
