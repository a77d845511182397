// SPDX-License-Identifier: Apache-2.0
#include "torch/ir/call_constant.h"

#include <map>
#include <optional>
#include <string>

#include "common/enforce.h"
#include "ir/core/builtin_attribute.h"
#include "torch/convert.h"

namespace phi::ir {

namespace {

using c10::IValue;
using c10::TypeKind;

[[noreturn]] void Refuse(const c10::Type& type, Attribute got) {
  PADDLE_THROW(errors::InvalidArgument("expected %s, got %s", type.str(), got));
}

// What schemas hold as integers.
IValue NamedInteger(const c10::Type& type, StrAttribute name) {
  static const std::map<std::string, int64_t> values = {
      {"strided", static_cast<int64_t>(at::kStrided)},
      {"contiguous_format", static_cast<int64_t>(at::MemoryFormat::Contiguous)},
      {"preserve_format", static_cast<int64_t>(at::MemoryFormat::Preserve)},
      {"channels_last", static_cast<int64_t>(at::MemoryFormat::ChannelsLast)},
      {"channels_last_3d", static_cast<int64_t>(at::MemoryFormat::ChannelsLast3d)},
  };
  const auto found = values.find(name.data());
  if (found == values.end()) Refuse(type, name);
  return found->second;
}

std::optional<int64_t> Integer(Attribute value) {
  if (const auto v = value.dyn_cast<Int32Attribute>()) return v.data();
  if (const auto v = value.dyn_cast<Int64Attribute>()) return v.data();
  if (const auto v = value.dyn_cast<ScalarAttribute>(); v && v.is_integer()) return v.integer();
  return std::nullopt;
}

std::optional<double> Real(Attribute value) {
  if (const auto v = value.dyn_cast<FloatAttribute>()) return v.data();
  if (const auto v = value.dyn_cast<DoubleAttribute>()) return v.data();
  if (const auto v = value.dyn_cast<ScalarAttribute>(); v && !v.is_integer()) return v.parts().real;
  const auto integer = Integer(value);
  return integer ? std::optional<double>(static_cast<double>(*integer)) : std::nullopt;
}

IValue Number(const c10::Type& type, Attribute value) {
  if (const auto v = value.dyn_cast<BoolAttribute>()) return v.data();
  if (const auto v = value.dyn_cast<ScalarAttribute>(); v && v.dtype() == DataType::BOOL) return v.integer() != 0;
  if (const auto v = Integer(value)) return *v;
  if (const auto v = value.dyn_cast<Complex64Attribute>()) return c10::complex<double>(v.data().real, v.data().imag);
  if (const auto v = value.dyn_cast<Complex128Attribute>()) return c10::complex<double>(v.data().real, v.data().imag);
  if (const auto v = value.dyn_cast<ScalarAttribute>(); v && IsComplexType(v.dtype())) {
    return c10::complex<double>(v.parts().real, v.parts().imag);
  }
  if (const auto v = Real(value)) return *v;
  Refuse(type, value);
}

IValue List(const c10::Type& type, const c10::TypePtr& element, Attribute value) {
  c10::impl::GenericList list(element);
  if (const auto numbers = value.dyn_cast<IntArrayAttribute>()) {
    for (const int64_t number : numbers.data()) list.emplace_back(number);
  } else if (const auto items = value.dyn_cast<ArrayAttribute>()) {
    for (const Attribute item : items.items()) list.emplace_back(ToConstant(*element, item));
  } else {
    Refuse(type, value);
  }
  return list;
}

}  // namespace

IValue ToConstant(const c10::Type& type, Attribute value) {
  switch (type.kind()) {
    case TypeKind::OptionalType:
      return value ? ToConstant(*type.expectRef<c10::OptionalType>().getElementType(), value) : IValue();
    case TypeKind::IntType:
      if (const auto v = value.dyn_cast<DataTypeAttribute>()) {
        return static_cast<int64_t>(torch_bridge::ToTorch(v.data()));
      }
      if (const auto v = value.dyn_cast<StrAttribute>()) return NamedInteger(type, v);
      if (const auto v = Integer(value)) return *v;
      break;
    case TypeKind::FloatType:
      if (const auto v = Real(value)) return *v;
      break;
    case TypeKind::BoolType:
      if (const auto v = value.dyn_cast<BoolAttribute>()) return v.data();
      break;
    case TypeKind::NumberType:
      return Number(type, value);
    case TypeKind::StringType:
      if (const auto v = value.dyn_cast<StrAttribute>()) return v.data();
      break;
    case TypeKind::DeviceObjType:
      if (const auto v = value.dyn_cast<PlaceAttribute>()) return torch_bridge::ToTorch(v.data());
      break;
    case TypeKind::ListType:
      return List(type, type.expectRef<c10::ListType>().getElementType(), value);
    default:
      break;
  }
  Refuse(type, value);
}

}  // namespace phi::ir
