// SPDX-License-Identifier: Apache-2.0
#include "primitive/impl/copy_nd.h"

#include "backends/all_context.h"

namespace phi::primitive {

[[maybe_unused]] static const bool copy_nd_registered = RegisterCopyNd<CPUContext>(Backend::CPU);

}  // namespace phi::primitive
