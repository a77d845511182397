// SPDX-License-Identifier: Apache-2.0
#include "kernels/pool2d_grad_kernel.h"

#include "backends/gpu/gpu_context.h"
#include "core/channels_last_kernel.h"
#include "kernels/funcs/pooling_gpu.cuh"

namespace phi {
namespace {

// Where the maximum of each output is first: the element of x, -1 for a window without elements.
template <typename T>
struct FindMaximum {
  using MT = primitive::Acc<T>;

  Pool2dShape shape;
  const T* x;
  const T* out;
  int64_t* index;

  __device__ void operator()(int64_t i) const {
    const funcs::PoolPixel pixel(shape, shape.height.out, shape.width.out, i);
    const PoolWindow h = shape.height.Window(pixel.row);
    const PoolWindow w = shape.width.Window(pixel.col);
    const MT max = static_cast<MT>(out[i]);
    index[i] = -1;
    for (int64_t r = h.begin; r < h.end; ++r) {
      for (int64_t c = w.begin; c < w.end; ++c) {
        const int64_t at = pixel.At(shape, shape.height.in, shape.width.in, r, c);
        const MT v = static_cast<MT>(x[at]);
        if (v == max || v != v) {
          index[i] = at;
          return;
        }
      }
    }
  }
};

// Each element collects what the outputs that it is a part of give it: no two threads write to the same place.
template <typename T>
struct CollectGradient {
  using MT = primitive::Acc<T>;

  Pool2dShape shape;
  const T* out_grad;
  const int64_t* index;  // of the maxima; null for means
  T* x_grad;

  __device__ void operator()(int64_t i) const {
    const funcs::PoolPixel pixel(shape, shape.height.in, shape.width.in, i);
    int64_t top, bottom, left, right;
    shape.height.OutputsOf(pixel.row, &top, &bottom);
    shape.width.OutputsOf(pixel.col, &left, &right);
    MT sum = 0;
    for (int64_t r = top; r < bottom; ++r) {
      const PoolWindow h = shape.height.Window(r);
      for (int64_t c = left; c < right; ++c) {
        const PoolWindow w = shape.width.Window(c);
        const int64_t at = pixel.At(shape, shape.height.out, shape.width.out, r, c);
        if (index) {
          if (index[at] == i) sum += static_cast<MT>(out_grad[at]);
        } else {
          sum += static_cast<MT>(out_grad[at]) * PoolScale<MT>(h, w);
        }
      }
    }
    x_grad[i] = static_cast<T>(sum);
  }
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
  DenseTensor index;
  int64_t* maxima = nullptr;
  if (shape.is_max) {
    index.Resize(out.dims());
    maxima = dev_ctx.template Alloc<int64_t>(&index);
    primitive::detail::RunForEach(dev_ctx, out.numel(), FindMaximum<T>{shape, x.data<T>(), out.data<T>(), maxima});
  }
  primitive::detail::RunForEach(dev_ctx, x.numel(), CollectGradient<T>{shape, out_grad.data<T>(), maxima, dx});
}

}  // namespace phi

PD_REGISTER_KERNEL(
    pool2d_grad, GPU, ALL_LAYOUT, phi::Pool2dGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
PD_REGISTER_CHANNELS_LAST_KERNEL(
    pool2d_grad, GPU, NHWC, phi::Pool2dGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
