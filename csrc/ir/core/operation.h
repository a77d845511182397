// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/core/attribute.h"
#include "ir/core/handle.h"
#include "ir/core/op_info.h"
#include "ir/core/value.h"

namespace phi::ir {

class Block;
class Region;

// An operation: results, operands, attributes and regions. It is one allocation: the results in reverse, the operation,
// its operands, its declared attributes, its regions; so each finds the others by counting.
class alignas(8) Operation final : public Handled {
 public:
  // Without a block. Attributes that are not given have their default. The regions are empty.
  static Operation* Create(IrContext* context,
                           OpInfo info,
                           std::span<const Value> operands,
                           std::span<const NamedAttribute> attributes,
                           std::span<const Type> results,
                           size_t regions = 0);
  // Of an operation without a block. PreconditionNotMet while a result is used elsewhere.
  void Destroy();

  IrContext* context() const { return context_; }
  OpInfo info() const { return info_; }
  const std::string& name() const { return info_.name(); }
  template <typename T>
  bool isa() const {
    return T::classof(this);
  }

  std::span<OpOperand> operands() const;
  Value operand(size_t index) const { return operands()[index].value(); }
  size_t num_operands() const { return num_operands_; }
  size_t num_results() const { return num_results_; }
  OpResult result(size_t index) const;
  std::span<Region> regions() const;
  static Operation* OfResult(ValueImpl* result, size_t index);

  // Declared or not; null without one.
  Attribute attribute(std::string_view name) const;
  template <typename T>
  T attribute(std::string_view name) const {
    return attribute(name).dyn_cast<T>();
  }
  void set_attribute(std::string_view name, Attribute value);  // null: removed
  std::span<Attribute> declared_attributes() const;            // in the order of the table
  const std::vector<NamedAttribute>& other_attributes() const { return other_attributes_; }  // sorted by name
  // What a declared attribute is where nothing is given: null where an operand is in its place.
  Attribute default_attribute(size_t index) const;

  const std::string& result_name(size_t index) const;
  void set_result_name(size_t index, std::string name);
  Attribute location() const { return location_; }  // a StrAttribute, or null
  void set_location(Attribute location) { location_ = location; }

  Block* block() const { return block_; }
  Region* parent_region() const;
  Operation* parent_op() const;  // null for that of a program
  Operation* next() const { return next_; }
  Operation* previous() const { return previous_; }
  bool Contains(const Operation* other) const;  // itself, or in one of its regions
  int Depth() const;                            // operations that it stands in

  // Takes it out of its block, and destroys it. PreconditionNotMet while a result is used, or a value within is used
  // outside.
  void Erase();
  void DropAllReferences();  // its operands, and those of all within, are null then

  const std::shared_ptr<HandleCell>& cell() { return CellOf(this); }

 private:
  friend class Block;
  Operation(IrContext* context, OpInfo info, size_t results, size_t operands, size_t regions);
  ~Operation() = default;
  char* Begin() const;  // of the allocation

  IrContext* const context_;
  const OpInfo info_;
  const uint32_t num_results_, num_operands_, num_declared_, num_regions_;
  Block* block_ = nullptr;
  Operation* next_ = nullptr;
  Operation* previous_ = nullptr;
  std::vector<NamedAttribute> other_attributes_;
  std::vector<std::string> result_names_;  // empty without any
  Attribute location_;
};

// Where an operation stands, for messages: its name, its first result's name, its location.
std::string Describe(const Operation& op);

}  // namespace phi::ir
