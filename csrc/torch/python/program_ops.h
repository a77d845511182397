// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

namespace phi::python {

// What Python asks of the operators of programs: their definitions, and the kernels that they are mapped to.
void BindProgramOps(pybind11::module_& m);

}  // namespace phi::python
