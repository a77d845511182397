// SPDX-License-Identifier: Apache-2.0
#include "torch/python/ir_core.h"

#include "torch/python/ir_handles.h"

namespace phi::python {

void BindIr(pybind11::module_ module) {
  BindIrValues(module);
  BindIrProgram(module);
  BindIrWeights(module);
}

}  // namespace phi::python
