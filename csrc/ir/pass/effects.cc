// SPDX-License-Identifier: Apache-2.0
#include "ir/pass/effects.h"

#include <string>
#include <vector>

#include "ir/core/builtin_attribute.h"
#include "ir/core/builtin_type.h"
#include "ir/core/memory_effect.h"
#include "ir/core/region.h"

namespace phi::ir {

namespace {

bool IsInput(const Operation& op) { return op.name() == "pd_op.data" || op.name() == "pd_op.feed"; }

bool IsArray(Value value) { return value && value.type() && value.type().isa<DenseTensorArrayType>(); }

}  // namespace

std::string TextOf(const Operation& op, const char* attribute) {
  const auto text = op.attribute<StrAttribute>(attribute);
  return text ? text.data() : std::string();
}

bool HasNoEffect(const Operation& op) {
  const Effects effects = EffectsOf(op);
  if (!effects.is_known || effects.has_side_effect || effects.is_random || !effects.written.empty()) return false;
  if (IsInput(op)) return false;
  for (const Region& region : op.regions()) {
    for (const auto& block : region.blocks()) {
      for (const Operation& inner : *block) {
        if (!HasNoEffect(inner)) return false;
      }
    }
  }
  return true;
}

WrittenValues::WrittenValues(const Program& program) {
  std::unordered_set<std::string> set;  // parameters that are given new values
  Walk(program.module(), [&](Operation* op) {
    Visit(*op);
    if (op->name() == "builtin.set_parameter") set.insert(TextOf(*op, "parameter_name"));
  });
  Walk(program.module(), [&](Operation* op) {
    if (op->name() == "builtin.parameter" && set.contains(TextOf(*op, "name"))) written_.insert(op->result(0));
  });
  std::unordered_set<Value> roots;
  for (const Value value : written_) roots.insert(shared_.Find(value));
  written_ = std::move(roots);
}

bool WrittenValues::Contains(Value value) const { return written_.contains(shared_.Find(value)); }

void WrittenValues::Visit(const Operation& op) {
  const Effects effects = EffectsOf(op);
  const bool is_unknown = !effects.is_known;
  bool has_array = false;
  for (const OpOperand& operand : op.operands()) has_array |= IsArray(operand.value());
  for (size_t i = 0; i < op.num_results(); ++i) {
    // one that is read later holds what was written into it in between
    if (IsArray(op.result(i))) written_.insert(op.result(i)), has_array = true;
  }
  const bool makes_lists = op.name().starts_with("builtin.");
  if (is_unknown || has_array || makes_lists || !op.regions().empty()) JoinAll(op);
  if (is_unknown) {
    for (const OpOperand& operand : op.operands()) {
      if (operand.value()) written_.insert(operand.value());
    }
  }
  for (const auto& [operand, result] : effects.shared) shared_.Join(op.operand(operand), op.result(result));
  for (const int operand : effects.written) written_.insert(op.operand(operand));
}

void WrittenValues::JoinAll(const Operation& op) {
  std::vector<Value> values;
  for (const OpOperand& operand : op.operands()) values.push_back(operand.value());
  for (size_t i = 0; i < op.num_results(); ++i) values.push_back(op.result(i));
  for (const Region& region : op.regions()) {
    for (const auto& block : region.blocks()) {
      for (size_t i = 0; i < block->num_arguments(); ++i) values.push_back(block->argument(i));
      if (block->empty()) continue;
      for (const OpOperand& operand : block->back()->operands()) values.push_back(operand.value());
    }
  }
  Value first;
  for (const Value value : values) {
    shared_.Join(first, value);
    if (value) first = value;
  }
}

}  // namespace phi::ir
