// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/core/builder.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/builtin_type.h"
#include "ir/core/ir_mapping.h"
#include "ir/pass/constants.h"
#include "ir/pass/passes.h"
#include "ir/pass/rewrite/matcher.h"

namespace phi::ir {

namespace {

using Group = std::vector<Operation*>;  // products of one tensor, in the order of their block

// The size of a dimension of a tensor of that rank; -1 where it is no number, and of anything else.
int64_t SizeOf(Value value, int64_t rank, int64_t axis) {
  const auto type = value.type().dyn_cast<DenseTensorType>();
  if (!type || static_cast<int64_t>(type.dims().size()) != rank) return -1;
  const Dim& dim = type.dims()[axis];
  return dim.is_number() ? dim.number() : -1;
}

int64_t RankOf(Value value) {
  const auto type = value.type().dyn_cast<DenseTensorType>();
  return type ? static_cast<int64_t>(type.dims().size()) : 0;
}

bool TransposesWeight(const Operation& op) { return ConstantBool(op, "transpose_y").value_or(false); }

// The dimension of a product's weight that holds its columns.
int64_t AxisOf(const Operation& op) { return TransposesWeight(op) ? 0 : 1; }

int64_t ColumnsOf(const Operation& op) { return SizeOf(op.operand(1), 2, AxisOf(op)); }

// Whether one product may compute both.
bool AreAlike(const Operation& a, const Operation& b) {
  if (a.info() != b.info() || a.block() != b.block() ||
      !std::ranges::equal(a.declared_attributes(), b.declared_attributes()))
    return false;
  if (SizeOf(a.operand(1), 2, 1 - AxisOf(a)) != SizeOf(b.operand(1), 2, 1 - AxisOf(b))) return false;
  for (size_t i = 1; i < a.num_operands(); ++i) {
    const Value x = a.operand(i), y = b.operand(i);
    if (static_cast<bool>(x) != static_cast<bool>(y)) return false;
    if (x && x.type().dyn_cast<DenseTensorType>().dtype() != y.type().dyn_cast<DenseTensorType>().dtype()) return false;
  }
  return true;
}

class Merging {
 public:
  explicit Merging(Program* program) : program_(program), written_(*program), matched_{program, &written_} {}

  PassCounts Run() {
    Walk(program_->module(), [this](Operation* op) {
      order_[op] = static_cast<int64_t>(order_.size());
      if (IsCandidate(*op)) Add(op);
    });
    int64_t merged = 0;
    for (const Group& group : groups_) {
      if (group.size() > 1 && Merge(group)) merged += static_cast<int64_t>(group.size());
    }
    if (merged == 0) return {};
    return {{"products merged", merged}};
  }

 private:
  bool IsCandidate(const Operation& op) const {
    const bool has_bias = op.name() == "pd_op.fc";
    if ((!has_bias && op.name() != "pd_op.matmul")) return false;
    if (ConstantBool(op, "padding_weights").value_or(false)) return false;
    const Value x = op.operand(0), weight = op.operand(1);
    if (!x || !weight || ColumnsOf(op) < 1 || SizeOf(weight, 2, 1 - AxisOf(op)) < 1) return false;
    if (written_.Contains(x) || written_.Contains(op.result(0)) || IsConstant(x, matched_)) return false;
    if (has_bias && op.operand(2)) {
      if (SizeOf(op.operand(2), 1, 0) != ColumnsOf(op) || !IsConstant(op.operand(2), matched_)) return false;
    }
    const int64_t rank = RankOf(op.result(0));
    return rank > 0 && SizeOf(op.result(0), rank, rank - 1) == ColumnsOf(op) && IsConstant(weight, matched_);
  }

  void Add(Operation* op) {
    std::vector<size_t>& of_x = by_x_[op->operand(0)];
    for (const size_t i : of_x) {
      if (AreAlike(*groups_[i].front(), *op)) return groups_[i].push_back(op);
    }
    of_x.push_back(groups_.size());
    groups_.push_back({op});
  }

