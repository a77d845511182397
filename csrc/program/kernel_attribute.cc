// SPDX-License-Identifier: Apache-2.0
#include "program/kernel_attribute.h"

#include <cmath>
#include <string_view>

#include "api/data_transform.h"
#include "core/visit_type.h"

namespace phi {

namespace {

using Scalars = std::vector<Scalar>;

[[noreturn]] void ThrowMismatch(AttributeType type, const char* got) {
  PADDLE_THROW(errors::InvalidArgument("expected %s, got %s", AttributeTypeName(type), got));
}

// The numbers that an attribute consists of.
struct NumbersOf {
  AttributeType type;

  Scalars operator()(int32_t v) const { return {Scalar(int64_t{v})}; }
  Scalars operator()(int64_t v) const { return {Scalar(v)}; }
  Scalars operator()(float v) const { return {Scalar(double{v})}; }
  Scalars operator()(double v) const { return {Scalar(v)}; }
  Scalars operator()(bool v) const { return {Scalar(v)}; }
  Scalars operator()(const Scalar& v) const { return {v}; }
  Scalars operator()(const Scalars& v) const { return v; }
  template <typename T>
  Scalars operator()(const std::vector<T>& values) const {
    Scalars all;
    for (const T& value : values) all.push_back((*this)(value)[0]);
    return all;
  }
  Scalars operator()(const std::string& text) const { return {Number(text)}; }
  Scalars operator()(const BlockIndex&) const { ThrowMismatch(type, "a block of the program"); }
  Scalars operator()(const VariableName&) const { ThrowMismatch(type, "the name of a variable"); }

