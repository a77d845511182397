// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "core/selected_rows.h"

namespace phi {

// Scales the rows that there are; the bias does not reach the others.
template <typename T, typename Context>
void ScaleSRKernel(const Context& dev_ctx,
                   const SelectedRows& x,
                   const Scalar& scale,
                   const Scalar& bias,
                   bool bias_after_scale,
                   SelectedRows* out);

}  // namespace phi
