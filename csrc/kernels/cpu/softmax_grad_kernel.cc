// SPDX-License-Identifier: Apache-2.0
#include "kernels/softmax_grad_kernel.h"

#include "core/kernel_registry.h"
#include "kernels/funcs/softmax_cpu.h"

namespace phi {

template <typename T, typename Context>
void SoftmaxGradKernel(
    const Context& dev_ctx, const DenseTensor& out, const DenseTensor& out_grad, int axis, DenseTensor* x_grad) {
  using MT = funcs::Acc<T>;
  using V = funcs::Vec<T>;
  const funcs::AxisShape shape(out.dims(), axis);
  T* dx = dev_ctx.template Alloc<T>(x_grad);
  if (out.numel() == 0) return;
  const T* y = out.data<T>();
  const T* dy = out_grad.data<T>();
  const auto rows = [&](int64_t first, int64_t last) {
    for (int64_t at = first * shape.dim; at < last * shape.dim; at += shape.dim) {
      const MT dot = funcs::VecSum(shape.dim, [](const V& a, const V& b) { return a * b; }, y + at, dy + at);
      funcs::VecMap(shape.dim, dx + at, [=](const V& a, const V& b) { return (b - V(dot)) * a; }, y + at, dy + at);
    }
  };
  const auto columns = [&](int64_t outer, int64_t begin, int64_t width) {
    MT dot[funcs::kColumnTile] = {};
    const int64_t from = outer * shape.dim * shape.inner + begin;
    const int64_t end = from + shape.dim * shape.inner;
    for (int64_t at = from; at < end; at += shape.inner) {
      funcs::VecMap(width, dot, [](const V& s, const V& a, const V& b) { return s + a * b; }, dot, y + at, dy + at);
    }
    for (int64_t at = from; at < end; at += shape.inner) {
      funcs::VecMap(
          width, dx + at, [](const V& s, const V& a, const V& b) { return (b - s) * a; }, dot, y + at, dy + at);
    }
  };
  funcs::ForEachAxisTile(shape, rows, columns);
}

}  // namespace phi

PD_REGISTER_KERNEL(
    softmax_grad, CPU, ALL_LAYOUT, phi::SoftmaxGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
