// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "common/enforce.h"
#include "ir/core/infer_type.h"
#include "ir/core/region.h"
#include "ir/core/region_branch.h"
#include "ir/core/type_sizes.h"

namespace phi::ir {

namespace {

std::optional<InferredTypes> TryToInfer(const Operation& op, const Program& program) {
  try {
    const auto inferred = InferTypes(op, program);
    if (inferred && !std::ranges::all_of(inferred->types, &HasCountableElements)) return std::nullopt;
    return inferred;
  } catch (const enforce::EnforceNotMet&) {  // the verifier says what is wrong with an operation
    return std::nullopt;
  }
}

class Refiner {
 public:
  explicit Refiner(Program* program) : program_(program) {}

  void Run(const Block& block) {
    for (Operation& op : block) {
      bool proven = true;
      for (const OpOperand& operand : op.operands()) proven &= !operand.value() || !unproven_.contains(operand.value());
      const auto* branch = op.info().GetInterface<RegionBranch>();
      if (branch == nullptr) {
        for (const Region& region : op.regions()) Run(region);
        proven &= RunOp(op);
      } else if (branch->repeats && Fits(op, *branch)) {
        proven &= RunLoop(op, *branch);
      } else {
        proven &= RunBranches(op, *branch);
      }
      NameSizes(program_, op);
      MarkProven(&op, proven);
      for (size_t i = 0; i < op.num_results(); ++i) {
        if (!proven) unproven_.insert(op.result(i));
      }
    }
  }

 private:
  void Run(const Region& region) {
    for (const auto& block : region.blocks()) Run(*block);
  }

  // All of these return whether the results are proven.
  bool RunOp(Operation& op) {
    if (op.num_results() == 0) return true;
    const auto inferred = TryToInfer(op, *program_);
    if (!inferred || inferred->types.size() != op.num_results()) return false;
    bool proven = inferred->proven;
    for (size_t i = 0; i < op.num_results(); ++i) {
      if (IsOfList(op)) {
        op.result(i).set_type(inferred->types[i]);
      } else {
        proven &= Refine(op.result(i), inferred->types[i]);
      }
    }
    return proven;
  }

  // A list has the types of its values, whatever a file says: Paddle leaves them where the sizes of a loop change.
  static bool IsOfList(const Operation& op) {
    return op.name() == "builtin.combine" || (op.name() == "builtin.split" && op.operand(0));
  }

  bool Refine(Value value, Type inferred) {
    const Merged merged = Merge(value.type(), inferred);
    if (merged.type) value.set_type(merged.type);
    contradicted_.erase(value);
    if (!merged.type && WithoutContradiction(value.type(), inferred)) contradicted_[value] = inferred;
    return merged.proven && (merged.type || !value.type() || !value.has_uses());
  }

  static const Operation* YieldOf(const Region& region) {
    const Operation* last = region.size() == 1 ? region.block(0)->back() : nullptr;
    return last != nullptr && last->info().HasTrait(Trait::Terminator) ? last : nullptr;
  }

  bool RunBranches(Operation& op, const RegionBranch::Concept& branch) {
    for (const Region& region : op.regions()) Run(region);
    bool proven = true;
    for (size_t i = 0; i < op.num_results(); ++i) {
      Type type;
      bool first = true;
      for (const Region& region : op.regions()) {
        const Operation* yield = YieldOf(region);
        const size_t at = i + static_cast<size_t>(branch.first_yielded);
        if (yield == nullptr || at >= yield->num_operands() || !yield->operand(at)) return false;
        proven &= !unproven_.contains(yield->operand(at));
        type = first ? yield->operand(at).type() : Common(type, yield->operand(at).type());
        first = false;
      }
      proven &= Refine(op.result(i), type);
    }
    return proven;
  }

  static bool Fits(const Operation& op, const RegionBranch::Concept& branch) {
    if (op.regions().size() != 1 || op.regions()[0].size() != 1) return false;
    const Block& body = *op.regions()[0].block(0);
    const Operation* yield = YieldOf(op.regions()[0]);
    const size_t count = body.num_arguments();
    return yield != nullptr && op.num_operands() == count + static_cast<size_t>(branch.first_operand) &&
           op.num_results() == count && yield->num_operands() == count + static_cast<size_t>(branch.first_yielded);
  }

