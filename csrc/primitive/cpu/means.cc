// SPDX-License-Identifier: Apache-2.0
#include "backends/all_context.h"
#include "primitive/impl/reduction.h"

namespace phi::primitive {

[[maybe_unused]] static const bool means_registered = RegisterReduction<ReduceOp::kMean, CPUContext>(Backend::CPU);

}  // namespace phi::primitive
