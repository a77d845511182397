// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/core/builder.h"
#include "ir/core/memory_effect.h"
#include "ir/core/region.h"
#include "ir/pass/passes.h"

namespace phi::ir {

namespace {

// The operation of a block that a use stands in; null where it is in another one.
const Operation* InBlock(const Operation* use, const Block* block) {
  while (use != nullptr && use->block() != block) use = use->parent_op();
  return use;
}

class Functionalization {
 public:
  explicit Functionalization(Program* program) : program_(program) {}

  PassCounts Run() {
    Walk(program_->module(), [this](Operation* op) {
      Number(op->block());
      CountShared(*op);
    });
    Walk(program_->module(), [this](Operation* op) {
      if (!op->info().HasTrait(Trait::Inplace) || !op->name().ends_with('_')) return;
      const OpInfo plain = program_->context()->GetOpInfo(op->name().substr(0, op->name().size() - 1));
      if (!plain.is_registered() || plain.row().outputs.size() != op->info().row().outputs.size()) return;
      if (EffectsOf(*op).written.empty() || (!op->info().HasTrait(Trait::ViewLike) && SeenByResultsAlone(*op)))
        Replace(op, plain);
    });
    if (replaced_ == 0) return {};
    return {{"operations that write no more", replaced_}};
  }

 private:
  void Number(const Block* block) {
    if (block == nullptr || !numbered_.insert(block).second) return;
    int64_t number = 0;
    for (const Operation& op : *block) order_[&op] = number++;
  }

  // How many values may share the memory of each.
  void CountShared(const Operation& op) {
    const auto count = [&](Value value) {
      if (value) ++sharers_[value];
    };
    for (const auto& [operand, result] : op.info().row().inplace) {
      if (static_cast<size_t>(operand) < op.num_operands()) count(op.operand(operand));
    }
    if (!op.regions().empty() || !op.info().is_registered() || op.name().starts_with("builtin.")) {
      for (const OpOperand& operand : op.operands()) count(operand.value());
    }
  }

  // Whether what it writes is read by nobody that comes later, but through its results. Views of it would be, and
  // weights, and what comes from outside of a block that runs more than once.
  bool SeenByResultsAlone(const Operation& op) const {
    for (const auto& [operand, result] : op.info().row().inplace) {
      if (static_cast<size_t>(operand) >= op.num_operands() || !op.operand(operand)) continue;
      const Value from = op.operand(operand);
      const Operation* made = from.defining_op();
      if (made == nullptr || made->block() != op.block() || sharers_.at(from) != 1) return false;
      if (made->name() == "builtin.parameter" || !made->info().row().inplace.empty()) return false;
      if (!made->info().is_registered() || made->name().starts_with("builtin.") || !made->regions().empty()) {
        return false;
      }
    }
    return true;
  }

  void Replace(Operation* op, OpInfo plain) {
    std::vector<Value> operands;
    for (const OpOperand& operand : op->operands()) operands.push_back(operand.value());
    std::vector<Type> types;
    for (size_t i = 0; i < op->num_results(); ++i) types.push_back(op->result(i).type());
    Operation* pure = Operation::Create(program_->context(), plain, operands, op->other_attributes(), types);
    std::ranges::copy(op->declared_attributes(), pure->declared_attributes().begin());
    Builder(program_, op->block(), op).Insert(pure);
    pure->set_location(op->location());
    order_[pure] = order_.at(op);
    const bool keeps = EffectsOf(*op).written.empty();
    for (const auto& [operand, result] : op->info().row().inplace) {
      if (keeps || !op->operand(operand)) continue;
      // who comes later sees what was written
      std::vector<OpOperand*> later;
      for (OpOperand* use = op->operand(operand).first_use(); use != nullptr; use = use->next_use()) {
        const Operation* at = InBlock(use->owner(), op->block());
        if (at != nullptr && at != op && at != pure && order_.at(at) > order_.at(op)) later.push_back(use);
      }
      for (OpOperand* use : later) use->set(pure->result(result));
    }
    for (size_t i = 0; i < op->num_results(); ++i) {
      if (!op->result_name(i).empty()) pure->set_result_name(i, op->result_name(i));
      if (const auto count = sharers_.find(op->result(i)); count != sharers_.end()) {
        sharers_[pure->result(i)] = count->second;
      }
      op->result(i).ReplaceAllUsesWith(pure->result(i));
    }
    order_.erase(op);
    op->Erase();
    ++replaced_;
  }

  Program* const program_;
  std::unordered_set<const Block*> numbered_;
  std::unordered_map<const Operation*, int64_t> order_;
  std::unordered_map<Value, int> sharers_;
  int64_t replaced_ = 0;
};

}  // namespace

PassCounts Functionalize(Program* program) { return Functionalization(program).Run(); }

}  // namespace phi::ir
