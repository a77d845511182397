// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

namespace phi::python {

// The classes of phi_torch.ir, defined in a module when that is first imported.
void BindIr(pybind11::module_ module);

}  // namespace phi::python
