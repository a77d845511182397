// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "ir/core/builder.h"
#include "ir/exec/schedule.h"

namespace phi::ir {

// The values that the slots of a schedule have in a program, while its operations are made in the order in which they
// run.
class SlotValues {
 public:
  SlotValues(const Lowered& lowered, const Schedule& schedule, Program* program)
      : lowered_(lowered), schedule_(schedule), program_(program), block_(program->block()) {}

  Operation* Create(const char* name,
                    const std::vector<Value>& operands,
                    const std::vector<NamedAttribute>& attributes,
                    const std::vector<Type>& types,
                    size_t regions = 0) {
    return Builder(program_, block_).Create(name, operands, attributes, types, regions);
  }

  // Null for a slot that holds nothing.
  Type TypeOf(int slot) const;
  void Define(int slot, Value value);
  // The value that a slot has now. Where no operation made it, it is a constant, or a part of what was made last in its
  // memory.
  Value At(int slot);
  std::vector<Value> AllAt(const std::vector<Slots>& all);

  // What is defined in a region is not seen after it.
  template <typename Fill>
  void InRegion(Operation* op, size_t region, const Fill& fill) {
    Block* const outer = block_;
    const auto values = values_, latest = latest_;
    block_ = op->regions()[region].AddBlock();
    fill(block_);
    block_ = outer;
    values_ = values, latest_ = latest;
  }

 private:
  IrContext* context() const { return program_->context(); }
  const Home& HomeOf(int slot) const { return schedule_.homes[slot]; }
  Value AddConstant(int slot);

  const Lowered& lowered_;
  const Schedule& schedule_;
  Program* const program_;
  Block* block_;
  std::unordered_map<int, Value> values_;  // by slot
  std::unordered_map<int, Value> latest_;  // by root: what was made last in its memory
};

}  // namespace phi::ir
