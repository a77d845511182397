// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/kernel_argument.h"

#include "ir/core/builtin_attribute.h"
#include "program/kernel_attribute.h"

namespace phi::ir {

namespace {

template <typename T, typename Handle>
std::vector<T> ListOf(const ArrayAttribute& array) {
  std::vector<T> values;
  for (const Attribute item : array.items()) {
    const auto one = item.dyn_cast<Handle>();
    PADDLE_ENFORCE(one, errors::InvalidArgument("a list has items of different types: %s", array));
    values.push_back(one.data());
  }
  return values;
}

OpAttribute ListOf(const ArrayAttribute& array, AttributeType wanted) {
  const Attribute first = array.items().empty() ? Attribute() : array.items().front();
  if (first.isa<BoolAttribute>()) return ListOf<bool, BoolAttribute>(array);
  if (first.isa<Int32Attribute>()) return ListOf<int32_t, Int32Attribute>(array);
  if (first.isa<Int64Attribute>()) return ListOf<int64_t, Int64Attribute>(array);
  if (first.isa<FloatAttribute>()) return ListOf<float, FloatAttribute>(array);
  if (first.isa<DoubleAttribute>()) return ListOf<double, DoubleAttribute>(array);
  if (first.isa<StrAttribute>() || wanted == AttributeType::STRINGS) {
    return ListOf<std::string, StrAttribute>(array);
  }
  std::vector<Scalar> scalars;
  for (const Attribute item : array.items()) {
    const auto one = item.dyn_cast<ScalarAttribute>();
    PADDLE_ENFORCE(one, errors::InvalidArgument("no kernel takes a list of %s", AttributeKindName(item.kind())));
    scalars.push_back(one.data());
  }
  return scalars;
}

// As programs of Paddle 2 hold it.
OpAttribute ProgramAttribute(Attribute value, AttributeType wanted) {
  if (const auto v = value.dyn_cast<BoolAttribute>()) return v.data();
  if (const auto v = value.dyn_cast<Int32Attribute>()) return v.data();
  if (const auto v = value.dyn_cast<Int64Attribute>()) return v.data();
  if (const auto v = value.dyn_cast<FloatAttribute>()) return v.data();
  if (const auto v = value.dyn_cast<DoubleAttribute>()) return v.data();
  if (const auto v = value.dyn_cast<StrAttribute>()) return v.data();
  if (const auto v = value.dyn_cast<ScalarAttribute>()) return v.data();
  if (const auto v = value.dyn_cast<IntArrayAttribute>()) return v.data();
  if (const auto v = value.dyn_cast<ArrayAttribute>()) return ListOf(v, wanted);
  PADDLE_THROW(
      errors::InvalidArgument("expected %s, got %s", AttributeTypeName(wanted), AttributeKindName(value.kind())));
}

struct FromArgument {
  IrContext* context;

  Attribute operator()(bool value) const { return BoolAttribute::get(context, value); }
  Attribute operator()(int value) const { return Int32Attribute::get(context, value); }
  Attribute operator()(int64_t value) const { return Int64Attribute::get(context, value); }
  Attribute operator()(float value) const { return FloatAttribute::get(context, value); }
  Attribute operator()(double value) const { return DoubleAttribute::get(context, value); }
  Attribute operator()(const std::string& value) const { return StrAttribute::get(context, value); }
  Attribute operator()(DataType value) const { return DataTypeAttribute::get(context, value); }
  Attribute operator()(DataLayout value) const { return DataLayoutAttribute::get(context, value); }
  Attribute operator()(const Place& value) const { return PlaceAttribute::get(context, value); }
  Attribute operator()(const IntArray& value) const { return IntArrayAttribute::get(context, {value.GetData()}); }
  Attribute operator()(const Scalar& value) const {
    if (IsComplexType(value.dtype())) {
      const auto number = value.to<dtype::complex<double>>();
      return ScalarAttribute::Real(context, value.dtype(), number.real(), number.imag());
    }
    if (IsFloatingType(value.dtype())) return ScalarAttribute::Real(context, value.dtype(), value.to<double>());
    return ScalarAttribute::Integer(context, value.dtype(), value.to<int64_t>());
  }
  template <typename T>
  Attribute operator()(const std::vector<T>& values) const {
    std::vector<Attribute> items;
    for (size_t i = 0; i < values.size(); ++i) items.push_back((*this)(static_cast<const T&>(values[i])));
    return ArrayAttribute::get(context, {std::move(items)});
  }
};

}  // namespace

Attribute FromKernelArgument(IrContext* context, const phi::Attribute& argument) {
  return std::visit(FromArgument{context}, argument);
}

phi::Attribute KernelArgument(AttributeType type, Attribute value) {
  PADDLE_ENFORCE(value, errors::InvalidArgument("expected %s, got none", AttributeTypeName(type)));
  if (type == AttributeType::DATA_TYPE && value.isa<DataTypeAttribute>()) {
    return value.dyn_cast<DataTypeAttribute>().data();
  }
  if (type == AttributeType::PLACE && value.isa<PlaceAttribute>()) return value.dyn_cast<PlaceAttribute>().data();
  if (type == AttributeType::DATA_LAYOUT && value.isa<DataLayoutAttribute>()) {
    return value.dyn_cast<DataLayoutAttribute>().data();
  }
  if (const auto c = value.dyn_cast<Complex64Attribute>()) {
    return Scalar(dtype::complex<double>(c.data().real, c.data().imag));
  }
  if (const auto c = value.dyn_cast<Complex128Attribute>()) {
    return Scalar(dtype::complex<double>(c.data().real, c.data().imag));
  }
  return phi::KernelAttribute(type, ProgramAttribute(value, type));
}

}  // namespace phi::ir
