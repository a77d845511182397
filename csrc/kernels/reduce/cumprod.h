// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/scan_lines.h"
#include "primitive/convert.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/math.h"

namespace phi {

// The products of the elements up to each one; without it if `exclusive`.
template <typename T, typename Context>
void CumprodKernel(
    const Context& dev_ctx, const DenseTensor& x, int dim, bool exclusive, bool reverse, DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  const T* data = x.data<T>();
  T* result = dev_ctx.template Alloc<T>(out);
  funcs::ForEachLine(dev_ctx, primitive::AxisShape(x.dims(), dim), reverse, [=] HOSTDEVICE(funcs::ScanLine line) {
    C product(1);
    for (int64_t i = 0; i < line.size; ++i) {
      const C next = product * primitive::ToCompute(data[line[i]]);
      result[line[i]] = primitive::Convert<T>(exclusive ? product : next);
      product = next;
    }
  });
}

// Without a division, so that zeros do no harm: of each element the product of those before it, times s, the gradient
// of the results that it is in by the product of what they have between it and themselves.
template <typename T, typename Context>
void CumprodGradKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const DenseTensor&,
                       const DenseTensor& out_grad,
                       int dim,
                       bool exclusive,
                       bool reverse,
                       DenseTensor* x_grad) {
  using C = primitive::ComputeType<T>;
  const T* data = x.data<T>();
  const T* grad = out_grad.data<T>();
  T* result = dev_ctx.template Alloc<T>(x_grad);
  DenseTensor later = primitive::EmptyTensor<C>(dev_ctx, x.dims());
  C* sums = later.data<C>();
  funcs::ForEachLine(dev_ctx, primitive::AxisShape(x.dims(), dim), reverse, [=] HOSTDEVICE(funcs::ScanLine line) {
    C sum(0);
    for (int64_t i = line.size - 1; i >= 0; --i) {
      const bool is_last = i + 1 == line.size;
      const C passed = is_last ? C(0) : math::Conj(primitive::ToCompute(data[line[i + 1]])) * sum;
      const C own = !exclusive ? primitive::ToCompute(grad[line[i]])
                    : is_last  ? C(0)
                               : primitive::ToCompute(grad[line[i + 1]]);
      sum = own + passed;
      sums[line[i]] = sum;
    }
    C product(1);
    for (int64_t i = 0; i < line.size; ++i) {
      result[line[i]] = primitive::Convert<T>(product * sums[line[i]]);
      product = product * math::Conj(primitive::ToCompute(data[line[i]]));
    }
  });
}

}  // namespace phi
