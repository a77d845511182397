// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

#include "program/scope.h"

namespace phi::python {

// A value of Python's in a variable: tensors and lists of dense ones as PHI has them, all else as it is.
void Set(Variable* variable, pybind11::handle value);
pybind11::object Get(const Variable& variable);

// Scopes, which are mappings for Python.
void BindScope(pybind11::module_& m);

}  // namespace phi::python
