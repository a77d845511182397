// SPDX-License-Identifier: Apache-2.0
#include "primitive/softmax.h"

#include "primitive/gpu/softmax_rows.cuh"
#include "primitive/impl/types.h"

namespace phi::primitive {

namespace {

template <typename T>
struct SoftmaxBody {
  const T* x;
  T* out;

  template <typename Team>
  __device__ void Run(const AxisShape& shape, int64_t, int64_t at) const {
    using MT = Acc<T>;
    const SoftmaxState<MT> state = ReduceSoftmax<Team>(shape, x + at);
    const MT scale = 1 / state.Total();
    Team::Map(shape, out + at, [=](int64_t, MT v) { return std::exp(v - state.max) * scale; }, x + at);
  }
};

template <typename T>
struct LogSoftmaxBody {
  const T* x;
  T* out;

  template <typename Team>
  __device__ void Run(const AxisShape& shape, int64_t, int64_t at) const {
    using MT = Acc<T>;
    const SoftmaxState<MT> state = ReduceSoftmax<Team>(shape, x + at);
    const MT shift = std::log(state.Total());
    Team::Map(shape, out + at, [=](int64_t, MT v) { return v - state.max - shift; }, x + at);
  }
};

template <typename T, template <typename> class Body>
void RunOnGpu(const DeviceContext& dev_ctx, const DenseTensor& x, int axis, DenseTensor* out) {
  const Body<T> body{x.data<T>(), out->data<T>()};
  LaunchAxisTeams(static_cast<const GPUContext&>(dev_ctx), AxisShape(x.dims(), axis), body);
}

template <typename F, typename T>
void GradientOnGpu(
    const DeviceContext& dev_ctx, const DenseTensor& out, const DenseTensor& out_grad, int axis, DenseTensor* x_grad) {
  const AxisShape shape(out.dims(), axis);
  const auto& context = static_cast<const GPUContext&>(dev_ctx);
  SoftmaxGradAxis<F>(context, shape, out.data<T>(), out_grad.data<T>(), x_grad->data<T>());
}

template <typename T>
bool Register() {
  constexpr DataType kType = CppTypeToDataType<T>::Type();
  return RegisterPrimitive<Softmax>(Backend::GPU, &RunOnGpu<T, SoftmaxBody>, kType) &&
         RegisterPrimitive<LogSoftmax>(Backend::GPU, &RunOnGpu<T, LogSoftmaxBody>, kType) &&
         RegisterPrimitive<SoftmaxGrad>(Backend::GPU, &GradientOnGpu<SoftmaxGradFunctor, T>, kType) &&
         RegisterPrimitive<LogSoftmaxGrad>(Backend::GPU, &GradientOnGpu<LogSoftmaxGradFunctor, T>, kType);
}

[[maybe_unused]] const bool registered =
    Register<float>() && Register<double>() && Register<dtype::float16>() && Register<dtype::bfloat16>();

}  // namespace

}  // namespace phi::primitive
