// SPDX-License-Identifier: Apache-2.0
#include "kernels/cross_entropy_with_softmax_grad_kernel.h"

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/axis_map_cpu.h"
#include "kernels/funcs/cross_entropy.h"

namespace phi {
namespace {

template <typename T>
struct LossGrad {
  using MT = primitive::Acc<T>;
  using V = primitive::Vec<T>;

  const CPUContext& dev_ctx;
  const primitive::AxisShape& shape;
  const T* y;
  const T* g;
  bool use_softmax;
  T* dx;

  int64_t positions() const { return shape.outer * shape.inner; }

  void OfSoftLabels(const T* labels) const {
    funcs::Scratch<MT> scratch(dev_ctx, 2 * positions());
    MT* c = scratch.data();
    MT* weight = c + positions();  // the labels of a position need not add up to 1
    primitive::VecMap(positions(), c, [](const V& v) { return v; }, g);
    funcs::AxisSums(shape, weight, [](const V& l) { return l; }, labels);
    if (use_softmax) {
      const auto f = [](const V& p, const V& l, const V& k, const V& w) { return (p * w - l) * k; };
      funcs::AxisMap(shape, dx, f, funcs::ChannelParams<MT, 2>{c, weight}, y, labels);
    } else {
      const auto f = [](const V& p, const V& l, const V& k) { return V::blendv(l.neg() / p * k, V(0), l == V(0)); };
      funcs::AxisMap(shape, dx, f, funcs::ChannelParams<MT, 1>{c}, y, labels);
    }
  }

  void OfHardLabels(const HardLabels& labels, int64_t ignore_index) const {
    funcs::Scratch<MT> scratch(dev_ctx, positions());
    MT* c = scratch.data();
    for (int64_t i = 0; i < positions(); ++i) {
      c[i] = IsCounted(labels[i], i, shape.dim, ignore_index) ? static_cast<MT>(g[i]) : 0;
    }
    if (use_softmax) {
      const auto f = [](const V& p, const V& k) { return V::blendv(p * k, V(0), k == V(0)); };
      funcs::AxisMap(shape, dx, f, funcs::ChannelParams<MT, 1>{c}, y);
    } else {
      std::fill_n(dx, positions() * shape.dim, T(0));
    }
    for (int64_t i = 0; i < positions(); ++i) {
      if (c[i] == 0) continue;
      const int64_t at = (i / shape.inner * shape.dim + labels[i]) * shape.inner + i % shape.inner;
      const MT p = static_cast<MT>(y[at]);
      dx[at] = static_cast<T>(use_softmax ? (p - 1) * c[i] : -c[i] / p);
    }
  }

  // Adds what comes through the output `softmax`.
  void AddOfSoftmax(const T* dy) const {
    if (!use_softmax) {
      return primitive::VecMap(positions() * shape.dim, dx, [](const V& d, const V& v) { return d + v; }, dx, dy);
    }
    funcs::Scratch<MT> scratch(dev_ctx, positions());
    MT* dot = scratch.data();
    funcs::AxisSums(shape, dot, [](const V& p, const V& d) { return p * d; }, y, dy);
    const auto f = [](const V& sum, const V& p, const V& d, const V& k) { return sum + (d - k) * p; };
    funcs::AxisMap(shape, dx, f, funcs::ChannelParams<MT, 1>{dot}, dx, y, dy);
  }
};

}  // namespace

// The gradient of the input from that of the loss and, where softmax is used too, from softmax_grad.
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
  const primitive::AxisShape shape(softmax.dims(), axis);
  T* dx = dev_ctx.template Alloc<T>(input_grad);
  if (softmax.numel() == 0) return;
  const LossGrad<T> gradient{dev_ctx, shape, softmax.data<T>(), loss_grad.data<T>(), use_softmax, dx};
  if (soft_label) {
    gradient.OfSoftLabels(label.data<T>());
  } else {
    gradient.OfHardLabels(HardLabels(label), ignore_index);
  }
  if (softmax_grad) gradient.AddOfSoftmax(softmax_grad->template data<T>());
}

}  // namespace phi

PD_REGISTER_KERNEL(cross_entropy_with_softmax_grad,
                   CPU,
                   ALL_LAYOUT,
                   phi::CrossEntropyWithSoftmaxGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {
  kernel->InputAt(0).SetDataType(phi::DataType::UNDEFINED);
}
