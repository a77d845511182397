// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ir/core/attribute.h"
#include "ir/core/trait.h"

namespace phi::ir {

class Dialect;
class Operation;
class Report;

// The constant tables of operators, one row for each: generated from yaml/, or written by hand for builtin and cf.

struct Literal {
  enum class Kind : uint8_t { None, Bool, Int, Float, Str, List };
  Kind kind = Kind::None;
  int64_t integer = 0;
  double real = 0;
  const char* text = nullptr;  // of a string, a data type, a place or a layout
  std::span<const Literal> items = {};

  static constexpr Literal Bool(bool value) { return {Kind::Bool, value}; }
  static constexpr Literal Int(int64_t value) { return {Kind::Int, value}; }
  static constexpr Literal Float(double value) { return {Kind::Float, 0, value}; }
  static constexpr Literal Str(const char* value) { return {Kind::Str, 0, 0, value}; }
  static constexpr Literal List(std::span<const Literal> values) { return {Kind::List, 0, 0, nullptr, values}; }
};

struct InputInfo {
  const char* name;
  bool optional = false;
  bool is_list = false;               // one operand of a vector type
  bool is_mutable_attribute = false;  // none: the attribute of that name holds
};

struct AttributeInfo {
  const char* name;
  AttributeKind kind;
  AttributeKind element = AttributeKind::Any;  // of an array
  Literal default_value = {};                  // None: it must be given
  bool optional = false;                       // may be absent
  bool is_mutable = false;                     // may be given as an operand
};

struct OutputInfo {
  const char* name;
  bool optional = false;
  bool is_list = false;
  bool intermediate = false;
};

// A concept of an interface: a table of functions, found by the interface's id.
struct InterfaceRow {
  TypeId (*id)();
  const void* concept_table;
};

struct OpRow {
  const char* name;  // with its dialect: "pd_op.conv2d"
  const char* place = "";
  std::span<const InputInfo> inputs = {};
  std::span<const AttributeInfo> attributes = {};
  std::span<const OutputInfo> outputs = {};
  TraitSet traits = {};
  int regions = 0;
  bool variadic_operands = false;  // any number after those that are named
  bool variadic_results = false;
  std::span<const std::pair<int, int>> inplace = {};  // operand and result that share their memory, written or viewed
  std::span<const InterfaceRow> interfaces = {};
  void (*verify)(const Operation& op, Report* report) = nullptr;  // rules of its own
};

// A row in a dialect, or what stands for an unknown operator. It is made once, and constant then.
class OpInfoImpl {
 public:
  OpInfoImpl(const OpRow& row, const Dialect* dialect);
  explicit OpInfoImpl(std::string unknown);

  const std::string name;
  const OpRow row;
  const Dialect* const dialect;  // null for an unknown operator

  const void* InterfaceOf(TypeId id) const;  // null without one
  void AddInterface(TypeId id, const void* concept_table);
  bool HasTrait(TypeId id) const;
  void AddTrait(TypeId id);

 private:
  std::vector<std::pair<TypeId, const void*>> interfaces_;  // sorted
  std::vector<TypeId> traits_;                              // sorted: those of users
};

class OpInfo {
 public:
  OpInfo() = default;
  explicit OpInfo(const OpInfoImpl* impl) : impl_(impl) {}
  explicit operator bool() const { return impl_ != nullptr; }
  bool operator==(const OpInfo&) const = default;
  const OpInfoImpl* impl() const { return impl_; }

  const std::string& name() const { return impl_->name; }
  const OpRow& row() const { return impl_->row; }
  bool is_registered() const { return impl_->dialect != nullptr; }
  bool HasTrait(Trait trait) const { return impl_->row.traits.Has(trait); }
  template <typename T>
  bool HasTrait() const {
    return impl_->HasTrait(TypeId::Get<T>());
  }
  template <typename Interface>
  const typename Interface::Concept* GetInterface() const {
    return static_cast<const typename Interface::Concept*>(impl_->InterfaceOf(TypeId::Get<Interface>()));
  }
  // The place among the declared attributes, -1 for another name.
  int AttributeIndex(std::string_view attribute) const;
  int InputIndex(std::string_view input) const;
  // Whether the operator can be without a result that nobody asks for: an optional one, one of several gradients.
  bool CanBeWithout(size_t result) const;

 private:
  const OpInfoImpl* impl_ = nullptr;
};

// A literal as an attribute of a declared kind. InvalidArgument where it is none.
Attribute MakeAttribute(IrContext* context, AttributeKind kind, AttributeKind element, const Literal& value);

}  // namespace phi::ir
