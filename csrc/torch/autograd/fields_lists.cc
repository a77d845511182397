// SPDX-License-Identifier: Apache-2.0
#include "torch/autograd/fields.h"

namespace phi::torch_bridge {

PHI_FIELD(SavedTensors)
PHI_FIELD(SavedMetas)
PHI_FIELD(std::vector<bool>)
PHI_FIELD(std::vector<double>)
PHI_FIELD(std::vector<std::string>)
PHI_FIELD(std::vector<at::Scalar>)
PHI_FIELD(std::vector<c10::SymInt>)

}  // namespace phi::torch_bridge
