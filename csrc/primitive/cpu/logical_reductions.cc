// SPDX-License-Identifier: Apache-2.0
#include "backends/all_context.h"
#include "primitive/impl/reduction.h"

namespace phi::primitive {

[[maybe_unused]] static const bool logical_reductions_registered =
    RegisterReduction<ReduceOp::kAny, CPUContext>(Backend::CPU) &&
    RegisterReduction<ReduceOp::kAll, CPUContext>(Backend::CPU);

}  // namespace phi::primitive
