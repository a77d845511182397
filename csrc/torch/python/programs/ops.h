// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/op_attribute.h"

namespace phi::python {

// Attributes by name, each as (type, value).
using NamedAttributes = std::map<std::string, std::pair<std::string, pybind11::object>>;
OpAttributeMap AttributesOf(const NamedAttributes& given);

// What Python asks of the operators of programs: their definitions, and the kernels that they are mapped to.
void BindProgramOps(pybind11::module_& m);
// Variables, scopes, and operators that run in them.
void BindProgramRun(pybind11::module_& m);

}  // namespace phi::python
