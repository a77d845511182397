// SPDX-License-Identifier: Apache-2.0
#include "primitive/impl/distribution.h"

#include "backends/all_context.h"

namespace phi::primitive {

[[maybe_unused]] static const bool distribution_registered = RegisterDistributions<CPUContext>(Backend::CPU);

}  // namespace phi::primitive
