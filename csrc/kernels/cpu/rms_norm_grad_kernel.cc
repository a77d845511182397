// SPDX-License-Identifier: Apache-2.0
#include "kernels/rms_norm_grad_kernel.h"

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/sum_rows_cpu.h"

namespace phi {

// `invvar` is that of the forward kernel. An output is null when its gradient is not wanted.
template <typename T, typename Context>
void RmsNormGradKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const paddle::optional<DenseTensor>& scale,
                       const DenseTensor& invvar,
                       const DenseTensor& y_grad,
                       const std::vector<int64_t>& normalized_shape,
                       double,
                       DenseTensor* x_grad,
                       DenseTensor* scale_grad) {
  using MT = primitive::Acc<T>;
  using V = primitive::Vec<T>;
  const DDim matrix = flatten_to_2d(x.dims(), x.dims().size() - static_cast<int>(normalized_shape.size()));
  const int64_t rows = matrix[0];
  const int64_t cols = matrix[1];
  T* dx = x_grad ? dev_ctx.template Alloc<T>(x_grad) : nullptr;
  const T* data = x.data<T>();
  const T* dy = y_grad.data<T>();
  const MT* inverses = invvar.data<MT>();
  const funcs::NormParam<T> scale_param(dev_ctx, scale.get_ptr(), cols, MT(1));
  const MT* scales = scale_param.data();

  // sums of dy * x_hat over the rows
  const int64_t width = scale_grad ? cols : 0;
  funcs::Scratch<MT> sums(dev_ctx, width);
  const bool stream = dx != nullptr && primitive::detail::Streams(rows * cols, dx, data, dy);
  const auto add_row = [&](int64_t row, MT* to) {
    const T* v = data + row * cols;
    const T* g = dy + row * cols;
    const MT inverse = inverses[row];
    if (scale_grad) {
      const auto add = [=](const V& s, const V& a, const V& d) { return at::vec::fmadd(a * V(inverse), d, s); };
      primitive::VecMap(cols, to, add, to, v, g);
    }
    if (!dx) return;
    const auto product = [](const V& a, const V& d, const V& s) { return a * d * s; };
    const MT along = primitive::VecSum(cols, product, v, g, scales) / cols * inverse * inverse;
    const auto gradient = [=](const V& a, const V& d, const V& s) { return V(inverse) * (d * s - a * V(along)); };
    primitive::VecWrite(cols, dx + row * cols, stream, gradient, v, g, scales);
  };
  funcs::SumRows(dev_ctx, rows, cols, width, sums.data(), [&](int64_t first, int64_t last, MT* to) {
    for (int64_t row = first; row < last; ++row) add_row(row, to);
    if (stream) primitive::detail::EndStream();
  });
  if (scale_grad) funcs::StoreNormParam<T>(dev_ctx, cols, sums.data(), scale_grad);
}

}  // namespace phi

PD_REGISTER_KERNEL(
    rms_norm_grad, CPU, ALL_LAYOUT, phi::RmsNormGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  kernel->InputAt(1).SetDataType(phi::DataType::UNDEFINED);
  kernel->InputAt(2).SetDataType(phi::DataType::UNDEFINED);
  kernel->OutputAt(1).SetDataType(phi::DataType::UNDEFINED);
}
