// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include "ir/core/dialect.h"
#include "ir/core/parse_value.h"
#include "ir/text/parser.h"
#include "torch/python/ir_attributes.h"
#include "torch/python/ir_handles.h"

// Contexts, types, attributes, and the tables of operators, for Python.
namespace py = pybind11;

namespace phi::python {

namespace {

using ir::AttributeKind;
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
  const auto& handle = type.cast<const TypeHandle&>();
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

py::object ItemOf(const AttributeHandle& a, ir::Attribute item) {
  return item ? py::cast(AttributeHandle{a.context, item}) : py::none();
}

py::list Items(const AttributeHandle& a) {
  const auto array = a.attribute.dyn_cast<ir::ArrayAttribute>();
  if (!array) throw py::value_error(a.attribute.ToString() + " has no items");
  py::list items;
  for (const ir::Attribute item : array.items()) items.append(ItemOf(a, item));
  return items;
}

py::dict Entries(const AttributeHandle& a) {
  const auto dictionary = a.attribute.dyn_cast<ir::DictionaryAttribute>();
  if (!dictionary) throw py::value_error(a.attribute.ToString() + " has no entries");
  py::dict entries;
  for (const auto& [name, value] : dictionary.entries()) entries[ToPython(name)] = ItemOf(a, value);
  return entries;
}

std::string DataTypeOfAttribute(const AttributeHandle& a) {
  if (const auto scalar = a.attribute.dyn_cast<ir::ScalarAttribute>()) return ir::NameOf(scalar.dtype());
  if (const auto tensor = a.attribute.dyn_cast<ir::TensorAttribute>()) return ir::NameOf(tensor.key().dtype);
  throw py::value_error(a.attribute.ToString() + " has no dtype");
}

py::object SimpleNamespace(const py::dict& values) {
  return py::module_::import("types").attr("SimpleNamespace")(**values);
}

py::list Inputs(const OpInfoHandle& op) {
  py::list rows;
  for (const ir::InputInfo& input : op.info.row().inputs) {
    rows.append(SimpleNamespace(py::dict(py::arg("name") = input.name,
                                         py::arg("optional") = input.optional,
                                         py::arg("is_list") = input.is_list,
                                         py::arg("is_mutable_attribute") = input.is_mutable_attribute)));
  }
  return rows;
}

py::list Attributes(const OpInfoHandle& op) {
  py::list rows;
  const auto context = op.context ? op.context : std::make_shared<ir::IrContext>();
  for (const ir::AttributeInfo& info : op.info.row().attributes) {
    const bool has_default = info.default_value.kind != ir::Literal::Kind::None;
    const ir::Attribute value =
        has_default ? ir::MakeAttribute(context.get(), info.kind, info.element, info.default_value) : ir::Attribute();
    rows.append(SimpleNamespace(py::dict(py::arg("name") = info.name,
                                         py::arg("kind") = KindName(info.kind, info.element),
                                         py::arg("has_default") = has_default,
                                         py::arg("default") = ValueOf(context, value),
                                         py::arg("optional") = info.optional,
                                         py::arg("is_mutable") = info.is_mutable)));
  }
  return rows;
}

py::list Outputs(const OpInfoHandle& op) {
  py::list rows;
  for (const ir::OutputInfo& output : op.info.row().outputs) {
    rows.append(SimpleNamespace(py::dict(py::arg("name") = output.name,
                                         py::arg("optional") = output.optional,
                                         py::arg("is_list") = output.is_list,
                                         py::arg("intermediate") = output.intermediate)));
  }
  return rows;
}

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

void BindAttributes(py::module_& m) {
  py::class_<AttributeHandle>(m, "Attribute")
      .def_property_readonly("kind",
                             [](const AttributeHandle& a) -> std::string {
                               const AttributeKind kind = a.attribute.kind();
                               if (kind != AttributeKind::Any) return ir::AttributeKindName(kind);
                               const auto* form = ir::DialectRegistry::Instance().FindAttribute(a.attribute.id());
                               return form == nullptr ? "unknown" : form->name;
                             })
      .def_property_readonly("value", [](const AttributeHandle& a) { return ValueOf(a.context, a.attribute); })
      .def_property_readonly("dtype", &DataTypeOfAttribute)
      .def_property_readonly("items", &Items)
      .def_property_readonly("entries", &Entries)
      .def(
          "__eq__",
          [](const AttributeHandle& a, const AttributeHandle& b) { return a.attribute == b.attribute; },
          py::is_operator())
      .def("__hash__", [](const AttributeHandle& a) { return a.attribute.Hash(); })
      .def("__str__", [](const AttributeHandle& a) { return a.attribute.ToString(); })
      .def("__repr__", [](const AttributeHandle& a) { return "<Attribute " + a.attribute.ToString() + ">"; });
}

}  // namespace

void BindIrValues(py::module_& m) {
  BindTypes(m);
  BindAttributes(m);
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
  py::class_<OpInfoHandle>(m, "OpInfo")
      .def_property_readonly("name", [](const OpInfoHandle& op) { return ToPython(op.info.name()); })
      .def_property_readonly("place", [](const OpInfoHandle& op) { return op.info.row().place; })
      .def_property_readonly("inputs", &Inputs)
      .def_property_readonly("attributes", &Attributes)
      .def_property_readonly("outputs", &Outputs)
      .def_property_readonly("traits", [](const OpInfoHandle& op) { return op.info.row().traits.Names(); })
      .def_property_readonly("is_registered", [](const OpInfoHandle& op) { return op.info.is_registered(); })
      .def("__repr__", [](const OpInfoHandle& op) { return "<OpInfo " + op.info.name() + ">"; });
  m.def(
      "op_info",
      [](const std::string& name) -> py::object {
        const ir::OpInfo info = ir::DialectRegistry::Instance().FindOp(name);
        return info ? py::cast(OpInfoHandle{nullptr, info}) : py::none();
      },
      py::arg("name"));
  m.def("op_names", [] { return ir::DialectRegistry::Instance().OpNames(); });
}

}  // namespace phi::python
