// SPDX-License-Identifier: Apache-2.0
#include "ir/core/verify.h"

#include <unordered_set>

#include "common/enforce.h"
#include "ir/core/builtin_attribute.h"

namespace phi::ir {

namespace {

using enforce::Format;

class Verifier {
 public:
  explicit Verifier(const Program& program) : program_(program) {}

  std::vector<std::string> Run() {
    Enter(*program_.module());
    CheckOp(*program_.module());
    return report_.messages();
  }

 private:
  // What uses need: every operation knows its block and its place in it.
  void Enter(const Operation& op) {
    for (const Region& region : op.regions()) {
      for (const auto& block : region.blocks()) {
        if (block->region() != &region) report_.Add(op, "a block of it belongs to another region");
        for (const Operation& inner : *block) {
          ops_.insert(&inner);
          Enter(inner);
        }
      }
    }
  }

  void CheckOp(const Operation& op) {
    if (report_.full()) return;
    VerifyAgainstTable(op, program_, &report_);
    CheckOperands(op);
    CheckResults(op);
    for (const Region& region : op.regions()) {
      std::vector<Value> defined;
      for (const auto& block : region.blocks()) CheckBlock(op, *block, &defined);
      for (const Value value : defined) visible_.erase(value);
    }
  }

  void CheckBlock(const Operation& parent, const Block& block, std::vector<Value>* defined) {
    const auto define = [&](Value value) {
      visible_.insert(value);
      defined->push_back(value);
    };
    for (size_t i = 0; i < block.num_arguments(); ++i) {
      CheckType(parent, Format("argument %d of its block", i), block.argument(i).type(), false);
      CheckUses(parent, block.argument(i));
      define(block.argument(i));
    }
    for (const Operation& op : block) {
      if (op.info().HasTrait(Trait::Terminator) && &op != block.back()) {
        report_.Add(op, "it ends a block, but more operations come after it");
      }
      CheckOp(op);
      for (size_t i = 0; i < op.num_results(); ++i) define(op.result(i));
    }
    const bool ends = !block.empty() && block.back()->info().HasTrait(Trait::Terminator);
    const bool is_program = &parent == program_.module();
    if (is_program && ends) report_.Add(*block.back(), "a program has no terminator");
    if (!is_program && !ends && parent.info().is_registered()) {
      report_.Add(parent, "a block of it does not end with a terminator such as cf.yield");
    }
  }

  void CheckOperands(const Operation& op) {
    const auto inputs = op.info().row().inputs;
    for (size_t i = 0; i < op.num_operands(); ++i) {
      const Value value = op.operand(i);
      const InputInfo* info = i < inputs.size() ? &inputs[i] : nullptr;
      const std::string name = info ? Format("operand %d '%s'", i, info->name) : Format("operand %d", i);
      if (!value) {
        if (info != nullptr && !info->optional && !info->is_mutable_attribute)
          report_.Add(op, name + " is absent, but not optional");
        continue;
      }
      if (visible_.count(value) == 0) {
        report_.Add(op, name + " is used before it is defined, or outside of its region");
      } else if (listed_.count(&op.operands()[i]) == 0) {
        report_.Add(op, name + " is not in the use list of its value");
      }
      if (!value.type()) {
        report_.Add(op, name + " is a result that is absent");
      }
    }
  }

  void CheckUses(const Operation& op, Value value) {
    for (const OpOperand* use = value.first_use(); use != nullptr; use = use->next_use()) {
      if (use->value() != value) report_.Add(op, "a use list of it has the use of another value");
      if (ops_.count(use->owner()) == 0)
        report_.Add(op, "a value of it is used by an operation outside of the program");
      listed_.insert(use);
    }
  }

  void CheckResults(const Operation& op) {
    const auto outputs = op.info().row().outputs;
    for (size_t i = 0; i < op.num_results(); ++i) {
      const OutputInfo* info = i < outputs.size() ? &outputs[i] : nullptr;
      const std::string name = info ? Format("result %d '%s'", i, info->name) : Format("result %d", i);
      const Type type = op.result(i).type();
      const bool is_any = !op.info().is_registered() || op.name() == "torch.call";  // which may give less than it could
      const bool is_extra = info && (info->intermediate || (i > 0 && !info->is_list));  // which a run makes for nobody
      const bool may_be_absent = is_extra || (info ? op.info().CanBeWithout(i) : is_any);
      CheckType(op, name, type, may_be_absent);
      CheckUses(op, op.result(i));
    }
  }

  void CheckType(const Operation& op, const std::string& name, Type type, bool may_be_absent) {
    if (!type) {
      if (!may_be_absent) report_.Add(op, name + " has no type");
      return;
    }
    if (type.context() != program_.context()) report_.Add(op, name + ": its type is of another context");
    std::vector<int64_t> symbols;
    CollectSymbols(type, &symbols);
    for (const int64_t symbol : symbols) {
      if (symbol < static_cast<int64_t>(program_.symbols().size())) continue;
      report_.Add(op, Format("%s: %s has the symbol s%d, which the program does not define", name, type, symbol));
    }
  }

  const Program& program_;
  Report report_;
  std::unordered_set<const Operation*> ops_;
  std::unordered_set<Value> visible_;
  std::unordered_set<const OpOperand*> listed_;  // the uses of the values so far
};

}  // namespace

void Report::Add(const Operation& op, const std::string& what) {
  if (!full()) messages_.push_back(Describe(op) + ": " + what);
}

std::vector<std::string> Verify(const Program& program) { return Verifier(program).Run(); }

}  // namespace phi::ir
