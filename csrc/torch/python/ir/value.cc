// SPDX-License-Identifier: Apache-2.0
#include "torch/python/ir/handles.h"

// Values, for Python.
namespace py = pybind11;

namespace phi::python {

namespace {

py::list Uses(const ValueHandle& v) {
  py::list uses;
  for (ir::OpOperand* use = v.get().first_use(); use != nullptr; use = use->next_use()) {
    uses.append(py::make_tuple(OperationHandle(v.program(), use->owner()), use->index()));
  }
  uses.attr("reverse")();  // the last one that was made comes first in the list
  return uses;
}

}  // namespace

void BindValue(py::module_& m) {
  py::class_<ValueHandle>(m, "Value")
      .def_property(
          "type",
          [](const ValueHandle& v) { return ToPython(v.program()->shared_context(), v.get().type()); },
          [](const ValueHandle& v, const py::object& type) { v.get().set_type(TypeIn(v.program(), type)); })
      .def_property(
          "name",
          [](const ValueHandle& v) { return ToPython(v.get().name()); },
          [](const ValueHandle& v, const py::str& name) { v.get().set_name(ToText(name)); })
      .def_property_readonly("index", [](const ValueHandle& v) { return v.get().index(); })
      .def_property_readonly("defining_op",
                             [](const ValueHandle& v) { return ToPython(v.program(), v.get().defining_op()); })
      .def_property_readonly("owner_block",
                             [](const ValueHandle& v) { return BlockHandle(v.program(), v.get().owner_block()); })
      .def_property_readonly("uses", &Uses)
      .def(
          "replace_all_uses_with",
          [](const ValueHandle& v, const ValueHandle& other) {
            v.get().ReplaceAllUsesWith(ValueIn(v.program(), py::cast(other)));
          },
          py::arg("value"))
      .def("__eq__", &ValueHandle::operator==, py::is_operator())
      .def("__hash__", [](const ValueHandle& v) { return v.Hash(); })
      .def("__repr__", [](const ValueHandle& v) {
        const ir::Value value = v.get();
        return ToPython("<Value %" + (value.name().empty() ? "?" : value.name()) + " : " + value.type().ToString() +
                        ">");
      });
}

}  // namespace phi::python
