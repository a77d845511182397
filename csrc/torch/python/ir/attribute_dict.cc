// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include "torch/python/ir/attributes.h"
#include "torch/python/ir/declared.h"
#include "torch/python/ir/handles.h"

// The attributes of an operation, for Python: a mapping.
namespace py = pybind11;

namespace phi::python {

namespace {

ir::Attribute FindAttribute(const AttributesHandle& a, const py::str& name) { return a.op->attribute(ToText(name)); }

std::vector<std::string> AttributeNames(const AttributesHandle& a) {
  std::vector<std::string> names;
  for (const ir::AttributeInfo& info : a.op->info().row().attributes) {
    if (a.op->attribute(info.name)) names.emplace_back(info.name);
  }
  for (const auto& [name, value] : a.op->other_attributes()) names.push_back(name);
  return names;
}

py::list NamesOf(const AttributesHandle& a) {
  py::list names;
  for (const std::string& name : AttributeNames(a)) names.append(ToPython(name));
  return names;
}

py::object AttributeValue(const AttributesHandle& a, const std::string& name) {
  return ValueOf(a.op.program->shared_context(), a.op->attribute(name));
}

py::dict DictOf(const AttributesHandle& a) {
  py::dict values;
  for (const std::string& name : AttributeNames(a)) values[ToPython(name)] = AttributeValue(a, name);
  return values;
}

// What the operation has already may be of any name: files keep what they do not know.
void SetAttribute(const AttributesHandle& a, const py::str& name, const py::object& value, bool undeclared) {
  const std::string key = ToText(name);
  const ir::OpInfo info = a.op->info();
  if (!undeclared && info.is_registered() && !a.op->attribute(key)) CheckDeclared(info, key);
  const ir::Attribute attribute = AttributeIn(a.op.program->context(), info, key, value);
  Checked([&] { a.op->set_attribute(key, attribute); });
}

}  // namespace

void BindAttributesOfOperation(py::module_& m) {
  const auto missing = [](const py::str& name) { return py::key_error(ToText(name)); };
  py::class_<AttributesHandle>(m, "Attributes")
      .def("__len__", [](const AttributesHandle& a) { return AttributeNames(a).size(); })
      .def("__iter__", [](const AttributesHandle& a) { return py::iter(NamesOf(a)); })
      .def("__contains__", [](const AttributesHandle& a, const py::str& name) { return bool(FindAttribute(a, name)); })
      .def("__getitem__",
           [missing](const AttributesHandle& a, const py::str& name) {
             if (!FindAttribute(a, name)) throw missing(name);
             return AttributeValue(a, ToText(name));
           })
      .def("__setitem__",
           [](const AttributesHandle& a, const py::str& name, const py::object& value) {
             SetAttribute(a, name, value, false);
           })
      .def("set", &SetAttribute, py::arg("name"), py::arg("value"), py::kw_only(), py::arg("undeclared") = false)
      .def("__delitem__",
           [missing](const AttributesHandle& a, const py::str& name) {
             if (!FindAttribute(a, name)) throw missing(name);
             a.op->set_attribute(ToText(name), ir::Attribute());
           })
      .def(
          "get",
          [](const AttributesHandle& a, const py::str& name, const py::object& otherwise) {
            return FindAttribute(a, name) ? AttributeValue(a, ToText(name)) : otherwise;
          },
          py::arg("name"),
          py::arg("default") = py::none())
      .def("keys", &NamesOf)
      .def("values", [](const AttributesHandle& a) { return DictOf(a).attr("values")(); })
      .def("items", [](const AttributesHandle& a) { return DictOf(a).attr("items")(); })
      .def("__repr__", [](const AttributesHandle& a) { return py::repr(DictOf(a)); });
}

}  // namespace phi::python
