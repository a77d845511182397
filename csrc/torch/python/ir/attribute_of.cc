// SPDX-License-Identifier: Apache-2.0
#include <complex>

#include "ir/core/parse_value.h"
#include "torch/python/ir/attributes.h"
#include "torch/python/ir/handles.h"

// Attributes that are made of Python's values.
namespace py = pybind11;

namespace phi::python {

using ir::Attribute;
using ir::AttributeKind;

namespace {

[[noreturn]] void Refuse(const std::string& what, const std::string& expected, py::handle value) {
  const auto text = py::reinterpret_steal<py::object>(PyObject_Repr(value.ptr()));
  if (!text) throw py::error_already_set();
  throw py::type_error(what + ": expected " + expected + ", got " + ToText(text).substr(0, 100));
}

int64_t IntegerOf(py::handle value, const std::string& what) {
  if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) Refuse(what, "an integer", value);
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!number) throw py::error_already_set();
  int overflow = 0;
  const int64_t result = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) throw py::value_error(what + ": the integer has more than 64 bits");
  if (result == -1 && PyErr_Occurred()) throw py::error_already_set();
  return result;
}

double RealOf(py::handle value, const std::string& what) {
  if (PyBool_Check(value.ptr()) || !(PyFloat_Check(value.ptr()) || PyIndex_Check(value.ptr()))) {
    Refuse(what, "a number", value);
  }
  const double result = PyFloat_AsDouble(value.ptr());
  if (result == -1 && PyErr_Occurred()) throw py::error_already_set();
  return result;
}

bool BoolOf(py::handle value, const std::string& what) {
  if (!PyBool_Check(value.ptr())) Refuse(what, "a bool", value);
  return value.ptr() == Py_True;
}

std::string StringOf(py::handle value, const std::string& what) {
  if (!PyUnicode_Check(value.ptr())) Refuse(what, "text", value);
  return ToText(value);
}

// What a text names: `parse` knows which there are.
template <typename Parse>
auto NamedBy(py::handle value, const std::string& what, Parse&& parse) {
  const std::string text = StringOf(value, what);
  try {
    return parse(text);
  } catch (const enforce::EnforceNotMet& error) {
    throw py::value_error(what + ": " + error.what());
  }
}

ir::ComplexParts ComplexOf(py::handle value, const std::string& what) {
  if (!PyComplex_Check(value.ptr())) return {RealOf(value, what), 0};
  return {PyComplex_RealAsDouble(value.ptr()), PyComplex_ImagAsDouble(value.ptr())};
}

py::sequence SequenceOf(py::handle value, const std::string& what) {
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) Refuse(what, "a list", value);
  return py::reinterpret_borrow<py::sequence>(value);
}

std::vector<int64_t> IntegersOf(py::handle value, const std::string& what) {
  std::vector<int64_t> numbers;
  for (const py::handle item : SequenceOf(value, what)) numbers.push_back(IntegerOf(item, what));
  return numbers;
}

Attribute ScalarOf(ir::IrContext* context, py::handle value, const std::string& what) {
  if (PyBool_Check(value.ptr())) return ir::ScalarAttribute::Integer(context, DataType::BOOL, value.ptr() == Py_True);
  if (PyFloat_Check(value.ptr())) return ir::ScalarAttribute::Real(context, DataType::FLOAT64, RealOf(value, what));
  if (PyComplex_Check(value.ptr())) {
    const ir::ComplexParts parts = ComplexOf(value, what);
    return ir::ScalarAttribute::Real(context, DataType::COMPLEX128, parts.real, parts.imag);
  }
  return ir::ScalarAttribute::Integer(context, DataType::INT64, IntegerOf(value, what));
}

// The kind of an attribute that no operator declares.
AttributeKind GuessKind(py::handle value, const std::string& what) {
  if (PyBool_Check(value.ptr())) return AttributeKind::Bool;
  if (PyLong_Check(value.ptr())) return AttributeKind::Int64;
  if (PyFloat_Check(value.ptr())) return AttributeKind::Double;
  if (PyComplex_Check(value.ptr())) return AttributeKind::Complex128;
  if (PyUnicode_Check(value.ptr())) return AttributeKind::Str;
  if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) return AttributeKind::Array;
  if (PyDict_Check(value.ptr())) return AttributeKind::Dictionary;
  if (py::isinstance<TypeHandle>(value)) return AttributeKind::Type;
  Refuse(what, "a bool, a number, text, a list, a dict, a Type, or an Attribute", value);
}

Attribute TensorOf(ir::IrContext* context, py::handle value, const std::string& what) {
  const py::sequence parts = SequenceOf(value, what);
  if (parts.size() != 3 || !PyBytes_Check(py::object(parts[2]).ptr())) Refuse(what, "(dtype, shape, bytes)", value);
  ir::TensorKey key{
      NamedBy(parts[0], what, ir::ParseDataType), IntegersOf(parts[1], what), std::string(py::bytes(parts[2]))};
  return ir::TensorAttribute::get(context, std::move(key));
}

