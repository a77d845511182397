// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include "ir/core/attribute.h"

namespace phi::ir {

// An attribute of a `torch.call` as an argument of this type. InvalidArgument for one that cannot be it.
c10::IValue ToConstant(const c10::Type& type, Attribute value);

}  // namespace phi::ir
