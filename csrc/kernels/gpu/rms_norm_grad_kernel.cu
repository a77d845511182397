// SPDX-License-Identifier: Apache-2.0
#include "kernels/rms_norm_grad_kernel.h"

#include "backends/gpu/gpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/channel_sums.cuh"
#include "kernels/funcs/norm_params_gpu.cuh"

namespace phi {
namespace {

template <typename T>
struct XGradBody {
  using MT = primitive::Acc<T>;

  const T* x;
  const T* dy;
  funcs::NormParam<T> scale;
  const MT* invvar;
  T* dx;

  template <typename Team>
  __device__ void Run(const primitive::AxisShape& shape, int64_t row, int64_t at) const {
    const MT inverse = invvar[row];
    MT sum = 0;
    Team::ForEach(shape, [&](int64_t d, MT v, MT g) { sum += v * g * scale[d]; }, x + at, dy + at);
    const MT along = Team::Reduce(sum, primitive::AddOp()) / static_cast<MT>(shape.dim) * inverse * inverse;
    const auto gradient = [=, *this](int64_t d, MT v, MT g) { return inverse * (g * scale[d] - v * along); };
    Team::Map(shape, dx + at, gradient, x + at, dy + at);
  }
};

// dy * x_hat of an element
template <typename T>
struct ScaleGradTerm {
  using MT = primitive::Acc<T>;

  const T* x;
  const T* dy;
  const MT* invvar;
  int64_t cols;

  __device__ funcs::Sums<MT, 1> operator()(int64_t element, int64_t col) const {
    const int64_t row = (element - col) / cols;
    return {static_cast<MT>(dy[element]) * static_cast<MT>(x[element]) * invvar[row]};
  }
};

template <typename T>
struct StoreScaleGrad {
  const primitive::Acc<T>* sums;
  funcs::NormParamOut<T> scale_grad;

  __device__ void operator()(int64_t i) const { scale_grad.Set(i, sums[i]); }
};

}  // namespace

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
  const DDim matrix = flatten_to_2d(x.dims(), x.dims().size() - static_cast<int>(normalized_shape.size()));
  const int64_t cols = matrix[1];
  const T* data = x.data<T>();
  const T* dy = y_grad.data<T>();
  const MT* inverses = invvar.data<MT>();
  if (x_grad) {
    const funcs::NormParam<T> scales(scale.get_ptr(), MT(1));
    const XGradBody<T> body{data, dy, scales, inverses, dev_ctx.template Alloc<T>(x_grad)};
    primitive::LaunchTeams<primitive::RowTeam>(dev_ctx, primitive::AxisShape(matrix, 1), body);
  }
  if (scale_grad) {
    DenseTensor sums;
    sums.Resize({cols});
    MT* to = dev_ctx.template Alloc<MT>(&sums);
    const ScaleGradTerm<T> term{data, dy, inverses, cols};
    funcs::ChannelSums<MT, 1>(dev_ctx, funcs::ChannelShape(matrix, "NHWC"), term, to);
    primitive::detail::RunForEach(dev_ctx, cols, StoreScaleGrad<T>{to, funcs::NormParamOut<T>(dev_ctx, scale_grad)});
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(
    rms_norm_grad, GPU, ALL_LAYOUT, phi::RmsNormGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  kernel->InputAt(1).SetDataType(phi::DataType::UNDEFINED);
  kernel->InputAt(2).SetDataType(phi::DataType::UNDEFINED);
  kernel->OutputAt(1).SetDataType(phi::DataType::UNDEFINED);
}
