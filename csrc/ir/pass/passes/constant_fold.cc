// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "common/enforce.h"
#include "ir/core/builder.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/builtin_type.h"
#include "ir/core/ir_mapping.h"
#include "ir/exec/executable.h"
#include "ir/pass/effects.h"
#include "ir/pass/passes.h"

namespace phi::ir {

namespace {

constexpr int64_t kMostBytes = 64 << 10, kMostGrowth = 4;  // what a result may take: this, or times what it is made of

// Of a dense tensor whose sizes are numbers, or a list of them; -1 of anything else.
int64_t BytesOf(Type type) {
  if (const auto list = type.dyn_cast<VectorType>()) {
    int64_t sum = 0;
    for (const Type element : list.elements()) {
      const int64_t bytes = element ? BytesOf(element) : -1;
      if (bytes < 0) return -1;
      sum += bytes;
    }
    return sum;
  }
  const auto tensor = type.dyn_cast<DenseTensorType>();
  if (!tensor) return -1;
  int64_t bytes = static_cast<int64_t>(SizeOf(tensor.dtype()));
  for (const Dim& dim : tensor.dims()) {
    if (!dim.is_number() || __builtin_mul_overflow(bytes, dim.number(), &bytes)) return -1;
  }
  return bytes;
}

class Folding {
 public:
  explicit Folding(Program* program) : program_(program), written_(*program) {}

  PassCounts Run() {
    for (Operation& op : *program_->block()) Visit(&op);
    const std::vector<Value> results = Results();
    if (results.empty()) return {};
    std::vector<DenseTensor> values;
    try {
      values = Evaluate(results);
    } catch (const enforce::EnforceNotMet&) {  // what cannot be run, a run reports
      return {};
    }
    for (size_t i = 0; i < results.size(); ++i) Replace(results[i], std::move(values[i]));
    return {{"weights made", static_cast<int64_t>(results.size())}};
  }

 private:
  // What is known of a value that is the same in all runs.
  struct Known {
    int64_t bytes;       // of the weights that it is made of
    std::string weight;  // the name of one of them; empty without any
  };

  void Visit(Operation* op) {
    if (op->name() == "builtin.parameter") {
      const auto name = op->attribute<StrAttribute>("name");
      const Parameter* weight = name ? program_->weights()->Find(name.data()) : nullptr;
      if (weight == nullptr || weight->is_mutable || written_.Contains(op->result(0))) return;
      known_[op->result(0)] = {std::max<int64_t>(BytesOf(op->result(0).type()), 0), name.data()};
      return;
    }
    Known made{0, ""};
    if (!op->info().HasTrait(Trait::ReadOnly) || !op->regions().empty() || !HasNoEffect(*op)) return;
    for (const OpOperand& operand : op->operands()) {
      if (!operand.value()) continue;
      const auto found = known_.find(operand.value());
      if (found == known_.end()) return;
      made.bytes += found->second.bytes;
      if (made.weight.empty()) made.weight = found->second.weight;
    }
    int64_t bytes = 0;
    for (size_t i = 0; i < op->num_results(); ++i) {
      const int64_t of_result = op->result(i).type() ? BytesOf(op->result(i).type()) : 0;
      if (of_result < 0 || written_.Contains(op->result(i))) return;
      bytes += of_result;
    }
    // a view of a large weight costs nothing, and a copy of it memory
    const bool is_large_view = op->info().HasTrait(Trait::ViewLike) && bytes > kMostBytes;
    if (is_large_view || bytes > std::max(kMostBytes, kMostGrowth * made.bytes)) return;
    for (size_t i = 0; i < op->num_results(); ++i) known_[op->result(i)] = made;
    if (!made.weight.empty()) folded_.insert(op);
  }

  // Those that something else uses.
  std::vector<Value> Results() const {
    std::vector<Value> results;
    for (Operation& op : *program_->block()) {
      if (!folded_.contains(&op)) continue;
      for (size_t i = 0; i < op.num_results(); ++i) {
        const Value result = op.result(i);
        bool is_used = false;
        for (const OpOperand* use = result.first_use(); use != nullptr; use = use->next_use()) {
          is_used |= !folded_.contains(use->owner());
        }
        if (is_used && result.type().isa<DenseTensorType>()) results.push_back(result);
      }
    }
    return results;
  }

  std::vector<DenseTensor> Evaluate(const std::vector<Value>& results) const {
    Program part(program_->shared_context(), program_->weights());
    std::unordered_set<const Operation*> needed;
    std::vector<Operation*> open;
    const auto need = [&](Value value) {
      Operation* op = value ? value.defining_op() : nullptr;
      if (op != nullptr && needed.insert(op).second) open.push_back(op);
    };
    for (const Value result : results) need(result);
    while (!open.empty()) {
      const Operation* op = open.back();
      open.pop_back();
      for (const OpOperand& operand : op->operands()) need(operand.value());
    }
    IrMapping mapping;
    for (const Operation& op : *program_->block()) {
      if (needed.contains(&op)) part.block()->Insert(Clone(op, &mapping));
    }
    Builder builder(&part);
    for (size_t i = 0; i < results.size(); ++i) {
      const Value value = mapping.Lookup(results[i]);
      const NamedAttribute attributes[] = {{"name", StrAttribute::get(part.context(), "weight" + std::to_string(i))},
                                           {"col", Int32Attribute::get(part.context(), static_cast<int32_t>(i))}};
      const Type type = value.type();
      builder.Create("pd_op.fetch", {&value, 1}, attributes, {&type, 1});
    }
    Executable executable(part, {});
    return executable.Run({});
  }

  void Replace(Value result, DenseTensor value) const {
    Weights* weights = program_->weights().get();
    Operation* op = result.defining_op();
    const std::string base = known_.at(result).weight + ".folded";
    std::string name = base;
    for (int i = 1; weights->Find(name) != nullptr; ++i) name = base + "." + std::to_string(i);
    Parameter parameter;
    parameter.dtype = value.dtype();
    parameter.dims.assign(value.dims().begin(), value.dims().end());
    auto owner = std::make_shared<DenseTensor>(std::move(value));
    parameter.data = const_cast<void*>(std::as_const(*owner).data());
    parameter.owner = std::move(owner);
    weights->Set(name, std::move(parameter));
    const NamedAttribute attributes[] = {{"name", StrAttribute::get(program_->context(), name)}};
    const Type type = result.type();
    Operation* weight = Builder(program_, op->block(), op).Create("builtin.parameter", {}, attributes, {&type, 1});
    weight->set_location(op->location());
    result.ReplaceAllUsesWith(weight->result(0));
  }

  Program* const program_;
  const WrittenValues written_;
  std::unordered_map<Value, Known> known_;
  std::unordered_set<const Operation*> folded_;
};

}  // namespace

PassCounts FoldConstants(Program* program) { return Folding(program).Run(); }

}  // namespace phi::ir
