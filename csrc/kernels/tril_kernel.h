// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

// The matrices of x with zeros above the diagonal `diagonal`, counted upwards from the main one. out may be x.
template <typename T, typename Context>
void TrilKernel(const Context& dev_ctx, const DenseTensor& x, int diagonal, DenseTensor* out);

// The same of out_grad.
template <typename T, typename Context>
void TrilGradKernel(const Context& dev_ctx, const DenseTensor& out_grad, int diagonal, DenseTensor* x_grad);

}  // namespace phi
