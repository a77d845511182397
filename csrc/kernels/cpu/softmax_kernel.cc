// SPDX-License-Identifier: Apache-2.0
#include "kernels/softmax_kernel.h"

#include "core/kernel_registry.h"
#include "kernels/funcs/softmax_cpu.h"

namespace phi {

template <typename T, typename Context>
void SoftmaxKernel(const Context& dev_ctx, const DenseTensor& x, int axis, DenseTensor* out) {
  using MT = funcs::Acc<T>;
  const funcs::AxisShape shape(x.dims(), axis);
  T* result = dev_ctx.template Alloc<T>(out);
  if (x.numel() == 0) return;
  const T* data = x.data<T>();
  const auto rows = [&](int64_t first, int64_t last) {
    const auto buffer = funcs::SoftmaxBuffer<T>(shape.dim);
    for (int64_t i = first; i < last; ++i) {
      const T* row = data + i * shape.dim;
      funcs::RowSoftmax(shape.dim, row, funcs::RowMax(shape.dim, row), result + i * shape.dim, buffer.get());
    }
  };
  const auto columns = [&](int64_t outer, int64_t begin, int64_t width) {
    MT max[funcs::kColumnTile];
    MT sum[funcs::kColumnTile];
    const int64_t at = outer * shape.dim * shape.inner + begin;
    funcs::ColumnMax(shape.dim, shape.inner, width, data + at, max);
    const auto buffer = funcs::SoftmaxBuffer<T>(shape.dim * width);
    funcs::ColumnSoftmax(shape.dim, shape.inner, width, data + at, max, result + at, sum, buffer.get());
  };
  funcs::ForEachAxisTile(shape, rows, columns);
}

}  // namespace phi

PD_REGISTER_KERNEL(
    softmax, CPU, ALL_LAYOUT, phi::SoftmaxKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
