// SPDX-License-Identifier: Apache-2.0
#include "kernels/rms_norm_kernel.h"

#include "backends/gpu/gpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/norm_params_gpu.cuh"

namespace phi {
namespace {

template <typename T>
struct RmsNormBody {
  using MT = primitive::Acc<T>;

  const T* x;
  funcs::NormParam<T> scale;
  MT epsilon;
  T* y;
  MT* invvar;  // may be null

  template <typename Team>
  __device__ void Run(const primitive::AxisShape& shape, int64_t row, int64_t at) const {
    MT squares = 0;
    Team::ForEach(shape, [&](int64_t, MT v) { squares += v * v; }, x + at);
    const MT mean = Team::Reduce(squares, primitive::AddOp()) / static_cast<MT>(shape.dim);
    const MT inverse = 1 / std::sqrt(mean + epsilon);
    Team::Map(shape, y + at, [=, *this](int64_t d, MT v) { return v * inverse * scale[d]; }, x + at);
    if (Team::IsLeader() && invvar) invvar[row] = inverse;
  }
};

}  // namespace

template <typename T, typename Context>
void RmsNormKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const paddle::optional<DenseTensor>& scale,
                   const std::vector<int64_t>& normalized_shape,
                   double epsilon,
                   DenseTensor* y,
                   DenseTensor* invvar) {
  using MT = primitive::Acc<T>;
  const RmsNormBody<T> body{x.data<T>(),
                            funcs::NormParam<T>(scale.get_ptr(), MT(1)),
                            static_cast<MT>(epsilon),
                            dev_ctx.template Alloc<T>(y),
                            invvar ? dev_ctx.template Alloc<MT>(invvar) : nullptr};
  const int begin = x.dims().size() - static_cast<int>(normalized_shape.size());
  primitive::LaunchTeams<primitive::RowTeam>(dev_ctx, primitive::AxisShape(flatten_to_2d(x.dims(), begin), 1), body);
}

}  // namespace phi

PD_REGISTER_KERNEL(
    rms_norm, GPU, ALL_LAYOUT, phi::RmsNormKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  kernel->InputAt(1).SetDataType(phi::DataType::UNDEFINED);
  kernel->OutputAt(1).SetDataType(phi::DataType::UNDEFINED);
}
