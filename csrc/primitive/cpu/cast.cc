// SPDX-License-Identifier: Apache-2.0
#include "primitive/impl/cast.h"

#include "backends/all_context.h"

namespace phi::primitive {

[[maybe_unused]] static const bool cast_registered = RegisterCast<CPUContext>(Backend::CPU);

}  // namespace phi::primitive
