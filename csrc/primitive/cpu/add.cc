// SPDX-License-Identifier: Apache-2.0
#include "primitive/impl/add.h"

#include "backends/all_context.h"

namespace phi::primitive {

[[maybe_unused]] static const bool add_registered = RegisterAdd<CPUContext>(Backend::CPU);

}  // namespace phi::primitive
