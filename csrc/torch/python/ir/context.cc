// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include "ir/core/parse_value.h"
#include "ir/text/parser.h"
#include "torch/python/ir/attributes.h"
#include "torch/python/ir/handles.h"

// Contexts, for Python: what makes types and attributes.
namespace py = pybind11;

namespace phi::python {

namespace {

using ir::TensorKind;

ir::Dim DimOf(ir::IrContext* context, py::handle dim) {
  if (PyUnicode_Check(dim.ptr())) return ir::ParseDim(context, ToText(dim));
  const auto number = dim.cast<int64_t>();
  return number < 0 ? ir::Dim() : ir::Dim(number);
}

TypeHandle MakeTensor(const ContextHandle& c,
                      TensorKind kind,
                      const std::string& dtype,
                      const py::sequence& dims,
                      const std::string& layout,
                      bool value_semantics) {
  ir::TensorTypeKey key{kind, ir::ParseDataType(dtype), {}, ir::ParseLayout(layout), value_semantics};
  for (const py::handle dim : dims) key.dims.push_back(DimOf(c.context.get(), dim));
  return {c.context, ir::TensorType::get(c.context.get(), std::move(key))};
}

TensorKind TensorKindOf(const std::string& name) {
  std::string known;
  for (int i = 0; i <= static_cast<int>(TensorKind::String); ++i) {
    const auto kind = static_cast<TensorKind>(i);
    if (name == ir::TensorKindName(kind)) return kind;
    known += (i ? ", " : "") + std::string(ir::TensorKindName(kind));
  }
  throw py::value_error("'" + name + "' is no kind of tensor; kinds are " + known);
}

ir::Type CheckedType(const ContextHandle& c, const py::object& type) {
  if (type.is_none()) return ir::Type();
  const auto& handle = Given<TypeHandle>(type, "an element of a vector");
  if (handle.context != c.context) throw py::value_error("the type is of another context");
  return handle.type;
}

TypeHandle MakeVector(const ContextHandle& c, const std::vector<py::object>& elements) {
  ir::VectorTypeKey key;
  for (const py::object& element : elements) key.elements.push_back(CheckedType(c, element));
  return {c.context, ir::VectorType::get(c.context.get(), std::move(key))};
}

AttributeHandle MakeAttribute(const ContextHandle& c,
                              const std::string& kind,
                              const py::object& value,
                              const py::object& dtype) {
  ir::IrContext* context = c.context.get();
  const KindOf wanted = ParseKind(kind);
  if (value.is_none()) throw py::value_error("an attribute has a value, got None");
  ir::Attribute made = AttributeOf(context, value, wanted.kind, wanted.element, "the value of a " + kind);
  if (!dtype.is_none()) {
    const auto scalar = made.dyn_cast<ir::ScalarAttribute>();
    if (!scalar) throw py::value_error("only a scalar has a data type");
    const DataType type = ir::ParseDataType(ToText(dtype));
    const ir::ComplexParts parts = scalar.parts();
    made = scalar.is_integer() ? ir::ScalarAttribute::Integer(context, type, scalar.integer())
                               : ir::ScalarAttribute::Real(context, type, parts.real, parts.imag);
  }
  return {c.context, made};
}

}  // namespace

void BindContext(py::module_& m) {
  const auto layout = py::arg("layout") = "NCHW";
  const auto semantics = py::arg("value_semantics") = true;
  py::class_<ContextHandle>(m, "Context")
      .def(py::init([] { return ContextHandle{std::make_shared<ir::IrContext>()}; }))
      .def(
          "__eq__",
          [](const ContextHandle& a, const ContextHandle& b) { return a.context == b.context; },
          py::is_operator())
      .def("__hash__", [](const ContextHandle& c) { return std::hash<const void*>()(c.context.get()); })
      .def(
          "scalar",
          [](const ContextHandle& c, const std::string& dtype) {
            return TypeHandle{c.context, ir::ScalarType::get(c.context.get(), {ir::ParseDataType(dtype)})};
          },
          py::arg("dtype"))
      .def(
          "dense_tensor",
          [](const ContextHandle& c,
             const std::string& dtype,
             const py::sequence& dims,
             const std::string& layout,
             bool value) { return MakeTensor(c, TensorKind::Dense, dtype, dims, layout, value); },
          py::arg("dtype"),
          py::arg("dims"),
          layout,
          semantics)
      .def(
          "tensor_like",
          [](const ContextHandle& c,
             const std::string& kind,
             const std::string& dtype,
             const py::sequence& dims,
             const std::string& layout,
             bool value) { return MakeTensor(c, TensorKindOf(kind), dtype, dims, layout, value); },
          py::arg("kind"),
          py::arg("dtype"),
          py::arg("dims"),
          layout,
          semantics)
      .def("vector", &MakeVector, py::arg("elements"))
      .def(
          "opaque_type",
          [](const ContextHandle& c, const py::str& name, const py::str& data) {
            return TypeHandle{c.context, ir::OpaqueType::get(c.context.get(), {ToText(name), ToText(data)})};
          },
          py::arg("name"),
          py::arg("data"))
      .def(
          "parse_type",
          [](const ContextHandle& c, const std::string& text) {
            return ToPython(c.context, ir::ParseType(c.context.get(), text));
          },
          py::arg("text"))
      .def("attribute", &MakeAttribute, py::arg("kind"), py::arg("value"), py::arg("dtype") = py::none())
      .def(
          "parse_attribute",
          [](const ContextHandle& c, const std::string& text) -> py::object {
            const ir::Attribute attribute = ir::ParseAttribute(c.context.get(), text);
            return attribute ? py::cast(AttributeHandle{c.context, attribute}) : py::none();
          },
          py::arg("text"));
}

}  // namespace phi::python
