// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/attribute.h"
#include "core/dense_tensor.h"
#include "core/kernel.h"
#include "core/op_attribute.h"
#include "core/op_info.h"

namespace phi {

// An attribute of a program's operator as the argument that a kernel takes. Data types are numbers in programs.
// InvalidArgument if it cannot be that.
Attribute KernelAttribute(AttributeType type, const OpAttribute& value);
// The same from tensors that hold the value: one tensor, or one for each element. They may be on any device.
Attribute KernelAttribute(AttributeType type, const std::vector<const DenseTensor*>& tensors);

// The default of an attribute's definition, which is a literal of C++: `{1, 1}`, `true`, `"NCHW"`, `0.5`.
OpAttribute DefaultValue(const AttributeInfo& info);

// The data type of a number in a program; -1 is UNDEFINED.
DataType ProgramDataType(int64_t number);

}  // namespace phi
