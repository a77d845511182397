// SPDX-License-Identifier: Apache-2.0
#include "kernels/layer_norm_grad_kernel.h"

#include "backends/gpu/gpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/channel_sums.cuh"
#include "kernels/funcs/norm_params_gpu.cuh"

namespace phi {
namespace {

template <typename T>
struct LayerNormInputs {
  using MT = primitive::Acc<T>;

  const T* x;
  const T* dy;
  funcs::NormParam<T> scale;
  const MT* mean;
  const MT* variance;
  MT epsilon;

  __device__ MT InvStd(int64_t row) const { return 1 / std::sqrt(variance[row] + epsilon); }
};

template <typename T>
struct XGradBody {
  using MT = primitive::Acc<T>;

  LayerNormInputs<T> in;
  T* dx;

  template <typename Team>
  __device__ void Run(const primitive::AxisShape& shape, int64_t row, int64_t at) const {
    const MT m = in.mean[row];
    const MT inv_std = in.InvStd(row);
    funcs::Sums<MT, 2> sums;
    const auto add = [&](int64_t d, MT v, MT g) {
      const MT weighted = g * in.scale[d];
      sums.values[0] += weighted;
      sums.values[1] += weighted * (v - m) * inv_std;
    };
    Team::ForEach(shape, add, in.x + at, in.dy + at);
    sums = Team::Reduce(sums, primitive::AddOp());
    const MT c0 = sums.values[0] / static_cast<MT>(shape.dim);
    const MT c1 = sums.values[1] / static_cast<MT>(shape.dim);
    const auto gradient = [=, *this](int64_t d, MT v, MT g) {
      return inv_std * (g * in.scale[d] - c0 - (v - m) * inv_std * c1);
    };
    Team::Map(shape, dx + at, gradient, in.x + at, in.dy + at);
  }
};

// dy * x_hat and dy of an element
template <typename T>
struct ParamGradTerms {
  LayerNormInputs<T> in;
  int64_t cols;

  __device__ funcs::Sums<primitive::Acc<T>, 2> operator()(int64_t element, int64_t col) const {
    using MT = primitive::Acc<T>;
    const int64_t row = (element - col) / cols;
    const MT g = static_cast<MT>(in.dy[element]);
    return {g * (static_cast<MT>(in.x[element]) - in.mean[row]) * in.InvStd(row), g};
  }
};

template <typename T>
struct StoreParamGrads {
  const primitive::Acc<T>* sums;
  int64_t cols;
  funcs::NormParamOut<T> scale_grad;
  funcs::NormParamOut<T> bias_grad;

  __device__ void operator()(int64_t i) const {
    scale_grad.Set(i, sums[i]);
    bias_grad.Set(i, sums[cols + i]);
  }
};

}  // namespace

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
  const DDim matrix = flatten_to_2d(x.dims(), begin_norm_axis);
  const int64_t cols = matrix[1];
  const LayerNormInputs<T> in{x.data<T>(),
                              out_grad.data<T>(),
                              funcs::NormParam<T>(scale.get_ptr(), MT(1)),
                              mean.data<MT>(),
                              variance.data<MT>(),
                              static_cast<MT>(epsilon)};
  if (x_grad) {
    const XGradBody<T> body{in, dev_ctx.template Alloc<T>(x_grad)};
    primitive::LaunchTeams<primitive::RowTeam>(dev_ctx, primitive::AxisShape(matrix, 1), body);
  }
  if (scale_grad || bias_grad) {
    DenseTensor sums;
    sums.Resize({2 * cols});
    MT* data = dev_ctx.template Alloc<MT>(&sums);
    funcs::ChannelSums<MT, 2>(dev_ctx, funcs::ChannelShape(matrix, "NHWC"), ParamGradTerms<T>{in, cols}, data);
    const StoreParamGrads<T> store{
        data, cols, funcs::NormParamOut<T>(dev_ctx, scale_grad), funcs::NormParamOut<T>(dev_ctx, bias_grad)};
    primitive::detail::RunForEach(dev_ctx, cols, store);
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(layer_norm_grad,
                   GPU,
                   ALL_LAYOUT,
                   phi::LayerNormGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {
  for (int i : {1, 2, 3, 4}) kernel->InputAt(i).SetDataType(phi::DataType::UNDEFINED);
  for (int i : {1, 2}) kernel->OutputAt(i).SetDataType(phi::DataType::UNDEFINED);
}
