// SPDX-License-Identifier: Apache-2.0
#include "torch/autograd/fields.h"

namespace phi::torch_bridge {

PHI_FIELD(std::string)
PHI_FIELD(std::optional<at::Device>)
PHI_FIELD(std::optional<at::ScalarType>)

}  // namespace phi::torch_bridge
