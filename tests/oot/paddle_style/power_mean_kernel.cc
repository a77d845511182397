// SPDX-License-Identifier: Apache-2.0
// A kernel in Paddle's style: a reduction with attributes.
#include <cmath>

#include "backends/cpu/cpu_context.h"
#include "common/data_type.h"
#include "common/macros.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/axis_utils.h"
#include "kernels/funcs/for_range.h"
#include "kernels/funcs/full.h"
#include "kernels/funcs/math_function.h"

namespace phi {

namespace {

// (sum / count + epsilon)^(1 / p)
template <typename T, typename MT>
struct RootFunctor {
  const MT* sums;
  MT count;
  MT epsilon;
  MT p;
  T* out;

  HOSTDEVICE void operator()(size_t i) const {
    out[i] = static_cast<T>(std::pow(sums[i] / count + epsilon, static_cast<MT>(1) / p));
  }
};

}  // namespace

template <typename T, typename Context>
void PowerMeanKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const IntArray& axis,
                     float p,
                     float epsilon,
                     bool keepdim UNUSED,
                     DenseTensor* out) {
  using MT = typename phi::dtype::MPTypeTrait<T>::Type;
  PADDLE_ENFORCE_GT(p, 0.0f, common::errors::InvalidArgument("argument 'p': expected a positive number, got %f.", p));
  PADDLE_ENFORCE_EQ(
      axis.size(), 1UL, common::errors::InvalidArgument("argument 'axis': expected one axis, got %d.", axis.size()));
  T* out_data = dev_ctx.template Alloc<T>(out);
  if (x.numel() == 0) {
    funcs::SetConstant<Context, T> set_zero;
    set_zero(dev_ctx, out, static_cast<T>(0));
    return;
  }
  const auto& x_dims = x.dims();
  const int real_axis = funcs::CanonicalAxis(static_cast<int>(axis.GetData()[0]), x_dims.size());
  const int64_t pre = funcs::SizeToAxis(real_axis, x_dims);
  const int64_t n = x_dims[real_axis];
  const int64_t post = funcs::SizeOutAxis(real_axis, x_dims);

  DenseTensor sums = phi::Empty<MT, Context>(dev_ctx, {pre * post});
  funcs::SetConstant<Context, MT>()(dev_ctx, &sums, static_cast<MT>(0));
  MT* sums_data = sums.data<MT>();
  const T* x_data = x.data<T>();
  for (int64_t i = 0; i < pre; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t k = 0; k < post; ++k) {
        const MT value = std::abs(static_cast<MT>(x_data[(i * n + j) * post + k]));
        sums_data[i * post + k] += std::pow(value, static_cast<MT>(p));
      }
    }
  }
  funcs::ForRange<Context> for_range(dev_ctx, sums.numel());
  for_range(RootFunctor<T, MT>{sums_data, static_cast<MT>(n), static_cast<MT>(epsilon), static_cast<MT>(p), out_data});
}

}  // namespace phi

PD_REGISTER_KERNEL(power_mean, CPU, ALL_LAYOUT, phi::PowerMeanKernel, float, double, phi::float16) {}
