// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

#include "ir/core/builder.h"
#include "ir/core/builtin_type.h"
#include "ir/core/region.h"
#include "ir/core/tile_program.h"
#include "ir/core/type_sizes.h"
#include "ir/pass/effects.h"
#include "ir/pass/passes.h"
#include "ir/shape/shared_dims.h"

namespace phi::ir {

namespace {

constexpr const char* kFused = "pd_kernel.fused_elementwise";

class ElementwiseFusion {
 public:
  explicit ElementwiseFusion(Program* program) : program_(program), written_(*program) {}

  PassCounts Run() {
    Visit(program_->block());
    PassCounts counts;
    for (Group& group : groups_) {
      if (group.size() < 2) continue;
      Fuse(group);
      ++counts["fused operations"];
      counts["operations in them"] += static_cast<int64_t>(group.size());
    }
    return counts;
  }

 private:
  using Group = std::vector<Operation*>;  // the last of its block first

  // From the end, so that those that use a result are in their groups already.
  void Visit(Block* block) {
    for (Operation* op = block->back(); op != nullptr; op = op->previous()) {
      if (op->name() == kFused) continue;
      for (const Region& region : op->regions()) {
        for (const auto& inner : region.blocks()) Visit(inner.get());
      }
      if (IsCandidate(*op)) Add(op);
    }
  }

  void Add(Operation* op) {
    size_t group = GroupOfUsers(*op);
    if (group == groups_.size()) groups_.emplace_back();
    groups_[group].push_back(op);
    group_of_[op] = group;
  }

  // That of all operations which use the result, where they make tensors of its shape; else a new one.
  size_t GroupOfUsers(const Operation& op) const {
    size_t group = groups_.size();
    for (const OpOperand* use = op.result(0).first_use(); use != nullptr; use = use->next_use()) {
      const auto found = group_of_.find(use->owner());
      const bool fits = found != group_of_.end() && use->owner()->block() == op.block() &&
                        DimsOf(use->owner()->result(0)) == DimsOf(op.result(0));
      if (!fits || (group != groups_.size() && group != found->second)) return groups_.size();
      group = found->second;
    }
    return group;
  }

  static const std::vector<Dim>& DimsOf(Value value) { return value.type().dyn_cast<DenseTensorType>().dims(); }

  bool IsCandidate(const Operation& op) const {
    const auto* tile = op.info().GetInterface<TileProgram>();
    if (tile == nullptr || op.attribute(kUnproven) || !HasNoEffect(op) || !IsOwnTensor(op.result(0))) return false;
    for (size_t i = 0; i < op.num_operands(); ++i) {
      const Value value = op.operand(i);
      const bool is_tensor = i < static_cast<size_t>(tile->tensors);
      if (is_tensor ? !value || !Fits(value, op.result(0)) : !IsConstantArgument(value)) return false;
    }
    return true;
  }

  // A tensor of known sizes whose memory nobody writes.
  bool IsOwnTensor(Value value) const {
    const auto type = value.type().dyn_cast<DenseTensorType>();
    return type && !written_.Contains(value) && std::ranges::none_of(type.dims(), &Dim::is_unknown);
  }

  bool Fits(Value operand, Value result) const {
    return IsOwnTensor(operand) && SharedDims<Dim>(DimsOf(operand), DimsOf(result)).has_value();
  }

  // What gives the value of an attribute, which is known before a run then.
  static bool IsConstantArgument(Value value) {
    return !value || (value.defining_op() != nullptr && value.defining_op()->name() == "pd_op.full");
  }

  // The operations move to where the last one is: nobody else uses what the others make, and nobody writes what they
  // read.
  void Fuse(const Group& group) {
    Operation* last = group.front();
    const Type type = last->result(0).type();
    Operation* fused =
        Builder(program_, last->block(), last).Create(kFused, std::span<const Value>(), {}, {&type, 1}, 1);
    fused->set_location(last->location());
    fused->set_result_name(0, last->result_name(0));
    last->set_result_name(0, "");
    last->result(0).ReplaceAllUsesWith(fused->result(0));
    Block* body = fused->regions()[0].AddBlock();
    for (Operation* op : group) {
      op->block()->Remove(op);
      body->Insert(op, body->front());
    }
    const Value result = last->result(0);
    Builder(program_, body).Create("cf.yield", {&result, 1}, {}, std::span<const Type>());
  }

  Program* const program_;
  const WrittenValues written_;
  std::vector<Group> groups_;
  std::unordered_map<const Operation*, size_t> group_of_;
};

}  // namespace

PassCounts FuseElementwise(Program* program) { return ElementwiseFusion(program).Run(); }

}  // namespace phi::ir
