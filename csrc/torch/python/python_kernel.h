// SPDX-License-Identifier: Apache-2.0
// Python functions as kernels.
#pragma once
#include <pybind11/pybind11.h>

#include "core/kernel.h"

namespace phi::python {

// A kernel's functor that calls `function(inputs, attributes, outputs)` with lists: a torch tensor, a list of them or
// None for each tensor argument. The tensors are on the memory of the call; what Python keeps of one is a copy.
KernelFunctor CallPython(pybind11::function function);

}  // namespace phi::python
