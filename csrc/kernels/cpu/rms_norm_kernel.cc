// SPDX-License-Identifier: Apache-2.0
#include "kernels/rms_norm_kernel.h"

#include <cmath>

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "core/parallel.h"
#include "kernels/funcs/norm_params_cpu.h"

namespace phi {

// x, divided by the root of the mean square over its last dimensions `normalized_shape`, times `scale`. `invvar` is
// what it is multiplied by, 1 / sqrt(mean square + epsilon), and has the leading dimensions; it may be null.
template <typename T, typename Context>
void RmsNormKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const paddle::optional<DenseTensor>& scale,
                   const std::vector<int64_t>& normalized_shape,
                   double epsilon,
                   DenseTensor* y,
                   DenseTensor* invvar) {
  using MT = primitive::Acc<T>;
  using V = primitive::Vec<T>;
  const DDim matrix = flatten_to_2d(x.dims(), x.dims().size() - static_cast<int>(normalized_shape.size()));
  const int64_t rows = matrix[0];
  const int64_t cols = matrix[1];
  T* result = dev_ctx.template Alloc<T>(y);
  MT* inverses = invvar ? dev_ctx.template Alloc<MT>(invvar) : nullptr;
  const T* data = x.data<T>();
  const funcs::NormParam<T> scales(dev_ctx, scale.get_ptr(), cols, MT(1));

  const bool stream = primitive::detail::Streams(rows * cols, result, data);
  ParallelFor(rows, primitive::RowGrain(cols), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      const T* from = data + row * cols;
      const MT squares = primitive::VecSum(cols, [](const V& v) { return v * v; }, from) / cols;
      const MT inverse = 1 / std::sqrt(squares + static_cast<MT>(epsilon));
      const auto normalize = [=](const V& v, const V& s) { return v * V(inverse) * s; };
      primitive::VecWrite(cols, result + row * cols, stream, normalize, from, scales.data());
      if (inverses) inverses[row] = inverse;
    }
    if (stream) primitive::detail::EndStream();
  });
}

}  // namespace phi

PD_REGISTER_KERNEL(
    rms_norm, CPU, ALL_LAYOUT, phi::RmsNormKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  kernel->InputAt(1).SetDataType(phi::DataType::UNDEFINED);
  kernel->OutputAt(1).SetDataType(phi::DataType::UNDEFINED);
}
