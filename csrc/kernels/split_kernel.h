// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/int_array.h"
#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

// Parts of x along `axis`, of the sizes `sections`; out has their shapes.
template <typename T, typename Context>
void SplitKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 const IntArray& sections,
                 const Scalar& axis,
                 std::vector<DenseTensor*> out);

// `num` equal parts.
template <typename T, typename Context>
void SplitWithNumKernel(
    const Context& dev_ctx, const DenseTensor& x, int num, const Scalar& axis, std::vector<DenseTensor*> out);

}  // namespace phi
