// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/optional.h"
#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

// `mask` may be null.
template <typename T, typename Context>
void DropoutKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const paddle::optional<DenseTensor>& seed_tensor,
                   const Scalar& p,
                   bool is_test,
                   const std::string& mode,
                   int seed,
                   bool fix_seed,
                   DenseTensor* out,
                   DenseTensor* mask);

}  // namespace phi
