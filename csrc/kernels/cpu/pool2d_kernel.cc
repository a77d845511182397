// SPDX-License-Identifier: Apache-2.0
#include "kernels/pool2d_kernel.h"

#include <limits>
#include <vector>

#include "backends/cpu/cpu_context.h"
#include "core/channels_last_kernel.h"
#include "core/parallel.h"
#include "kernels/funcs/pooling_cpu.h"

namespace phi {
namespace {

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

  PoolRunner(const Pool2dShape& shape, const T* x, T* out)
      : shape_(shape), x_(x), out_(out), counts_(funcs::PoolCounts<MT>(shape.width)) {}

  void Run() const {
    const int64_t planes = shape_.channel_last ? shape_.batch : shape_.batch * shape_.channels;
    const int64_t height = shape_.height.out;
    const int64_t work = in_ / std::max<int64_t>(1, height) * pixel_;
    ParallelFor(planes * height, primitive::RowGrain(work), [&](int64_t first, int64_t last) {
      std::vector<MT> buffer(shape_.channel_last ? shape_.channels : shape_.width.in + shape_.width.out);
      for (int64_t row = first; row < last; ++row) {
        const T* plane = x_ + row / height * in_ * pixel_;
        T* to = out_ + row * shape_.width.out * pixel_;
        const PoolWindow h = shape_.height.Window(row % height);
        shape_.channel_last ? PixelRow(h, plane, to, buffer.data()) : PlaneRow(h, plane, to, buffer.data());
      }
    });
  }

 private:
  struct AddVectors {
    V operator()(const V& a, const V& b) const { return Pool::Add(a, b); }
  };

  // One row of outputs of a plane: first the rows of the windows are combined, then their columns.
  void PlaneRow(const PoolWindow& h, const T* plane, T* out, MT* columns) const {
    const int64_t in = shape_.width.in;
    const MT rows = funcs::PoolCount<MT>(h);
    if (shape_.width.out == 1 && shape_.width.Window(0).end - shape_.width.Window(0).begin == in) {
      // the windows are whole rows, which follow each other
      const int64_t n = std::max<int64_t>(0, h.end - h.begin) * in;
      const MT sum =
          primitive::VecReduce(n, Pool::kInit, AddVectors(), [](const V& v) { return v; }, plane + h.begin * in);
      *out = static_cast<T>(Pool::Finish(sum, rows * counts_[0]));
      return;
    }
    MT* sums = columns + in;
    std::fill_n(columns, in + shape_.width.out, Pool::kInit);
    for (int64_t i = h.begin; i < h.end; ++i) primitive::VecMap(in, columns, AddVectors(), columns, plane + i * in);
    funcs::ForEachPoolColumn(shape_.width, [=](int64_t j, int64_t k) { sums[j] = Pool::Add(sums[j], columns[k]); });
    const auto finish = [=](const V& v, const V& count) { return Pool::Finish(v, count * V(rows)); };
    primitive::VecMap(shape_.width.out, out, finish, sums, counts_.data());
  }

  // One row of NHWC outputs; the channels of a pixel are neighbours.
  void PixelRow(const PoolWindow& h, const T* image, T* out, MT* sums) const {
    const MT rows = funcs::PoolCount<MT>(h);
    for (int64_t j = 0; j < shape_.width.out; ++j, out += pixel_) {
      const PoolWindow w = shape_.width.Window(j);
      std::fill_n(sums, pixel_, Pool::kInit);
      for (int64_t i = h.begin; i < h.end; ++i) {
        for (int64_t k = w.begin; k < w.end; ++k) {
          primitive::VecMap(pixel_, sums, AddVectors(), sums, image + (i * shape_.width.in + k) * pixel_);
        }
      }
      const V count(rows * counts_[j]);
      primitive::VecMap(pixel_, out, [=](const V& v) { return Pool::Finish(v, count); }, sums);
    }
  }

  const Pool2dShape& shape_;
  const T* x_;
  T* out_;
  const int64_t in_ = shape_.height.in * shape_.width.in;
  const int64_t pixel_ = shape_.channel_last ? shape_.channels : 1;
  const std::vector<MT> counts_;
};

}  // namespace

// Max or average pooling over the last (NCHW) or the middle (NHWC) two dimensions. A window without elements gives
// -infinity or 0.
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
    PoolRunner<MaxPool<T>, T>(shape, x.data<T>(), result).Run();
  } else {
    PoolRunner<AvgPool<T>, T>(shape, x.data<T>(), result).Run();
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(
    pool2d, CPU, ALL_LAYOUT, phi::Pool2dKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
PD_REGISTER_CHANNELS_LAST_KERNEL(
    pool2d, CPU, NHWC, phi::Pool2dKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
