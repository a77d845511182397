// SPDX-License-Identifier: Apache-2.0
#include "kernels/log_softmax_kernel.h"

#include "core/kernel_registry.h"
#include "kernels/funcs/softmax_cpu.h"

namespace phi {

template <typename T, typename Context>
void LogSoftmaxKernel(const Context& dev_ctx, const DenseTensor& x, int axis, DenseTensor* out) {
  using MT = funcs::Acc<T>;
  const funcs::AxisShape shape(x.dims(), axis);
  T* result = dev_ctx.template Alloc<T>(out);
  if (x.numel() == 0) return;
  const T* data = x.data<T>();
  const auto rows = [&](int64_t first, int64_t last) {
    for (int64_t at = first * shape.dim; at < last * shape.dim; at += shape.dim) {
      funcs::RowLogSoftmax(shape.dim, data + at, funcs::RowMax(shape.dim, data + at), result + at);
    }
  };
  const auto columns = [&](int64_t outer, int64_t begin, int64_t width) {
    MT max[funcs::kColumnTile];
    MT sum[funcs::kColumnTile];
    const int64_t at = outer * shape.dim * shape.inner + begin;
    funcs::ColumnMax(shape.dim, shape.inner, width, data + at, max);
    funcs::ColumnLogSoftmax(shape.dim, shape.inner, width, data + at, max, result + at, sum);
  };
  funcs::ForEachAxisTile(shape, rows, columns);
}

}  // namespace phi

PD_REGISTER_KERNEL(
    log_softmax, CPU, ALL_LAYOUT, phi::LogSoftmaxKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
