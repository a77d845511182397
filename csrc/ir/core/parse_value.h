// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/data_type.h"
#include "common/layout.h"
#include "common/place.h"

// The names of data types, layouts and places in programs: those of the project, and "undefined".
namespace phi::ir {

std::string NameOf(DataType dtype);
std::string NameOf(DataLayout layout);
// InvalidArgument for an unknown name.
DataType ParseDataType(const std::string& name);
DataLayout ParseLayout(const std::string& name);
Place ParsePlace(const std::string& name);  // "cpu", "gpu:0", "undefined"

}  // namespace phi::ir
