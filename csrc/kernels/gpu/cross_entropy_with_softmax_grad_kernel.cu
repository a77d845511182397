// SPDX-License-Identifier: Apache-2.0
#include "kernels/cross_entropy_with_softmax_grad_kernel.h"

#include "backends/gpu/gpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/cross_entropy.h"
#include "primitive/gpu/axis_team.cuh"

namespace phi {
namespace {

// What comes through the output `softmax`, if anything does.
template <typename T>
struct SoftmaxPart {
  using MT = primitive::Acc<T>;

  const T* y;
  const T* dy;  // may be null
  bool use_softmax;

  template <typename Team>
  __device__ MT Dot(const primitive::AxisShape& shape, int64_t at) const {
    if (!dy || !use_softmax) return 0;
    MT sum = 0;
    Team::ForEach(shape, [&](int64_t, MT p, MT g) { sum += p * g; }, y + at, dy + at);
    return Team::Reduce(sum, primitive::AddOp());
  }
  __device__ MT At(int64_t element, MT p, MT dot) const {
    if (!dy) return 0;
    const MT g = static_cast<MT>(dy[element]);
    return use_softmax ? (g - dot) * p : g;
  }
};

template <typename T>
struct HardLabelGradBody {
  using MT = primitive::Acc<T>;

  SoftmaxPart<T> part;
  HardLabels labels;
  int64_t ignore_index;
  const T* loss_grad;
  T* dx;

  template <typename Team>
  __device__ void Run(const primitive::AxisShape& shape, int64_t i, int64_t at) const {
    const int64_t label = labels[i];
    const MT c = IsCounted(label, i, shape.dim, ignore_index) ? static_cast<MT>(loss_grad[i]) : MT(0);
    const MT dot = part.template Dot<Team>(shape, at);
    const auto gradient = [=, *this](int64_t d, MT p) {
      MT value = 0;
      if (c != 0 && part.use_softmax) value = (p - (d == label ? 1 : 0)) * c;
      if (c != 0 && !part.use_softmax && d == label) value = -c / p;
      return value + part.At(at + d * shape.inner, p, dot);
    };
    Team::Map(shape, dx + at, gradient, part.y + at);
  }
};

template <typename T>
struct SoftLabelGradBody {
  using MT = primitive::Acc<T>;

  SoftmaxPart<T> part;
  const T* labels;
  const T* loss_grad;
  T* dx;

  template <typename Team>
  __device__ void Run(const primitive::AxisShape& shape, int64_t i, int64_t at) const {
    const MT c = static_cast<MT>(loss_grad[i]);
    MT weight = 0;  // the labels of a position need not add up to 1
    Team::ForEach(shape, [&](int64_t, MT label) { weight += label; }, labels + at);
    weight = Team::Reduce(weight, primitive::AddOp());
    const MT dot = part.template Dot<Team>(shape, at);
    const auto gradient = [=, *this](int64_t d, MT p, MT label) {
      const MT slope = part.use_softmax ? p * weight - label : (label == 0 ? MT(0) : -label / p);
      return slope * c + part.At(at + d * shape.inner, p, dot);
    };
    Team::Map(shape, dx + at, gradient, part.y + at, labels + at);
  }
};

}  // namespace

template <typename T, typename Context>
void CrossEntropyWithSoftmaxGradKernel(const Context& dev_ctx,
                                       const DenseTensor& label,
                                       const DenseTensor& softmax,
                                       const DenseTensor& loss_grad,
                                       const paddle::optional<DenseTensor>& softmax_grad,
                                       bool soft_label,
                                       bool use_softmax,
                                       bool,
                                       int ignore_index,
                                       int axis,
                                       DenseTensor* input_grad) {
  T* dx = dev_ctx.template Alloc<T>(input_grad);
  if (softmax.numel() == 0) return;
  const primitive::AxisShape shape(softmax.dims(), axis);
  const T* g = loss_grad.data<T>();
  const SoftmaxPart<T> part{softmax.data<T>(), softmax_grad ? softmax_grad->template data<T>() : nullptr, use_softmax};
  if (soft_label) {
    primitive::LaunchAxisTeams(dev_ctx, shape, SoftLabelGradBody<T>{part, label.data<T>(), g, dx});
  } else {
    primitive::LaunchAxisTeams(dev_ctx, shape, HardLabelGradBody<T>{part, HardLabels(label), ignore_index, g, dx});
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(cross_entropy_with_softmax_grad,
                   GPU,
                   ALL_LAYOUT,
                   phi::CrossEntropyWithSoftmaxGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {
  kernel->InputAt(0).SetDataType(phi::DataType::UNDEFINED);
}
