// SPDX-License-Identifier: Apache-2.0
#include "ir/pass/pass.h"

#include <pybind11/stl.h>

#include "ir/core/handle.h"
#include "torch/python/ir/handles.h"

// Passes, for Python: the table of those in C++, and one run of one.
namespace py = pybind11;

namespace phi::python {

void BindPasses(py::module_& m) {
  m.def("pass_table", [] {
    py::list rows;
    for (const ir::Pass& pass : ir::Passes()) rows.append(py::make_tuple(pass.name, pass.level, pass.doc));
    return rows;
  });
  m.def(
      "run_pass",
      [](const std::shared_ptr<ir::Program>& program, const std::string& name) {
        const py::gil_scoped_release release;
        return ir::RunPass(ir::FindPass(name), program.get());
      },
      py::arg("program"),
      py::arg("name"));
  m.def(
      "run_as",
      [](const std::string& by, const py::function& function) {
        const ir::EraseScope scope(by);
        return function();
      },
      py::arg("by"),
      py::arg("function"));
}

}  // namespace phi::python
