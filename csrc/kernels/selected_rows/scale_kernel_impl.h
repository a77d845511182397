// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/impl/scale_kernel_impl.h"
#include "kernels/selected_rows/scale_kernel.h"

namespace phi {

template <typename T, typename Context>
void ScaleSRKernel(const Context& dev_ctx,
                   const SelectedRows& x,
                   const Scalar& scale,
                   const Scalar& bias,
                   bool bias_after_scale,
                   SelectedRows* out) {
  if (out != &x) {
    out->set_rows(x.rows());
    out->set_height(x.height());
    out->mutable_value()->Resize(x.value().dims());
  }
  ScaleKernel<T>(dev_ctx, x.value(), scale, bias, bias_after_scale, out->mutable_value());
}

}  // namespace phi
