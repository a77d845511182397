// SPDX-License-Identifier: Apache-2.0
#include "backends/all_context.h"
#include "primitive/impl/reduction.h"

namespace phi::primitive {

[[maybe_unused]] static const bool products_registered = RegisterReduction<ReduceOp::kProd, CPUContext>(Backend::CPU);

}  // namespace phi::primitive
