// SPDX-License-Identifier: Apache-2.0
#include "torch/python/ir/attributes.h"

#include "ir/core/dialect.h"
#include "ir/core/parse_value.h"
#include "torch/python/ir/handles.h"

// Attributes, for Python.
namespace py = pybind11;

namespace phi::python {

using ir::Attribute;
using ir::AttributeKind;

py::object ValueOf(const std::shared_ptr<ir::IrContext>& context, Attribute a) {
  if (!a) return py::none();
  switch (a.kind()) {
    case AttributeKind::Bool:
      return py::bool_(a.dyn_cast<ir::BoolAttribute>().data());
    case AttributeKind::Int32:
      return py::int_(a.dyn_cast<ir::Int32Attribute>().data());
    case AttributeKind::Int64:
      return py::int_(a.dyn_cast<ir::Int64Attribute>().data());
    case AttributeKind::Float:
      return py::float_(a.dyn_cast<ir::FloatAttribute>().data());
    case AttributeKind::Double:
      return py::float_(a.dyn_cast<ir::DoubleAttribute>().data());
    case AttributeKind::Complex64:
    case AttributeKind::Complex128: {
      const bool wide = a.kind() == AttributeKind::Complex128;
      const ir::ComplexParts parts =
          wide ? a.dyn_cast<ir::Complex128Attribute>().data() : a.dyn_cast<ir::Complex64Attribute>().data();
      return py::reinterpret_steal<py::object>(PyComplex_FromDoubles(parts.real, parts.imag));
    }
    case AttributeKind::Str:
      return ToPython(a.dyn_cast<ir::StrAttribute>().data());
    case AttributeKind::Array: {
      py::list items;
      for (const Attribute item : a.dyn_cast<ir::ArrayAttribute>().items()) items.append(ValueOf(context, item));
      return items;
    }
    case AttributeKind::Dictionary: {
      py::dict entries;
      for (const auto& [name, value] : a.dyn_cast<ir::DictionaryAttribute>().entries()) {
        entries[ToPython(name)] = ValueOf(context, value);
      }
      return entries;
    }
    case AttributeKind::Type:
      return ToPython(context, a.dyn_cast<ir::TypeAttribute>().data());
    case AttributeKind::DataType:
      return py::str(ir::NameOf(a.dyn_cast<ir::DataTypeAttribute>().data()));
    case AttributeKind::Place:
      return py::str(a.dyn_cast<ir::PlaceAttribute>().data().DebugString());
    case AttributeKind::DataLayout:
      return py::str(ir::NameOf(a.dyn_cast<ir::DataLayoutAttribute>().data()));
    case AttributeKind::Scalar: {
      const auto scalar = a.dyn_cast<ir::ScalarAttribute>();
      if (scalar.dtype() == DataType::BOOL) return py::bool_(scalar.integer() != 0);
      if (scalar.is_integer()) return py::int_(scalar.integer());
      if (!IsComplexType(scalar.dtype())) return py::float_(scalar.parts().real);
      return py::reinterpret_steal<py::object>(PyComplex_FromDoubles(scalar.parts().real, scalar.parts().imag));
    }
    case AttributeKind::IntArray: {
      py::list items;
      for (const int64_t item : a.dyn_cast<ir::IntArrayAttribute>().data()) items.append(item);
      return items;
    }
    case AttributeKind::Tensor: {
      const ir::TensorKey& key = a.dyn_cast<ir::TensorAttribute>().key();
      py::list dims;
      for (const int64_t dim : key.dims) dims.append(dim);
      return py::make_tuple(ir::NameOf(key.dtype), dims, py::bytes(key.bytes));
    }
    case AttributeKind::KernelKey: {
      const KernelKey key = a.dyn_cast<ir::KernelKeyAttribute>().data();
      return py::make_tuple(BackendName(key.backend()), ir::NameOf(key.layout()), ir::NameOf(key.dtype()));
    }
    case AttributeKind::Opaque: {
      const ir::OpaqueKey& key = a.dyn_cast<ir::OpaqueAttribute>().key();
      return py::make_tuple(ToPython(key.name), ToPython(key.data));
    }
    case AttributeKind::Any:
      break;
  }
  return ToPython(a.ToString());
}

KindOf ParseKind(const std::string& name) {
  const size_t open = name.find('<');
  const std::string outer = name.substr(0, open);
  for (int i = 0; i <= static_cast<int>(AttributeKind::Any); ++i) {
    const auto kind = static_cast<AttributeKind>(i);
    if (outer != ir::AttributeKindName(kind)) continue;
    if (open == std::string::npos) return {kind};
    const std::string inner = name.substr(open + 1, name.size() - open - 2);
    if (kind != AttributeKind::Array || name.back() != '>' || inner.find('<') != std::string::npos) break;
    return {kind, ParseKind(inner).kind};
  }
  throw py::value_error("'" + name +
                        "' is no kind of attribute; kinds are bool, i32, i64, f32, f64, c64, c128, str, array, " +
                        "array<i32>, dict, type, dtype, place, layout, scalar, intarray, tensor, kernel_key, opaque");
}

std::string KindName(AttributeKind kind, AttributeKind element) {
  const std::string name = ir::AttributeKindName(kind);
  return element == AttributeKind::Any ? name : name + "<" + ir::AttributeKindName(element) + ">";
}

namespace {

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

}  // namespace

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

}  // namespace phi::python
