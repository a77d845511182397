// SPDX-License-Identifier: Apache-2.0
#include "primitive/impl/scan.h"

#include "backends/all_context.h"

namespace phi::primitive {

[[maybe_unused]] static const bool scan_registered = RegisterScan<CPUContext>(Backend::CPU);

}  // namespace phi::primitive
