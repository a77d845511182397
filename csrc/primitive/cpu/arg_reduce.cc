// SPDX-License-Identifier: Apache-2.0
#include "primitive/impl/arg_reduce.h"

#include "backends/all_context.h"

namespace phi::primitive {

[[maybe_unused]] static const bool arg_reduce_registered = RegisterArgReduction<CPUContext>(Backend::CPU);

}  // namespace phi::primitive
