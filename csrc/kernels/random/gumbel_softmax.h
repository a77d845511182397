// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/scan_lines.h"
#include "kernels/funcs/softmax_of.h"
#include "kernels/softmax_grad_kernel.h"
#include "primitive/convert.h"
#include "primitive/elementwise.h"
#include "primitive/math.h"
#include "primitive/random.h"

namespace phi {

// The logarithm of an exponential number: the negative of one of Gumbel's distribution.
template <typename Real>
struct LogOfExponential {
  template <typename V>
  HOSTDEVICE V operator()(V u) const {
    // half of a step in the place of 0, whose logarithm is infinite
    constexpr Real kLeast = sizeof(Real) == 8 ? Real(0x1p-54) : Real(0x1p-25);
    return math::Log(math::Maximum(-math::Log1p(-u), V(kLeast)));
  }
};

template <typename Real>
struct GumbelScore {
  Real scale;
  template <typename V>
  HOSTDEVICE V operator()(V x, V log) const {
    return (x - log) * V(scale);
  }
};

// out = softmax((x + g) / temperature) for numbers g of Gumbel's distribution; `hard` makes the largest one 1, others
// 0.
template <typename T, typename Context>
void GumbelSoftmaxKernel(
    const Context& dev_ctx, const DenseTensor& x, float temperature, bool hard, int axis, DenseTensor* out) {
  using Real = primitive::ComputeType<T>;
  const int64_t n = x.numel();
  funcs::SoftmaxOf<T>(dev_ctx, axis, out, [&](DenseTensor* scores) {
    const auto state = primitive::MakePhiloxState(dev_ctx, 0, primitive::PhiloxCounters<Real>(n));
    primitive::FillUniform<Real>(dev_ctx, state, n, LogOfExponential<Real>(), scores->data<Real>());
    const GumbelScore<Real> score{Real(1) / static_cast<Real>(temperature)};
    primitive::Elementwise<Real, T, Real>(dev_ctx, scores, score, x, *scores);
  });
  if (!hard || n == 0) return;
  T* result = out->template data<T>();
  funcs::ForEachLine(dev_ctx, primitive::AxisShape(x.dims(), axis), false, [=] HOSTDEVICE(funcs::ScanLine line) {
    int64_t best = 0;
    for (int64_t i = 1; i < line.size; ++i) {
      if (primitive::ToCompute(result[line[i]]) > primitive::ToCompute(result[line[best]])) best = i;
    }
    for (int64_t i = 0; i < line.size; ++i) result[line[i]] = primitive::Convert<T>(Real(i == best ? 1 : 0));
  });
}

template <typename T, typename Context>
void GumbelSoftmaxGradKernel(
    const Context& dev_ctx, const DenseTensor& out, const DenseTensor& out_grad, int axis, DenseTensor* x_grad) {
  SoftmaxGradKernel<T, Context>(dev_ctx, out, out_grad, axis, x_grad);
}

}  // namespace phi