  // False, and nothing has changed, where the parts are not what the products were.
  bool Merge(const Group& group) {
    Operation* first = group.front();
    made_.clear();
    std::vector<Value> operands = {first->operand(0), Joined(group, 1, AxisOf(*first))};
    if (first->num_operands() > 2) operands.push_back(first->operand(2) ? Joined(group, 2, 0) : Value());
    std::vector<NamedAttribute> attributes;
    const auto declared = first->info().row().attributes;
    for (size_t i = 0; i < declared.size(); ++i) {
      if (first->declared_attributes()[i]) attributes.emplace_back(declared[i].name, first->declared_attributes()[i]);
    }
    const Value product = Create(first, first->name(), operands, attributes);
    std::vector<Value> parts;
    int64_t start = 0;
    for (const Operation* op : group) {
      parts.push_back(Part(first, product, start, start + ColumnsOf(*op)));
      start += ColumnsOf(*op);
      parts.back().defining_op()->set_location(op->location());
      if (parts.back().type() == op->result(0).type()) continue;
      for (auto it = made_.rbegin(); it != made_.rend(); ++it) (*it)->Erase();
      return false;
    }
    for (size_t i = 0; i < group.size(); ++i) {
      parts[i].defining_op()->set_result_name(0, group[i]->result_name(0));
      group[i]->result(0).ReplaceAllUsesWith(parts[i]);
      group[i]->Erase();
    }
    return true;
  }

  // The operands of a group, one beside the other: in the block of the program, where constants are folded.
  Value Joined(const Group& group, size_t operand, int64_t axis) {
    Operation* top = group.front();
    while (top->block() != program_->block()) top = top->parent_op();
    std::vector<Value> values;
    std::vector<Type> types;
    IrMapping moved;
    for (const Operation* op : group) {
      values.push_back(Before(top, op->operand(operand), &moved));
      types.push_back(values.back().type());
    }
    const Type list = VectorType::get(program_->context(), {std::move(types)});
    Operation* combine = Builder(program_, top->block(), top).Create("builtin.combine", values, {}, {&list, 1});
    made_.push_back(combine);
    const NamedAttribute attributes[] = {
        {"axis", ScalarAttribute::Integer(program_->context(), DataType::INT64, axis)}};
    return Create(top, "pd_op.concat", {combine->result(0), Value()}, attributes);
  }

  // A constant that is there before an operation of the program's block: itself, or what computes it once more.
  Value Before(Operation* top, Value value, IrMapping* moved) {
    const Operation* op = value.defining_op();
    if (op->block() == top->block() && order_.at(op) < order_.at(top)) return value;
    if (const Value found = moved->Lookup(value); found != value) return found;
    for (const OpOperand& operand : op->operands()) {
      if (operand.value()) moved->Add(operand.value(), Before(top, operand.value(), moved));
    }
    made_.push_back(Builder(program_, top->block(), top).Insert(Clone(*op, moved)));
    return moved->Lookup(value);
  }

  // Of the last dimension.
  Value Part(Operation* at, Value value, int64_t start, int64_t end) {
    IrContext* context = program_->context();
    const auto list = [&](int64_t number) {
      return ArrayAttribute::get(context, {{Int64Attribute::get(context, number)}});
    };
    const NamedAttribute attributes[] = {{"axes", list(RankOf(value) - 1)},
                                         {"starts", IntArrayAttribute::get(context, {{start}})},
                                         {"ends", IntArrayAttribute::get(context, {{end}})}};
    return Create(at, "pd_op.slice", {value, Value(), Value()}, attributes);
  }

  Value Create(Operation* before,
               const std::string& name,
               const std::vector<Value>& operands,
               std::span<const NamedAttribute> attributes) {
    Operation* op = Builder(program_, before->block(), before).Create(name, operands, attributes);
    op->set_location(before->location());
    made_.push_back(op);
    return op->result(0);
  }

  Program* const program_;
  const WrittenValues written_;
  const MatchedProgram matched_;
  std::unordered_map<const Operation*, int64_t> order_;
  std::unordered_map<Value, std::vector<size_t>> by_x_;  // places in groups_
  std::vector<Group> groups_;
  std::vector<Operation*> made_;  // for the group that is merged
};

}  // namespace

PassCounts MergeParallelProducts(Program* program) { return Merging(program).Run(); }

}  // namespace phi::ir
