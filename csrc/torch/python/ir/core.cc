// SPDX-License-Identifier: Apache-2.0
#include "torch/python/ir/core.h"

#include "torch/python/ir/exec.h"
#include "torch/python/ir/handles.h"
#include "torch/python/ir/rewrite.h"

namespace phi::python {

void BindIr(pybind11::module_ module) {
  BindTypes(module);
  BindAttributes(module);
  BindOpInfo(module);
  BindContext(module);
  BindValue(module);
  BindAttributesOfOperation(module);
  BindOperation(module);
  BindBlock(module);
  BindProgram(module);
  BindBuilder(module);
  BindWeights(module);
  BindExecutable(module);
  BindPasses(module);
  BindRewrites(module);
}

}  // namespace phi::python
