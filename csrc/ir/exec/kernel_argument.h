// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attribute.h"
#include "core/kernel.h"
#include "ir/core/attribute.h"

namespace phi::ir {

// An attribute of an operation as the argument that a kernel takes. InvalidArgument if it cannot be that.
phi::Attribute KernelArgument(AttributeType type, Attribute value);
// The other way: an attribute to be read, lists as arrays.
Attribute FromKernelArgument(IrContext* context, const phi::Attribute& argument);

}  // namespace phi::ir