  using Types = std::vector<std::pair<Value, Type>>;
  static void Collect(const Block& block, Types* types) {
    for (size_t i = 0; i < block.num_arguments(); ++i) types->emplace_back(block.argument(i), block.argument(i).type());
    for (const Operation& op : block) {
      for (size_t i = 0; i < op.num_results(); ++i) types->emplace_back(op.result(i), op.result(i).type());
      for (const Region& region : op.regions()) {
        for (const auto& inner : region.blocks()) Collect(*inner, types);
      }
    }
  }

  static Type WithUnknown(Type type, const std::vector<bool>& unknown) {
    const auto tensor = type.dyn_cast<TensorType>();
    if (!tensor || tensor.dims().size() != unknown.size()) return type;
    TensorTypeKey key = tensor.key();
    for (size_t i = 0; i < unknown.size(); ++i) {
      if (unknown[i]) key.dims[i] = Dim();
    }
    return TensorType::get(type.context(), std::move(key));
  }

  // Forgets the sizes that the body's operators contradict: a size changes where operators change it, and not where a
  // file says so of one. False where there are none.
  bool Forget(Types* types) const {
    bool found = false;
    for (auto& [value, type] : *types) {
      const auto at = contradicted_.find(value);
      const Type known = at != contradicted_.end() ? WithoutContradiction(type, at->second) : Type();
      if (!known) continue;
      type = known;
      found = true;
    }
    return found;
  }

  // A size that the body changes has a symbol of its own in it, and another one after it.
  bool RunLoop(Operation& op, const RegionBranch::Concept& branch) {
    const Block& body = *op.regions()[0].block(0);
    const size_t count = body.num_arguments();
    const auto initial = [&](size_t i) { return op.operand(i + static_cast<size_t>(branch.first_operand)); };
    Types before;
    Collect(body, &before);
    const size_t symbols = program_->symbols().size();
    std::vector<std::vector<bool>> changes(count);
    std::vector<Type> entry(count);
    for (size_t i = 0; i < count; ++i) {
      const Merged merged = initial(i) ? Merge(body.argument(i).type(), initial(i).type()) : Merged();
      if (!merged.type) return false;
      entry[i] = merged.type;
      const auto tensor = merged.type.dyn_cast<TensorType>();
      changes[i].resize(tensor ? tensor.dims().size() : 0);
    }
    for (;;) {
      for (const auto& [value, type] : before) {
        value.set_type(type);
        unproven_.erase(value);
      }
      program_->symbols().Truncate(symbols);
      for (size_t i = 0; i < count; ++i) {
        const std::string name = body.argument(i).name().empty() ? op.name() : body.argument(i).name();
        body.argument(i).set_type(Named(program_, WithUnknown(entry[i], changes[i]), name, 0));
      }
      Run(body);
      if (!Forget(&before) && !FindChanges(op, branch, &changes)) break;
    }
    bool proven = true;
    for (size_t i = 0; i < count; ++i) {
      proven &= !unproven_.contains(initial(i));
      proven &= Refine(op.result(i), WithUnknown(entry[i], changes[i]));
    }
    return proven;
  }

  // Notes what the body yields of another size than it was given; false where there is nothing new.
  bool FindChanges(const Operation& op,
                   const RegionBranch::Concept& branch,
                   std::vector<std::vector<bool>>* changes) const {
    bool found = false;
    const Operation& yield = *YieldOf(op.regions()[0]);
    for (size_t i = 0; i < changes->size(); ++i) {
      const Value next = yield.operand(i + static_cast<size_t>(branch.first_yielded));
      const auto given = op.regions()[0].block(0)->argument(i).type().dyn_cast<TensorType>();
      const auto made = next ? next.type().dyn_cast<TensorType>() : TensorType();
      for (size_t d = 0; d < (*changes)[i].size(); ++d) {
        const bool same = made && made.dims().size() == given.dims().size() && made.dims()[d] == given.dims()[d];
        if ((*changes)[i][d] || (same && !unproven_.contains(next))) continue;
        (*changes)[i][d] = found = true;
      }
    }
    return found;
  }

  Program* const program_;
  std::unordered_set<Value> unproven_;
  std::unordered_map<Value, Type> contradicted_;  // by what their operators say
};

}  // namespace

void RefineTypes(Program* program) { Refiner(program).Run(*program->block()); }

}  // namespace phi::ir
