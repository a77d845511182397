// SPDX-License-Identifier: Apache-2.0
#include "kernels/layer_norm_kernel.h"

#include "backends/gpu/gpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/norm_params_gpu.cuh"

namespace phi {
namespace {

template <typename T>
struct LayerNormBody {
  using MT = primitive::Acc<T>;

  const T* x;
  funcs::NormParam<T> scale;
  funcs::NormParam<T> bias;
  MT epsilon;
  T* out;
  MT* mean;  // these two may be null
  MT* variance;

  template <typename Team>
  __device__ void Run(const primitive::AxisShape& shape, int64_t row, int64_t at) const {
    MT sum = 0;
    Team::ForEach(shape, [&](int64_t, MT v) { sum += v; }, x + at);
    const MT m = Team::Reduce(sum, primitive::AddOp()) / static_cast<MT>(shape.dim);
    MT squares = 0;
    Team::ForEach(shape, [&](int64_t, MT v) { squares += (v - m) * (v - m); }, x + at);
    const MT var = Team::Reduce(squares, primitive::AddOp()) / static_cast<MT>(shape.dim);
    const MT inv_std = 1 / std::sqrt(var + epsilon);
    const auto normalize = [=, *this](int64_t d, MT v) { return (v - m) * inv_std * scale[d] + bias[d]; };
    Team::Map(shape, out + at, normalize, x + at);
    if (Team::IsLeader() && mean) mean[row] = m;
    if (Team::IsLeader() && variance) variance[row] = var;
  }
};

}  // namespace

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
  const LayerNormBody<T> body{x.data<T>(),
                              funcs::NormParam<T>(scale.get_ptr(), MT(1)),
                              funcs::NormParam<T>(bias.get_ptr(), MT(0)),
                              static_cast<MT>(epsilon),
                              dev_ctx.template Alloc<T>(out),
                              mean ? dev_ctx.template Alloc<MT>(mean) : nullptr,
                              variance ? dev_ctx.template Alloc<MT>(variance) : nullptr};
  const primitive::AxisShape shape(flatten_to_2d(x.dims(), begin_norm_axis), 1);
  primitive::LaunchTeams<primitive::RowTeam>(dev_ctx, shape, body);
}

}  // namespace phi

PD_REGISTER_KERNEL(
    layer_norm, GPU, ALL_LAYOUT, phi::LayerNormKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  for (int i : {1, 2}) kernel->InputAt(i).SetDataType(phi::DataType::UNDEFINED);
  for (int i : {1, 2}) kernel->OutputAt(i).SetDataType(phi::DataType::UNDEFINED);
}
