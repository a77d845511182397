// SPDX-License-Identifier: Apache-2.0
#include "ir/core/op_info.h"

#include <algorithm>

#include "common/enforce.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/parse_value.h"

namespace phi::ir {

OpInfoImpl::OpInfoImpl(const OpRow& given, const Dialect* of) : name(given.name), row(given), dialect(of) {
  for (const InterfaceRow& interface : given.interfaces) AddInterface(interface.id(), interface.concept_table);
}

// Nothing is known of it: it may have any operands and results, and what it does is not to be touched.
OpInfoImpl::OpInfoImpl(std::string unknown)
    : name(std::move(unknown)),
      row{.name = "", .traits = Trait::SideEffect, .regions = -1, .variadic_operands = true, .variadic_results = true},
      dialect(nullptr) {}

const void* OpInfoImpl::InterfaceOf(TypeId id) const {
  const auto at = std::lower_bound(interfaces_.begin(), interfaces_.end(), id, [](const auto& entry, TypeId wanted) {
    return entry.first < wanted;
  });
  return at != interfaces_.end() && at->first == id ? at->second : nullptr;
}

void OpInfoImpl::AddInterface(TypeId id, const void* concept_table) {
  std::erase_if(interfaces_, [id](const auto& entry) { return entry.first == id; });
  interfaces_.emplace_back(id, concept_table);
  std::sort(interfaces_.begin(), interfaces_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

bool OpInfoImpl::HasTrait(TypeId id) const { return std::binary_search(traits_.begin(), traits_.end(), id); }

void OpInfoImpl::AddTrait(TypeId id) { traits_.insert(std::lower_bound(traits_.begin(), traits_.end(), id), id); }

int OpInfo::AttributeIndex(std::string_view attribute) const {
  const auto attributes = row().attributes;
  for (size_t i = 0; i < attributes.size(); ++i) {
    if (attribute == attributes[i].name) return static_cast<int>(i);
  }
  return -1;
}

int OpInfo::InputIndex(std::string_view input) const {
  const auto inputs = row().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (input == inputs[i].name) return static_cast<int>(i);
  }
  return -1;
}

bool OpInfo::CanBeWithout(size_t result) const {
  const auto outputs = row().outputs;
  return result < outputs.size() && (outputs[result].optional || (outputs.size() > 1 && name().ends_with("_grad")));
}

Attribute MakeAttribute(IrContext* context, AttributeKind kind, AttributeKind element, const Literal& value) {
  using Kind = Literal::Kind;
  const bool is_number = value.kind == Kind::Int || value.kind == Kind::Float;
  const double real = value.kind == Kind::Float ? value.real : static_cast<double>(value.integer);
  if (kind == AttributeKind::Bool && value.kind == Kind::Bool) return BoolAttribute::get(context, value.integer != 0);
  if (kind == AttributeKind::Int64 && value.kind == Kind::Int) return Int64Attribute::get(context, value.integer);
  if (kind == AttributeKind::Int32 && value.kind == Kind::Int && value.integer == static_cast<int32_t>(value.integer)) {
    return Int32Attribute::get(context, static_cast<int32_t>(value.integer));
  }
  if (kind == AttributeKind::Float && is_number) return FloatAttribute::get(context, static_cast<float>(real));
  if (kind == AttributeKind::Double && is_number) return DoubleAttribute::get(context, real);
  if (kind == AttributeKind::Scalar && value.kind == Kind::Bool) {
    return ScalarAttribute::Integer(context, DataType::BOOL, value.integer);
  }
  if (kind == AttributeKind::Scalar && value.kind == Kind::Int) {
    return ScalarAttribute::Integer(context, DataType::INT64, value.integer);
  }
  if (kind == AttributeKind::Scalar && value.kind == Kind::Float) {
    return ScalarAttribute::Real(context, DataType::FLOAT64, value.real);
  }
  if (value.kind == Kind::Str) {
    if (kind == AttributeKind::Str) return StrAttribute::get(context, value.text);
    if (kind == AttributeKind::DataType) return DataTypeAttribute::get(context, ParseDataType(value.text));
    if (kind == AttributeKind::DataLayout) return DataLayoutAttribute::get(context, ParseLayout(value.text));
    if (kind == AttributeKind::Place) return PlaceAttribute::get(context, ParsePlace(value.text));
  }
  if (kind == AttributeKind::IntArray && value.kind == Kind::List) {
    IntArrayKey key;
    for (const Literal& item : value.items) {
      PADDLE_ENFORCE(item.kind == Kind::Int, errors::InvalidArgument("an intarray has integers"));
      key.values.push_back(item.integer);
    }
    return IntArrayAttribute::get(context, std::move(key));
  }
  if (kind == AttributeKind::Array && value.kind == Kind::List) {
    ArrayKey key;
    for (const Literal& item : value.items) {
      key.items.push_back(MakeAttribute(context, element, AttributeKind::Any, item));
    }
    return ArrayAttribute::get(context, std::move(key));
  }
  PADDLE_THROW(errors::InvalidArgument("the value is no %s", AttributeKindName(kind)));
}

}  // namespace phi::ir
