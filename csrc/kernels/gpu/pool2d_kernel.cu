// SPDX-License-Identifier: Apache-2.0
#include "kernels/pool2d_kernel.h"

#include <limits>

#include "backends/gpu/gpu_context.h"
#include "core/channels_last_kernel.h"
#include "kernels/funcs/pooling_gpu.cuh"

namespace phi {
namespace {

template <typename T>
struct PoolOutput {
  using MT = primitive::Acc<T>;

  Pool2dShape shape;
  const T* x;
  T* out;

  __device__ void operator()(int64_t i) const {
    const funcs::PoolPixel pixel(shape, shape.height.out, shape.width.out, i);
    const PoolWindow h = shape.height.Window(pixel.row);
    const PoolWindow w = shape.width.Window(pixel.col);
    MT value = shape.is_max ? -std::numeric_limits<MT>::infinity() : MT(0);
    for (int64_t r = h.begin; r < h.end; ++r) {
      for (int64_t c = w.begin; c < w.end; ++c) {
        const MT v = static_cast<MT>(x[pixel.At(shape, shape.height.in, shape.width.in, r, c)]);
        if (shape.is_max) {
          value = v > value || v != v ? v : value;  // a NaN wins
        } else {
          value += v;
        }
      }
    }
    out[i] = static_cast<T>(shape.is_max ? value : value * PoolScale<MT>(h, w));
  }
};

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
  primitive::detail::RunForEach(dev_ctx, out->numel(), PoolOutput<T>{shape, x.data<T>(), result});
}

}  // namespace phi

PD_REGISTER_KERNEL(
    pool2d, GPU, ALL_LAYOUT, phi::Pool2dKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
PD_REGISTER_CHANNELS_LAST_KERNEL(
    pool2d, GPU, NHWC, phi::Pool2dKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
