// SPDX-License-Identifier: Apache-2.0
#include "kernels/cross_entropy_with_softmax_kernel.h"

#include "backends/gpu/gpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/cross_entropy.h"
#include "primitive/gpu/softmax_rows.cuh"

namespace phi {
namespace {

template <typename T>
struct HardLabelBody {
  using MT = primitive::Acc<T>;

  const T* x;
  HardLabels labels;
  int64_t ignore_index;
  bool use_softmax;
  T* softmax;
  T* loss;

  template <typename Team>
  __device__ void Run(const primitive::AxisShape& shape, int64_t i, int64_t at) const {
    const int64_t label = labels[i];
    const bool counts = IsCounted(label, i, shape.dim, ignore_index);
    const MT own = counts ? static_cast<MT>(x[at + label * shape.inner]) : MT(0);  // now: softmax may overwrite x
    if (use_softmax) {
      const primitive::SoftmaxState<MT> state = primitive::ReduceSoftmax<Team>(shape, x + at);
      const MT total = state.Total();
      Put<Team>(i, counts, std::log(total) - (own - state.max));
      Team::Map(shape, softmax + at, [=](int64_t, MT v) { return std::exp(v - state.max) / total; }, x + at);
    } else {
      Put<Team>(i, counts, TolerableNegativeLog(own));
      Team::Map(shape, softmax + at, [](int64_t, MT v) { return v; }, x + at);
    }
  }

 private:
  template <typename Team>
  __device__ void Put(int64_t i, bool counts, MT value) const {
    if (Team::IsLeader()) loss[i] = counts ? T(value) : T(0);
  }
};

template <typename T>
struct SoftLabelBody {
  using MT = primitive::Acc<T>;

  const T* x;
  const T* labels;
  bool use_softmax;
  T* softmax;
  T* loss;

  // A label of 0 counts even against an infinite value.
  __device__ static MT Weigh(MT label, MT value) { return label == 0 ? MT(0) : label * value; }

  template <typename Team>
  __device__ void Run(const primitive::AxisShape& shape, int64_t i, int64_t at) const {
    if (use_softmax) {
      const primitive::SoftmaxState<MT> state = primitive::ReduceSoftmax<Team>(shape, x + at);
      const MT total = state.Total();
      MT weight = 0;
      MT dot = 0;
      const auto add = [&](int64_t, MT v, MT label) {
        weight += label;
        dot += Weigh(label, v - state.max);
      };
      Team::ForEach(shape, add, x + at, labels + at);
      weight = Team::Reduce(weight, primitive::AddOp());
      dot = Team::Reduce(dot, primitive::AddOp());
      if (Team::IsLeader()) loss[i] = T(Weigh(weight, std::log(total)) - dot);
      Team::Map(shape, softmax + at, [=](int64_t, MT v) { return std::exp(v - state.max) / total; }, x + at);
    } else {
      MT sum = 0;
      const auto add = [&](int64_t, MT p, MT label) { sum += label * TolerableNegativeLog(p); };
      Team::ForEach(shape, add, x + at, labels + at);
      sum = Team::Reduce(sum, primitive::AddOp());
      if (Team::IsLeader()) loss[i] = T(sum);
      Team::Map(shape, softmax + at, [](int64_t, MT v) { return v; }, x + at);
    }
  }
};

}  // namespace

template <typename T, typename Context>
void CrossEntropyWithSoftmaxKernel(const Context& dev_ctx,
                                   const DenseTensor& input,
                                   const DenseTensor& label,
                                   bool soft_label,
                                   bool use_softmax,
                                   bool,
                                   int ignore_index,
                                   int axis,
                                   DenseTensor* softmax,
                                   DenseTensor* loss) {
  const primitive::AxisShape shape(input.dims(), axis);
  const T* x = input.data<T>();
  T* y = dev_ctx.template Alloc<T>(softmax);
  T* losses = dev_ctx.template Alloc<T>(loss);
  if (loss->numel() == 0) return;
  if (soft_label) {
    primitive::LaunchAxisTeams(dev_ctx, shape, SoftLabelBody<T>{x, label.data<T>(), use_softmax, y, losses});
  } else {
    primitive::LaunchAxisTeams(
        dev_ctx, shape, HardLabelBody<T>{x, HardLabels(label), ignore_index, use_softmax, y, losses});
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(cross_entropy_with_softmax,
                   GPU,
                   ALL_LAYOUT,
                   phi::CrossEntropyWithSoftmaxKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {
  kernel->InputAt(1).SetDataType(phi::DataType::UNDEFINED);
}