  // A number as text, as in fill_constant's str_value.
  Scalar Number(const std::string& text) const {
    char* end = nullptr;
    const long long whole = std::strtoll(text.c_str(), &end, 10);  // NOLINT(google-runtime-int)
    if (!text.empty() && *end == '\0') return Scalar(int64_t{whole});
    const double real = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0') ThrowMismatch(type, "a text");
    return Scalar(real);
  }
};

bool IsWhole(const Scalar& v) { return !IsFloatingType(v.dtype()) && !IsComplexType(v.dtype()); }

template <typename T>
std::vector<T> ListOf(AttributeType type, const Scalars& values) {
  std::vector<T> list;
  for (const Scalar& value : values) {
    if (std::is_integral_v<T> && !IsWhole(value)) ThrowMismatch(type, "a number that is not whole");
    list.push_back(value.to<T>());
  }
  return list;
}

Attribute Converted(AttributeType type, const Scalars& values) {
  const auto only = [&]() -> const Scalar& {
    if (values.size() != 1) ThrowMismatch(type, "another number of elements than 1");
    return values[0];
  };
  const auto whole = [&] {
    if (!IsWhole(only())) ThrowMismatch(type, "a number that is not whole");
    return only().to<int64_t>();
  };
  switch (type) {
    case AttributeType::BOOL:
      return whole() != 0;
    case AttributeType::INT64:
      return whole();
    case AttributeType::FLOAT64:
      return only().to<double>();
    case AttributeType::BOOLS:
      return ListOf<bool>(type, values);
    case AttributeType::INT32S:
      return ListOf<int>(type, values);
    case AttributeType::INT64S:
      return ListOf<int64_t>(type, values);
    case AttributeType::FLOAT32S:
      return ListOf<float>(type, values);
    case AttributeType::FLOAT64S:
      return ListOf<double>(type, values);
    case AttributeType::SCALAR:
      return only();
    case AttributeType::SCALARS:
      return values;
    case AttributeType::INT_ARRAY:
      return IntArray(ListOf<int64_t>(type, values));
    case AttributeType::DATA_TYPE:
      return ProgramDataType(whole());
    default:
      ThrowMismatch(type, "a number");
  }
}

template <typename T>
void AddElementsOf(const DenseTensor& tensor, Scalars* values) {
  using Wide =
      std::conditional_t<std::is_same_v<T, bool>, bool, std::conditional_t<std::is_integral_v<T>, int64_t, double>>;
  const T* data = tensor.data<T>();
  for (int64_t i = 0; i < tensor.numel(); ++i) values->push_back(Scalar(static_cast<Wide>(data[i])));
}

void AddElements(const DenseTensor& tensor, Scalars* values) {
  DenseTensor host = is_cpu_place(tensor.place()) ? tensor : CopiedTo(tensor, CPUPlace());
  if (!host.is_contiguous()) host = Transformed(host, {.make_contiguous = true, .place = {}});
  PD_VISIT_ALL_TYPES(host.dtype(), "an attribute that is a tensor", [&] {
    if constexpr (dtype::is_complex_v<data_t>) {
      PADDLE_THROW(errors::InvalidArgument("expected real numbers, got a tensor of %s", host.dtype()));
    } else {
      AddElementsOf<data_t>(host, values);
    }
  });
}

// What stands between the braces of a list, or the literal itself.
std::vector<std::string> Elements(std::string_view literal) {
  if (!literal.starts_with('{')) return {std::string(literal)};
  std::vector<std::string> parts;
  literal = literal.substr(1, literal.size() - 2);
  while (!literal.empty()) {
    const size_t end = std::min(literal.find(','), literal.size());
    std::string_view part = literal.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    parts.emplace_back(part);
    literal.remove_prefix(std::min(end + 1, literal.size()));
  }
  return parts;
}

std::string Unquoted(const std::string& literal) {
  return literal.starts_with('"') ? literal.substr(1, literal.size() - 2) : literal;
}

double Real(const std::string& literal) { return std::strtod(literal.c_str(), nullptr); }
int64_t Whole(const std::string& literal) { return std::strtoll(literal.c_str(), nullptr, 10); }
bool Truth(const std::string& literal) { return literal == "true" || literal == "1"; }

template <typename T, typename Read>
std::vector<T> ListOf(const char* literal, Read read) {
  std::vector<T> values;
  for (const std::string& element : Elements(literal)) values.push_back(static_cast<T>(read(element)));
  return values;
}

}  // namespace

DataType ProgramDataType(int64_t number) {
  static const std::map<int64_t, DataType> types = {{-1, DataType::UNDEFINED},
                                                    {0, DataType::BOOL},
                                                    {1, DataType::INT16},
                                                    {2, DataType::INT32},
                                                    {3, DataType::INT64},
                                                    {4, DataType::FLOAT16},
                                                    {5, DataType::FLOAT32},
                                                    {6, DataType::FLOAT64},
                                                    {20, DataType::UINT8},
                                                    {21, DataType::INT8},
                                                    {22, DataType::BFLOAT16},
                                                    {23, DataType::COMPLEX64},
                                                    {24, DataType::COMPLEX128},
                                                    {32, DataType::FLOAT8_E4M3FN},
                                                    {33, DataType::FLOAT8_E5M2},
                                                    {36, DataType::UINT16},
                                                    {37, DataType::UINT32},
                                                    {38, DataType::UINT64}};
  const auto found = types.find(number);
  PADDLE_ENFORCE(found != types.end(), errors::InvalidArgument("expected the number of a data type, got %d", number));
  return found->second;
}

Attribute KernelAttribute(AttributeType type, const OpAttribute& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (type == AttributeType::STRING || type == AttributeType::DATA_LAYOUT) {
    if (text == nullptr) ThrowMismatch(type, "a number");
    const std::string name = *text == "AnyLayout" ? "NCHW" : *text;
    return type == AttributeType::STRING ? Attribute(name) : Attribute(StringToDataLayout(name));
  }
  if (type == AttributeType::STRINGS) {
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    if (texts == nullptr) ThrowMismatch(type, "no list of texts");
    return *texts;
  }
  return Converted(type, std::visit(NumbersOf{type}, value));
}

Attribute KernelAttribute(AttributeType type, const std::vector<const DenseTensor*>& tensors) {
  Scalars values;
  for (const DenseTensor* tensor : tensors) AddElements(*tensor, &values);
  return Converted(type, values);
}

OpAttribute DefaultValue(const AttributeInfo& info) {
  const char* literal = info.default_value;
  switch (info.type) {
    case OpAttributeType::INT:
      return static_cast<int32_t>(Whole(literal));
    case OpAttributeType::LONG:
      return Whole(literal);
    case OpAttributeType::FLOAT:
      return static_cast<float>(Real(literal));
    case OpAttributeType::FLOAT64:
      return Real(literal);
    case OpAttributeType::BOOLEAN:
      return Truth(literal);
    case OpAttributeType::STRING:
      return Unquoted(literal);
    case OpAttributeType::INTS:
      return ListOf<int32_t>(literal, Whole);
    case OpAttributeType::LONGS:
      return ListOf<int64_t>(literal, Whole);
    case OpAttributeType::FLOATS:
      return ListOf<float>(literal, Real);
    case OpAttributeType::FLOAT64S:
      return ListOf<double>(literal, Real);
    case OpAttributeType::BOOLEANS:
      return ListOf<bool>(literal, Truth);
    case OpAttributeType::STRINGS:
      return ListOf<std::string>(literal, Unquoted);
    case OpAttributeType::SCALAR:
      return Scalar(Real(literal));
    case OpAttributeType::SCALARS: {
      std::vector<Scalar> values;
      for (const std::string& element : Elements(literal)) values.emplace_back(Real(element));
      return values;
    }
    default:
      PADDLE_THROW(errors::Fatal("attribute '%s' has a default, but is of a type that has none", info.name));
  }
}

}  // namespace phi