// A pair or triple of texts.
std::vector<std::string> StringsOf(py::handle value, size_t count, const std::string& what) {
  const py::sequence parts = SequenceOf(value, what);
  if (parts.size() != count) Refuse(what, std::to_string(count) + " texts", value);
  std::vector<std::string> texts;
  for (const py::handle part : parts) texts.push_back(StringOf(part, what));
  return texts;
}

}  // namespace

Attribute AttributeOf(ir::IrContext* context,
                      py::handle value,
                      AttributeKind kind,
                      AttributeKind element,
                      const std::string& what,
                      int depth) {
  if (depth > ir::StorageManager::kMaxDepth) throw py::value_error(what + ": the value is nested too deep");
  if (value.is_none()) return Attribute();
  if (py::isinstance<AttributeHandle>(value)) {
    const Attribute attribute = value.cast<const AttributeHandle&>().attribute;
    if (attribute.context() != context) throw py::value_error(what + ": the attribute is of another context");
    return attribute;
  }
  if (kind == AttributeKind::Any) kind = GuessKind(value, what);
  switch (kind) {
    case AttributeKind::Bool:
      return ir::BoolAttribute::get(context, BoolOf(value, what));
    case AttributeKind::Int32: {
      const int64_t number = IntegerOf(value, what);
      if (number != static_cast<int32_t>(number)) throw py::value_error(what + ": the integer has more than 32 bits");
      return ir::Int32Attribute::get(context, static_cast<int32_t>(number));
    }
    case AttributeKind::Int64:
      return ir::Int64Attribute::get(context, IntegerOf(value, what));
    case AttributeKind::Float:
      return ir::FloatAttribute::get(context, static_cast<float>(RealOf(value, what)));
    case AttributeKind::Double:
      return ir::DoubleAttribute::get(context, RealOf(value, what));
    case AttributeKind::Complex64: {
      const ir::ComplexParts parts = ComplexOf(value, what);
      return ir::Complex64Attribute::get(context, parts.real, parts.imag);
    }
    case AttributeKind::Complex128: {
      const ir::ComplexParts parts = ComplexOf(value, what);
      return ir::Complex128Attribute::get(context, parts.real, parts.imag);
    }
    case AttributeKind::Str:
      return ir::StrAttribute::get(context, StringOf(value, what));
    case AttributeKind::DataType:
      return ir::DataTypeAttribute::get(context, NamedBy(value, what, ir::ParseDataType));
    case AttributeKind::Place:
      return ir::PlaceAttribute::get(context, NamedBy(value, what, ir::ParsePlace));
    case AttributeKind::DataLayout:
      return ir::DataLayoutAttribute::get(context, NamedBy(value, what, ir::ParseLayout));
    case AttributeKind::Scalar:
      return ScalarOf(context, value, what);
    case AttributeKind::IntArray:
      return ir::IntArrayAttribute::get(context, {IntegersOf(value, what)});
    case AttributeKind::Type: {
      if (!py::isinstance<TypeHandle>(value)) Refuse(what, "a Type", value);
      const ir::Type type = value.cast<const TypeHandle&>().type;
      if (type.context() != context) throw py::value_error(what + ": the type is of another context");
      return ir::TypeAttribute::get(context, {type});
    }
    case AttributeKind::Array: {
      ir::ArrayKey key;
      for (const py::handle item : SequenceOf(value, what)) {
        key.items.push_back(AttributeOf(context, item, element, AttributeKind::Any, what, depth + 1));
      }
      return ir::ArrayAttribute::get(context, std::move(key));
    }
    case AttributeKind::Dictionary: {
      if (!PyDict_Check(value.ptr())) Refuse(what, "a dict", value);
      std::vector<ir::NamedAttribute> entries;
      for (const py::handle entry : py::list(value.attr("items")())) {  // a copy, since conversions may run Python
        const auto pair = py::reinterpret_borrow<py::tuple>(entry);
        const AttributeKind any = AttributeKind::Any;
        entries.emplace_back(StringOf(pair[0], what), AttributeOf(context, pair[1], any, any, what, depth + 1));
      }
      return ir::DictionaryAttribute::get(context, std::move(entries));
    }
    case AttributeKind::Tensor:
      return TensorOf(context, value, what);
    case AttributeKind::KernelKey: {
      const std::vector<std::string> texts = StringsOf(value, 3, what);
      const KernelKey key(StringToBackend(texts[0]), ir::ParseLayout(texts[1]), ir::ParseDataType(texts[2]));
      return ir::KernelKeyAttribute::get(context, key);
    }
    case AttributeKind::Opaque: {
      const std::vector<std::string> texts = StringsOf(value, 2, what);
      return ir::OpaqueAttribute::get(context, {texts[0], texts[1]});
    }
    case AttributeKind::Any:
      break;
  }
  Refuse(what, "an Attribute", value);
}

}  // namespace phi::python
