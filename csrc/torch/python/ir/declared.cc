// SPDX-License-Identifier: Apache-2.0
#include "torch/python/ir/declared.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <vector>

#include "ir/core/dialect.h"
#include "ir/core/type_sizes.h"
#include "torch/python/ir/handles.h"

namespace py = pybind11;

namespace phi::python {

namespace {

// "; near: ..." for names that look like `name`.
std::string Near(const std::string& name, const std::vector<std::string>& names) {
  return ToText(py::module_::import("phi_torch._paddle.faults").attr("near")(name, names));
}

// Those of the program's values that any operator may have, and notes on them.
bool IsOfAnyOperator(const std::string& name) {
  return name == "stop_gradient" || name == "persistable" || name == ir::kUnproven;
}

}  // namespace

void CheckDeclared(const ir::OpInfo& info) {
  if (info.is_registered()) return;
  const std::string near = Near(info.name(), ir::DialectRegistry::Instance().OpNames());
  throw py::value_error("there is no operator '" + info.name() + "'" + near +
                        "; undeclared=True makes it all the same");
}

void CheckDeclared(const ir::OpInfo& info, const std::string& attribute) {
  std::vector<std::string> names;
  for (const ir::AttributeInfo& one : info.row().attributes) names.push_back(one.name);
  if (IsOfAnyOperator(attribute) || std::ranges::find(names, attribute) != names.end()) return;
  throw py::value_error("operator '" + info.name() + "' has no attribute '" + attribute + "'" + Near(attribute, names) +
                        "; create() and set() give it all the same with undeclared=True");
}

}  // namespace phi::python
