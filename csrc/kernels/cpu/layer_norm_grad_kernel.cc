// SPDX-License-Identifier: Apache-2.0
#include "kernels/layer_norm_grad_kernel.h"

#include <cmath>

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/sum_rows_cpu.h"

namespace phi {

// `mean` and `variance` are those of the forward kernel. An output is null when its gradient is not wanted.
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
  using MT = primitive::Acc<T>;
  using V = primitive::Vec<T>;
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
  const bool stream = dx != nullptr && primitive::detail::Streams(rows * cols, dx, data, dy);
  const auto add_row = [&](int64_t row, MT* to) {
    const T* v = data + row * cols;
    const T* g = dy + row * cols;
    const MT inv_std = 1 / std::sqrt(variances[row] + epsilon);
    const MT m = means[row];
    const auto hat = [=](const V& a) { return (a - V(m)) * V(inv_std); };
    // in this order, so that the lanes beyond a row, where d is 0, stay 0
    const auto hat_product = [=](const V& a, const V& product) { return (a - V(m)) * (product * V(inv_std)); };
    std::pair<MT, MT> products_sum;
    if (wants_params) {
      V sums[2] = {V(0), V(0)};
      const auto add = [&](const V& t0, const V& t1, const V& a, const V& d, const V& s) {
        const V product = d * s;
        sums[0] = sums[0] + product;
        sums[1] = sums[1] + hat_product(a, product);
        return std::pair(at::vec::fmadd(hat(a), d, t0), t1 + d);
      };
      primitive::VecMapBoth(cols, to, to + cols, add, to, to + cols, v, g, scales);
      products_sum = {at::vec::vec_reduce_all<MT>(primitive::VecAdd(), sums[0]),
                      at::vec::vec_reduce_all<MT>(primitive::VecAdd(), sums[1])};
    } else {
      products_sum = {
          primitive::VecSum(
              cols, [](const V& d, const V& s) { return d * s; }, g, scales),
          primitive::VecSum(
              cols, [=](const V& a, const V& d, const V& s) { return hat_product(a, d * s); }, v, g, scales)};
    }
    if (!dx) return;
    const MT c0 = products_sum.first / cols;
    const MT c1 = products_sum.second / cols;
    const auto gradient = [=](const V& a, const V& d, const V& s) {
      return V(inv_std) * (d * s - V(c0) - hat(a) * V(c1));
    };
    primitive::VecWrite(cols, dx + row * cols, stream, gradient, v, g, scales);
  };
  funcs::SumRows(dev_ctx, rows, cols, width, sums.data(), [&](int64_t first, int64_t last, MT* to) {
    for (int64_t row = first; row < last; ++row) add_row(row, to);
    if (stream) primitive::detail::EndStream();
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
