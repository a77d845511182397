// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

#include "kernels/funcs/scan_lines.h"
#include "primitive/convert.h"
#include "primitive/math.h"

namespace phi {

// log(exp(a) + exp(b))
template <typename C>
HOSTDEVICE inline C LogAddExp(C a, C b) {
  const C least = a < b ? a : b, most = a < b ? b : a;
  if (least != least || most != most) return a + b;
  return least == most && least - least != C(0) ? least : most + std::log1p(std::exp(least - most));
}

// With `flatten` x is one line.
template <typename T, typename Context>
void LogcumsumexpKernel(const Context& dev_ctx,
                        const DenseTensor& x,
                        int axis,
                        bool flatten,
                        bool exclusive,
                        bool reverse,
                        DenseTensor* out) {
  using R = decltype(math::Floating(T()));
  using C = primitive::ComputeType<R>;
  const T* data = x.data<T>();
  R* result = dev_ctx.template Alloc<R>(out);
  const primitive::AxisShape shape(x.dims(), axis, flatten);
  funcs::ForEachLine(dev_ctx, shape, reverse, [=] HOSTDEVICE(funcs::ScanLine line) {
    C sum = -std::numeric_limits<C>::infinity();
    for (int64_t i = 0; i < line.size; ++i) {
      const C next = LogAddExp(sum, primitive::ToCompute(math::Floating(data[line[i]])));
      result[line[i]] = primitive::Convert<R>(exclusive ? sum : next);
      sum = next;
    }
  });
}

// The sums of out_grad * exp(x - out) over the results that an element is in, each of which is the next one's times the
// part of it that was there before.
template <typename T, typename Context>
void LogcumsumexpGradKernel(const Context& dev_ctx,
                            const DenseTensor& x,
                            const DenseTensor& out,
                            const DenseTensor& out_grad,
                            int axis,
                            bool flatten,
                            bool exclusive,
                            bool reverse,
                            DenseTensor* x_grad) {
  using C = primitive::ComputeType<T>;
  const T* data = x.data<T>();
  const T* total = out.data<T>();
  const T* grad = out_grad.data<T>();
  T* result = dev_ctx.template Alloc<T>(x_grad);
  const primitive::AxisShape shape(x.dims(), axis, flatten);
  funcs::ForEachLine(dev_ctx, shape, reverse, [=] HOSTDEVICE(funcs::ScanLine line) {
    C sum(0), at(0);  // of the results from `at` on, which is the logarithm of one
    for (int64_t i = line.size - 1; i >= 0; --i) {
      const int64_t k = exclusive ? i + 1 : i;  // the first result that the element is in
      if (k == line.size) {
        result[line[i]] = primitive::Convert<T>(C(0));
        continue;
      }
      const C own = primitive::ToCompute(total[line[k]]);
      sum = primitive::ToCompute(grad[line[k]]) + (sum == C(0) ? C(0) : sum * std::exp(own - at));
      at = own;
      result[line[i]] = primitive::Convert<T>(sum * std::exp(primitive::ToCompute(data[line[i]]) - own));
    }
  });
}

}  // namespace phi
