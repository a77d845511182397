// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"
#include "core/meta_tensor.h"
#include "primitive/convert.h"
#include "primitive/for_each.h"
#include "primitive/math.h"

namespace my_ops {

using phi::DenseTensor;
using phi::MetaTensor;
namespace errors = phi::errors;

// Shapes, dtypes and all checks, for eager execution and, with symbolic sizes, for torch.compile.
template <class Dim>
void RmsScaleInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& weight, MetaTensor<Dim>* out) {
  const int rank = x.dims().size();
  PADDLE_ENFORCE(rank > 0, errors::InvalidArgument("argument 'x': expected at least one dimension, got none"));
  PADDLE_ENFORCE(weight.dims().size() == 1 && weight.dims()[0] == x.dims()[rank - 1],
                 errors::InvalidArgument("argument 'weight': expected one value for each column of 'x'"));
  out->share_meta(x);
}

template <typename T, typename Context>
void RmsScaleKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& weight, double epsilon, DenseTensor* out) {
  using Compute = phi::primitive::ComputeType<T>;
  const int64_t columns = weight.numel();
  const T* in = x.data<T>();
  const T* scale = weight.data<T>();
  T* result = dev_ctx.template Alloc<T>(out);
  phi::primitive::ForEach(dev_ctx, columns == 0 ? 0 : x.numel() / columns, [=] HOSTDEVICE(int64_t row) {
    const int64_t begin = row * columns;
    Compute sum = 0;
    for (int64_t i = 0; i < columns; ++i) {
      const Compute value = static_cast<Compute>(in[begin + i]);
      sum += value * value;
    }
    const Compute factor = phi::math::Rsqrt(sum / static_cast<Compute>(columns) + static_cast<Compute>(epsilon));
    for (int64_t i = 0; i < columns; ++i) {
      result[begin + i] = static_cast<T>(static_cast<Compute>(in[begin + i]) * factor * static_cast<Compute>(scale[i]));
    }
  });
}

}  // namespace my_ops
