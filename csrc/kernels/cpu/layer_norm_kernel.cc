// SPDX-License-Identifier: Apache-2.0
#include "kernels/layer_norm_kernel.h"

#include <cmath>

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "core/parallel.h"
#include "kernels/funcs/norm_params_cpu.h"

namespace phi {

// x is normalized over the dimensions from begin_norm_axis on, then scaled and shifted. `mean` and `variance` (biased)
// have the leading dimensions; they may be null.
template <typename T, typename Context>
void LayerNormKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const paddle::optional<DenseTensor>& scale,
                     const paddle::optional<DenseTensor>& bias,
                     double epsilon,
                     int begin_norm_axis,
                     DenseTensor* out,
                     DenseTensor* mean,
                     DenseTensor* variance) {
  using MT = primitive::Acc<T>;
  using V = primitive::Vec<T>;
  const DDim matrix = flatten_to_2d(x.dims(), begin_norm_axis);
  const int64_t rows = matrix[0];
  const int64_t cols = matrix[1];
  T* result = dev_ctx.template Alloc<T>(out);
  MT* means = mean ? dev_ctx.template Alloc<MT>(mean) : nullptr;
  MT* variances = variance ? dev_ctx.template Alloc<MT>(variance) : nullptr;
  const T* data = x.data<T>();
  const funcs::NormParam<T> scales(dev_ctx, scale.get_ptr(), cols, MT(1));
  const funcs::NormParam<T> biases(dev_ctx, bias.get_ptr(), cols, MT(0));

  const bool stream = primitive::detail::Streams(rows * cols, result, data);
  ParallelFor(rows, primitive::RowGrain(cols), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      const T* from = data + row * cols;
      const MT m = primitive::VecSum(cols, from) / cols;
      if (row + 1 < last) primitive::Prefetch(cols, from + cols);
      const auto square = [=](const V& v) { return (v - V(m)) * (v - V(m)); };
      const MT var = primitive::VecSum(cols, square, from) / cols;
      const MT inv_std = 1 / std::sqrt(var + epsilon);
      const auto normalize = [=](const V& v, const V& s, const V& b) {
        return at::vec::fmadd((v - V(m)) * V(inv_std), s, b);
      };
      primitive::VecWrite(cols, result + row * cols, stream, normalize, from, scales.data(), biases.data());
      if (means) means[row] = m;
      if (variances) variances[row] = var;
    }
    if (stream) primitive::detail::EndStream();
  });
}

}  // namespace phi

PD_REGISTER_KERNEL(
    layer_norm, CPU, ALL_LAYOUT, phi::LayerNormKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  for (int i : {1, 2}) kernel->InputAt(i).SetDataType(phi::DataType::UNDEFINED);
  for (int i : {1, 2}) kernel->OutputAt(i).SetDataType(phi::DataType::UNDEFINED);
}
