// SPDX-License-Identifier: Apache-2.0
#include "torch/autograd/fields.h"

namespace phi::torch_bridge {

PHI_FIELD(SavedTensor)
PHI_FIELD(SavedMeta)

}  // namespace phi::torch_bridge
