// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "ir/core/builtin_attribute.h"
#include "ir/core/dialect.h"
#include "ir/core/parse_value.h"
#include "ir/text/base64.h"
#include "ir/text/lexer.h"
#include "ir/text/printer.h"

// Types and attributes as text.
namespace phi::ir {

namespace {

// The shortest text that reads back the same.
template <typename T>
std::string RealText(T value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  std::string text(buffer, end);
  return text.find_first_of(".einf") == std::string::npos ? text + ".0" : text;
}

std::string ComplexText(ComplexParts parts) { return "(" + RealText(parts.real) + "," + RealText(parts.imag) + ")"; }

std::string Words(const std::vector<int64_t>& values) {
  std::string text;
  for (const int64_t value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return "[" + text + "]";
}

std::string ScalarValueText(ScalarAttribute scalar) {
  if (scalar.dtype() == DataType::BOOL) return scalar.integer() ? "true" : "false";
  if (scalar.is_integer()) return std::to_string(scalar.integer());
  if (IsComplexType(scalar.dtype())) return ComplexText(scalar.parts());
  if (scalar.dtype() == DataType::FLOAT32) return RealText(static_cast<float>(scalar.parts().real));
  return RealText(scalar.parts().real);
}

// Whether the value alone tells the data type.
bool TellsDataType(DataType dtype) {
  return dtype == DataType::BOOL || dtype == DataType::INT64 || dtype == DataType::FLOAT64 ||
         dtype == DataType::COMPLEX128;
}

std::string ScalarText(ScalarAttribute scalar) {
  const std::string text = ScalarValueText(scalar);
  return TellsDataType(scalar.dtype()) ? text : text + " : " + ShortName(scalar.dtype());
}

// The value of a plain attribute, without its type.
std::string PlainText(Attribute value) {
  switch (value.kind()) {
    case AttributeKind::Bool:
      return BoolAttribute(value.storage()).data() ? "true" : "false";
    case AttributeKind::Int32:
      return std::to_string(Int32Attribute(value.storage()).data());
    case AttributeKind::Int64:
      return std::to_string(Int64Attribute(value.storage()).data());
    case AttributeKind::Float:
      return RealText(FloatAttribute(value.storage()).data());
    case AttributeKind::Double:
      return RealText(DoubleAttribute(value.storage()).data());
    case AttributeKind::Complex64:
      return ComplexText(Complex64Attribute(value.storage()).data());
    case AttributeKind::Complex128:
      return ComplexText(Complex128Attribute(value.storage()).data());
    case AttributeKind::Str:
      return Quoted(StrAttribute(value.storage()).data());
    case AttributeKind::DataType:
      return NameOf(DataTypeAttribute(value.storage()).data());
    case AttributeKind::Place:
      return PlaceAttribute(value.storage()).data().DebugString();
    case AttributeKind::DataLayout:
      return NameOf(DataLayoutAttribute(value.storage()).data());
    case AttributeKind::Scalar:
      return ScalarText(ScalarAttribute(value.storage()));
    case AttributeKind::IntArray:
      return Words(IntArrayAttribute(value.storage()).data());
    case AttributeKind::Type:
      return TypeAttribute(value.storage()).data().ToString();
    case AttributeKind::KernelKey: {
      const KernelKey key = KernelKeyAttribute(value.storage()).data();
      const std::string layout = NameOf(key.layout());
      return std::string(BackendName(key.backend())) + "," + layout + "," + NameOf(key.dtype());
    }
    case AttributeKind::Tensor: {
      const TensorKey& key = TensorAttribute(value.storage()).key();
      return std::string(ShortName(key.dtype)) + Words(key.dims) + ",\"" + Base64(key.bytes) + "\"";
    }
    case AttributeKind::Opaque: {
      const OpaqueKey& key = OpaqueAttribute(value.storage()).key();
      return Quoted(key.name) + "," + Quoted(key.data);
    }
    default: {
      const auto* form = DialectRegistry::Instance().FindAttribute(value.id());
      return form == nullptr ? "unknown" : form->print(value);
    }
  }
}

}  // namespace

std::string Type::ToString() const {
  if (!*this) return "none";
  if (const auto scalar = dyn_cast<ScalarType>()) return ShortName(scalar.dtype());
  if (const auto tensor = dyn_cast<TensorType>()) {
    std::string text = ShortName(tensor.dtype());
    text += "[";
    for (size_t i = 0; i < tensor.dims().size(); ++i) text += (i ? "," : "") + tensor.dims()[i].ToString();
    text += "]";
    if (tensor.layout() != DataLayout::NCHW) text += "@" + NameOf(tensor.layout());
    if (tensor.kind() != TensorKind::Dense) text = std::string(TensorKindName(tensor.kind())) + "<" + text + ">";
    return tensor.value_semantics() ? text : "!" + text;
  }
  if (const auto vector = dyn_cast<VectorType>()) {
    std::string text;
    for (const Type element : vector.elements()) text += (text.empty() ? "" : ", ") + element.ToString();
    return "vec<" + text + ">";
  }
  if (const auto opaque = dyn_cast<OpaqueType>()) {
    return "opaque<" + Quoted(opaque.key().name) + ", " + Quoted(opaque.key().data) + ">";
  }
  const auto* form = DialectRegistry::Instance().FindType(id());
  return form == nullptr ? "unknown" : form->name + "<" + form->print(*this) + ">";
}

std::string Attribute::ToString() const {
  if (!*this) return "none";
  const AttributeKind kind = this->kind();
  switch (kind) {
    case AttributeKind::Bool:
    case AttributeKind::Str:
      return PlainText(*this);
    case AttributeKind::Int32:
    case AttributeKind::Int64:
    case AttributeKind::Float:
    case AttributeKind::Double:
    case AttributeKind::Complex64:
    case AttributeKind::Complex128:
      return PlainText(*this) + " : " + AttributeKindName(kind);
    case AttributeKind::Array: {
      std::string text;
      for (const Attribute item : ArrayAttribute(storage_).items())
        text += (text.empty() ? "" : ", ") + item.ToString();
      return "[" + text + "]";
    }
    case AttributeKind::Dictionary: {
      std::string text;
      for (const auto& [name, value] : DictionaryAttribute(storage_).entries()) {
        text += (text.empty() ? "" : ", ") + WordOrQuoted(name) + " = " + value.ToString();
      }
      return "{" + text + "}";
    }
    case AttributeKind::Any: {
      const auto* form = DialectRegistry::Instance().FindAttribute(id());
      return (form == nullptr ? "unknown" : form->name) + "<" + PlainText(*this) + ">";
    }
    default:
      return std::string(AttributeKindName(kind)) + "<" + PlainText(*this) + ">";
  }
}

std::string DeclaredText(Attribute value, const AttributeInfo& info) {
  if (!value) return "none";
  const AttributeKind kind = value.kind();
  if (info.kind == AttributeKind::Any) return value.ToString();
  if (kind == info.kind && kind == AttributeKind::Array) {
    std::string text;
    bool first = true;
    for (const Attribute item : ArrayAttribute(value.storage()).items()) {
      if (!item || item.kind() != info.element) return "#" + value.ToString();
      text += (first ? "" : ",") + PlainText(item);
      first = false;
    }
    return "[" + text + "]";
  }
  // where it is not what is declared, the text says what it is
  const bool is_plain = kind == info.kind && kind != AttributeKind::Dictionary && kind < AttributeKind::Tensor;
  return is_plain ? PlainText(value) : "#" + value.ToString();
}

}  // namespace phi::ir
