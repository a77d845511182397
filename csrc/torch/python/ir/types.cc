// SPDX-License-Identifier: Apache-2.0
#include "ir/core/builtin_type.h"
#include "ir/core/dialect.h"
#include "ir/core/parse_value.h"
#include "torch/python/ir/handles.h"

// Types, for Python.
namespace py = pybind11;

namespace phi::python {

namespace {

std::string KindOfType(const TypeHandle& t) {
  if (const auto tensor = t.type.dyn_cast<ir::TensorType>()) return ir::TensorKindName(tensor.kind());
  if (t.type.isa<ir::ScalarType>()) return "scalar";
  if (t.type.isa<ir::VectorType>()) return "vector";
  if (t.type.isa<ir::OpaqueType>()) return "opaque";
  const auto* form = ir::DialectRegistry::Instance().FindType(t.type.id());
  return form == nullptr ? "unknown" : form->name;
}

// A type as one of a class; ValueError for another.
template <typename T>
T As(const TypeHandle& t, const char* what) {
  if (const auto type = t.type.dyn_cast<T>()) return type;
  throw py::value_error(t.type.ToString() + " has no " + what);
}

std::string DataTypeOf(const TypeHandle& t) {
  if (const auto scalar = t.type.dyn_cast<ir::ScalarType>()) return ir::NameOf(scalar.dtype());
  return ir::NameOf(As<ir::TensorType>(t, "dtype").dtype());
}

py::list Shape(const TypeHandle& t) {
  py::list sizes;
  for (const ir::Dim& dim : As<ir::TensorType>(t, "shape").dims()) sizes.append(dim.is_number() ? dim.number() : -1);
  return sizes;
}

py::list Dims(const TypeHandle& t) {
  py::list sizes;
  for (const ir::Dim& dim : As<ir::TensorType>(t, "dims").dims()) {
    if (dim.is_number()) {
      sizes.append(dim.number());
    } else {
      sizes.append(dim.ToString());
    }
  }
  return sizes;
}

py::list Elements(const TypeHandle& t) {
  py::list elements;
  for (const ir::Type element : As<ir::VectorType>(t, "elements").elements())
    elements.append(ToPython(t.context, element));
  return elements;
}

}  // namespace

void BindTypes(py::module_& m) {
  py::class_<TypeHandle>(m, "Type")
      .def_property_readonly("kind", &KindOfType)
      .def_property_readonly("dtype", &DataTypeOf)
      .def_property_readonly("shape", &Shape)
      .def_property_readonly("dims", &Dims)
      .def_property_readonly("layout",
                             [](const TypeHandle& t) { return ir::NameOf(As<ir::TensorType>(t, "layout").layout()); })
      .def_property_readonly(
          "value_semantics",
          [](const TypeHandle& t) { return As<ir::TensorType>(t, "value semantics").value_semantics(); })
      .def_property_readonly("elements", &Elements)
      .def_property_readonly("name",
                             [](const TypeHandle& t) { return ToPython(As<ir::OpaqueType>(t, "name").key().name); })
      .def_property_readonly("data",
                             [](const TypeHandle& t) { return ToPython(As<ir::OpaqueType>(t, "data").key().data); })
      .def(
          "__eq__", [](const TypeHandle& a, const TypeHandle& b) { return a.type == b.type; }, py::is_operator())
      .def("__hash__", [](const TypeHandle& t) { return t.type.Hash(); })
      .def("__str__", [](const TypeHandle& t) { return t.type.ToString(); })
      .def("__repr__", [](const TypeHandle& t) { return "<Type " + t.type.ToString() + ">"; });
}

}  // namespace phi::python
