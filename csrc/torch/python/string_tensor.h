// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace phi::python {

// What phi_torch.StringTensor is made of.
void BindStrings(pybind11::module_& m);

}  // namespace phi::python
