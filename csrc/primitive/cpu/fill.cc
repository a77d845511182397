// SPDX-License-Identifier: Apache-2.0
#include "primitive/impl/fill.h"

#include "backends/all_context.h"

namespace phi::primitive {

[[maybe_unused]] static const bool fill_registered = RegisterFill<CPUContext>(Backend::CPU);

}  // namespace phi::primitive
