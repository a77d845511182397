// SPDX-License-Identifier: Apache-2.0
#include "kernels/pool2d_grad_kernel.h"

#include <vector>

#include "core/kernel_registry.h"
#include "kernels/funcs/pool_maxima_cpu.h"
#include "primitive/cpu/parallel.h"

namespace phi {
namespace {

// Gradients of overlapping windows are summed in MT: in a plane of it for half types, else in the result itself.
template <typename T>
class PoolGrad {
 public:
  using MT = funcs::Acc<T>;
  using V = funcs::Vec<T>;
  static constexpr int64_t kBlock = 64;  // channels of one NHWC task
  static constexpr bool kHalf = !std::is_same_v<T, MT>;

  PoolGrad(const Pool2dShape& shape, const T* x, const T* out, const T* out_grad, T* x_grad)
      : shape_(shape), x_(x), y_(out), dy_(out_grad), dx_(x_grad), counts_(funcs::PoolCounts<MT>(shape.width)) {}

  void Run() const {
    const bool last = shape_.channel_last;
    const int64_t tasks = shape_.batch * (last ? (shape_.channels + kBlock - 1) / kBlock : shape_.channels);
    const int64_t work = in_ * (last ? kBlock : 1);
    primitive::ParallelFor(tasks, funcs::RowGrain(work), [&](int64_t first, int64_t end) {
      std::vector<MT> plane(kHalf ? work : 0);
      std::vector<MT> buffer(last ? kBlock : shape_.width.in + shape_.width.out);
      funcs::PoolRowMaxima<T> maxima(shape_.width);
      for (int64_t task = first; task < end; ++task) {
        last ? Block(task, plane.data(), buffer.data()) : Plane(task, plane.data(), buffer.data(), maxima);
      }
    });
  }

 private:
  static V Hit(const V& v, const V& max) { return (v == max) | (v != v); }

  void Plane(int64_t n, MT* sum, MT* buffer, funcs::PoolRowMaxima<T>& maxima) const {
    if constexpr (!kHalf) sum = dx_ + n * in_;
    std::fill_n(sum, in_, MT(0));
    for (int64_t i = 0; i < shape_.height.out; ++i) {
      const PoolWindow h = shape_.height.Window(i);
      const T* dy = dy_ + n * out_ + i * shape_.width.out;
      if (shape_.is_max) {
        maxima.Find(h, x_ + n * in_, [=](int64_t j, int64_t at) { sum[at] += static_cast<MT>(dy[j]); });
      } else {
        AvgRow(h, dy, sum, buffer);
      }
    }
    if constexpr (kHalf) funcs::VecMap(in_, dx_ + n * in_, [](const V& v) { return v; }, sum);
  }

  // The columns of the windows first, then their rows.
  void AvgRow(const PoolWindow& h, const T* dy, MT* sum, MT* row) const {
    const int64_t width = shape_.width.in;
    MT* share = row + width;
    const V rows(funcs::PoolCount<MT>(h));
    funcs::VecMap(shape_.width.out, share, [=](const V& g, const V& n) { return g / (rows * n); }, dy, counts_.data());
    std::fill_n(row, width, MT(0));
    funcs::ForEachPoolColumn(shape_.width, [=](int64_t j, int64_t k) { row[k] += share[j]; });
    for (int64_t i = h.begin; i < h.end; ++i) Add(width, sum + i * width, row);
  }

  // Some channels of one NHWC image.
  void Block(int64_t task, MT* sum, MT* rest) const {
    const int64_t blocks = (shape_.channels + kBlock - 1) / kBlock;
    const int64_t c = task % blocks * kBlock;
    const int64_t n = task / blocks;
    const int64_t channels = shape_.channels;
    const int64_t count = std::min(kBlock, channels - c);
    const int64_t stride = kHalf ? kBlock : channels;
    T* dx = dx_ + n * in_ * channels + c;
    if constexpr (!kHalf) sum = dx;
    for (int64_t p = 0; p < in_; ++p) std::fill_n(sum + p * stride, count, MT(0));
    for (int64_t p = 0; p < out_; ++p) {
      const PoolWindow h = shape_.height.Window(p / shape_.width.out);
      const PoolWindow w = shape_.width.Window(p % shape_.width.out);
      const int64_t from = (n * out_ + p) * channels + c;
      const V size(shape_.is_max ? MT(1) : funcs::PoolCount<MT>(h) * funcs::PoolCount<MT>(w));
      funcs::VecMap(count, rest, [=](const V& g) { return g / size; }, dy_ + from);
      for (int64_t i = h.begin; i < h.end; ++i) {
        for (int64_t k = w.begin; k < w.end; ++k) {
          const int64_t at = i * shape_.width.in + k;
          const T* x = x_ + (n * in_ + at) * channels + c;
          shape_.is_max ? AddHits(count, sum + at * stride, rest, x, y_ + from) : Add(count, sum + at * stride, rest);
        }
      }
    }
    if constexpr (kHalf) {
      for (int64_t p = 0; p < in_; ++p) {
        funcs::VecMap(count, dx + p * channels, [](const V& v) { return v; }, sum + p * stride);
      }
    }
  }

  static void Add(int64_t n, MT* sum, const MT* value) {
    funcs::VecMap(n, sum, [](const V& s, const V& v) { return s + v; }, sum, value);
  }
  // What is left of each gradient goes to a maximum, and then nothing is left.
  static void AddHits(int64_t n, MT* sum, MT* rest, const T* x, const T* y) {
    const auto add = [](const V& s, const V& r, const V& v, const V& m) { return V::blendv(s, s + r, Hit(v, m)); };
    const auto take = [](const V& r, const V& v, const V& m) { return V::blendv(r, V(0), Hit(v, m)); };
    funcs::VecMap(n, sum, add, sum, rest, x, y);
    funcs::VecMap(n, rest, take, rest, x, y);
  }

  const Pool2dShape& shape_;
  const int64_t in_ = shape_.height.in * shape_.width.in;
  const int64_t out_ = shape_.height.out * shape_.width.out;
  const T* x_;
  const T* y_;
  const T* dy_;
  T* dx_;
  const std::vector<MT> counts_;
};

}  // namespace

template <typename T, typename Context>
void Pool2dGradKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      const DenseTensor& out,
                      const DenseTensor& out_grad,
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
                      DenseTensor* x_grad) {
  T* dx = dev_ctx.template Alloc<T>(x_grad);
  if (x.numel() == 0) return;
  const Pool2dShape shape(x.dims(),
                          out.dims(),
                          kernel_size,
                          strides,
                          paddings,
                          exclusive,
                          data_format,
                          pooling_type,
                          global_pooling,
                          adaptive,
                          padding_algorithm);
  PoolGrad<T>(shape, x.data<T>(), out.data<T>(), out_grad.data<T>(), dx).Run();
}

}  // namespace phi

PD_REGISTER_KERNEL(
    pool2d_grad, CPU, ALL_LAYOUT, phi::Pool2dGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
