// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_set>
#include <vector>

#include "ir/core/builtin_type.h"
#include "ir/core/region.h"
#include "ir/pass/effects.h"
#include "ir/pass/passes.h"

namespace phi::ir {

namespace {

std::vector<Value> OperandsOf(const Operation& op) {
  std::vector<Value> values;
  for (const OpOperand& operand : op.operands()) values.push_back(operand.value());
  if (op.info().HasTrait(Trait::Commutative) && values.size() >= 2 && values[1].impl() < values[0].impl()) {
    std::swap(values[0], values[1]);
  }
  return values;
}

struct Hash {
  size_t operator()(const Operation* op) const {
    size_t hash = std::hash<const void*>()(op->info().impl());
    for (const Value value : OperandsOf(*op)) hash = CombineHash(hash, std::hash<Value>()(value));
    for (const Attribute attribute : op->declared_attributes()) hash = CombineHash(hash, attribute.Hash());
    return hash;
  }
};

// Attributes and types are the same object where they are equal.
struct Same {
  bool operator()(const Operation* a, const Operation* b) const {
    if (a->info() != b->info() || a->num_results() != b->num_results() || OperandsOf(*a) != OperandsOf(*b))
      return false;
    for (size_t i = 0; i < a->num_results(); ++i) {
      if (a->result(i).type() != b->result(i).type()) return false;
    }
    return std::ranges::equal(a->declared_attributes(), b->declared_attributes()) &&
           a->other_attributes() == b->other_attributes();
  }
};

class Elimination {
 public:
  explicit Elimination(const Program& program) : written_(program) {}

  // What stands before a block, and before the operations that it stands in, is seen from it.
  void Run(const Block& block) {
    std::vector<const Operation*> added;
    for (Operation* op = block.front(); op != nullptr;) {
      Operation* const next = op->next();
      for (const Region& region : op->regions()) {
        for (const auto& inner : region.blocks()) Run(*inner);
      }
      if (MayBeShared(*op)) Add(op, &added);
      op = next;
    }
    for (const Operation* op : added) seen_.erase(const_cast<Operation*>(op));
  }

  int64_t merged() const { return merged_; }

 private:
  bool MayBeShared(const Operation& op) const {
    if (!op.info().HasTrait(Trait::ReadOnly) || !op.regions().empty() || op.num_results() == 0 || !HasNoEffect(op)) {
      return false;
    }
    for (const OpOperand& operand : op.operands()) {
      if (operand.value() && written_.Contains(operand.value())) return false;
    }
    for (size_t i = 0; i < op.num_results(); ++i) {
      if (written_.Contains(op.result(i))) return false;
    }
    return true;
  }

  void Add(Operation* op, std::vector<const Operation*>* added) {
    const auto [found, is_new] = seen_.insert(op);
    if (is_new) {
      added->push_back(op);
      return;
    }
    for (size_t i = 0; i < op->num_results(); ++i) op->result(i).ReplaceAllUsesWith((*found)->result(i));
    op->Erase();
    ++merged_;
  }

  const WrittenValues written_;
  std::unordered_set<Operation*, Hash, Same> seen_;
  int64_t merged_ = 0;
};

}  // namespace

PassCounts EliminateCommonSubexpressions(Program* program) {
  Elimination elimination(*program);
  elimination.Run(*program->block());
  if (elimination.merged() == 0) return {};
  return {{"operations merged", elimination.merged()}};
}

}  // namespace phi::ir
