// SPDX-License-Identifier: Apache-2.0
#include "kernels/layer_norm_grad_kernel.h"

#include <cmath>

#include "core/kernel_registry.h"
#include "kernels/funcs/sum_rows_cpu.h"

namespace phi {

template <typename T, typename Context>
void LayerNormGradKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const paddle::optional<DenseTensor>& scale,
                         const paddle::optional<DenseTensor>&,
                         const DenseTensor& mean,
                         const DenseTensor& variance,
                         const DenseTensor& out_grad,
                         double epsilon,
                         int begin_norm_axis,
                         DenseTensor* x_grad,
                         DenseTensor* scale_grad,
                         DenseTensor* bias_grad) {
  using MT = funcs::Acc<T>;
  using V = funcs::Vec<T>;
  const DDim matrix = flatten_to_2d(x.dims(), begin_norm_axis);
  const int64_t rows = matrix[0];
  const int64_t cols = matrix[1];
  T* dx = x_grad ? dev_ctx.template Alloc<T>(x_grad) : nullptr;
  const T* data = x.data<T>();
  const T* dy = out_grad.data<T>();
  const MT* means = mean.data<MT>();
  const MT* variances = variance.data<MT>();
  const funcs::NormParam<T> scale_param(dev_ctx, scale.get_ptr(), cols, MT(1));
  const MT* scales = scale_param.data();

  // sums of dy * x_hat, then of dy, over the rows
  const bool wants_params = scale_grad || bias_grad;
  const int64_t width = wants_params ? 2 * cols : 0;
  funcs::Scratch<MT> sums(dev_ctx, width);
  const auto add_row = [&](int64_t row, MT* to) {
    const T* v = data + row * cols;
    const T* g = dy + row * cols;
    const MT inv_std = 1 / std::sqrt(variances[row] + epsilon);
    const MT m = means[row];
    const auto hat = [=](const V& a) { return (a - V(m)) * V(inv_std); };
    if (wants_params) {
      funcs::VecMap(
          cols, to, [=](const V& s, const V& a, const V& d) { return at::vec::fmadd(hat(a), d, s); }, to, v, g);
      funcs::VecMap(cols, to + cols, [](const V& s, const V& d) { return s + d; }, to + cols, g);
    }
    if (!dx) return;
    const MT c0 = funcs::VecSum(cols, [](const V& d, const V& s) { return d * s; }, g, scales) / cols;
    const auto product = [=](const V& a, const V& d, const V& s) { return hat(a) * d * s; };
    const MT c1 = funcs::VecSum(cols, product, v, g, scales) / cols;
    const auto gradient = [=](const V& a, const V& d, const V& s) {
      return V(inv_std) * (d * s - V(c0) - hat(a) * V(c1));
    };
    funcs::VecMap(cols, dx + row * cols, gradient, v, g, scales);
  };
  funcs::SumRows(dev_ctx, rows, cols, width, sums.data(), [&](int64_t first, int64_t last, MT* to) {
    for (int64_t row = first; row < last; ++row) add_row(row, to);
  });
  if (scale_grad) funcs::StoreNormParam<T>(dev_ctx, cols, sums.data(), scale_grad);
  if (bias_grad) funcs::StoreNormParam<T>(dev_ctx, cols, sums.data() + cols, bias_grad);
}

}  // namespace phi

PD_REGISTER_KERNEL(layer_norm_grad,
                   CPU,
                   ALL_LAYOUT,
                   phi::LayerNormGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {
  for (int i : {1, 2, 3, 4}) kernel->InputAt(i).SetDataType(phi::DataType::UNDEFINED);
  for (int i : {1, 2}) kernel->OutputAt(i).SetDataType(phi::DataType::UNDEFINED);
}
