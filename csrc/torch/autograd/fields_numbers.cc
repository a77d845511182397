// SPDX-License-Identifier: Apache-2.0
#include "torch/autograd/fields.h"

namespace phi::torch_bridge {

PHI_FIELD(bool)
PHI_FIELD(int64_t)
PHI_FIELD(double)
PHI_FIELD(at::Scalar)

}  // namespace phi::torch_bridge
