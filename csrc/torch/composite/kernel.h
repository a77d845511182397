// SPDX-License-Identifier: Apache-2.0
// The composite of an op as its kernel: on any backend, where torch's operators compute what the op is made of.
#pragma once

#include <initializer_list>

#include "api/op_site.h"

namespace phi::torch_bridge {

// Registers phi_composite::<op> as the kernel that `site` calls, for tensors of these data types in its key; `source`
// is the file of the entry. A kernel of the backend itself is selected before it. `torch_op` names the operator of
// torch that the composite is one call of, with the arguments as they are given, or is null.
bool RegisterComposite(const char* op,
                       const char* torch_op,
                       const OpSite& site,
                       std::initializer_list<DataType> dtypes,
                       const char* source);

}  // namespace phi::torch_bridge
