// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/kernel_program.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "ir/core/builtin_attribute.h"
#include "ir/exec/kernel_call.h"
#include "ir/exec/slot_values.h"

namespace phi::ir {

namespace {

class KernelProgramBuilder {
 public:
  KernelProgramBuilder(const Lowered& lowered, const Schedule& schedule)
      : lowered_(lowered),
        schedule_(schedule),
        program_(std::make_unique<Program>(lowered.program->shared_context(),
                                           std::make_shared<Weights>(*lowered.program->weights()))),
        values_(lowered, schedule, program_.get()) {}

  std::unique_ptr<Program> Run() {
    for (size_t i = 0; i < schedule_.inputs.size(); ++i) AddInput(lowered_.inputs[i], schedule_.inputs[i]);
    for (size_t i = 0; i < schedule_.parameters.size(); ++i) {
      const int slot = schedule_.parameters[i].first;
      const NamedAttribute name{"name", Text(lowered_.parameters[i].name)};
      values_.Define(slot, values_.Create("builtin.parameter", {}, {name}, {values_.TypeOf(slot)})->result(0));
    }
    AddAll(schedule_.actions);
    for (size_t i = 0; i < schedule_.outputs.size(); ++i) {
      const int slot = schedule_.outputs[i];
      const Attribute col = Int32Attribute::get(context(), static_cast<int32_t>(i));
      values_.Create("pd_op.fetch",
                     {values_.At(slot)},
                     {{"name", Text(lowered_.outputs[i].name)}, {"col", col}},
                     {values_.TypeOf(slot)});
    }
    return std::move(program_);
  }

 private:
  IrContext* context() const { return program_->context(); }
  Attribute Text(std::string text) const { return StrAttribute::get(context(), std::move(text)); }

  // Those that are there.
  std::pair<Slots, std::vector<Type>> ResultsOf(const Step& step) const {
    std::pair<Slots, std::vector<Type>> found;
    for (const Slots& slots : step.outputs) {
      for (const int slot : slots) {
        if (!values_.TypeOf(slot)) continue;
        found.first.push_back(slot);
        found.second.push_back(values_.TypeOf(slot));
      }
    }
    return found;
  }

  void AddInput(const Port& port, int slot) {
    std::vector<int64_t> dims(schedule_.metas[slot].dims.begin(), schedule_.metas[slot].dims.end());
    const std::vector<NamedAttribute> attributes = {
        {"name", Text(port.name)},
        {"shape", IntArrayAttribute::get(context(), {std::move(dims)})},
        {"dtype", DataTypeAttribute::get(context(), schedule_.metas[slot].dtype)}};
    Operation* data = values_.Create("pd_op.data", {}, attributes, {values_.TypeOf(slot)});
    data->set_result_name(0, port.name);
    values_.Define(slot, data->result(0));
  }

  // ---- what runs

  void AddAll(const std::vector<Action>& actions) {
    for (const Action& action : actions) Add(action);
  }

  void Add(const Action& action) {
    switch (action.kind) {
      case Action::Kind::If:
        return AddIf(action);
      case Action::Kind::While:
        return AddWhile(action);
      case Action::Kind::Tiles:
        return AddTiles(action);
      case Action::Kind::Copy:
        return AddTransfer(action, {});
      case Action::Kind::Kernel:
        if (!action.moves.empty()) return AddTransfer(action, {{"key", Key(action.chosen())}});
        break;
      case Action::Kind::Dynamic:
      case Action::Kind::Native:
        break;
    }
    AddCall(action);
  }

  Attribute Key(const phi::Plan& plan) const { return KernelKeyAttribute::get(context(), plan.selected.key); }

  void AddTransfer(const Action& action, std::vector<NamedAttribute> attributes) {
    const auto [from, to] = action.moves.front();
    attributes.emplace_back("memory", Places({to}));
    Operation* op = values_.Create("pd_kernel.transfer", {values_.At(from)}, attributes, {values_.TypeOf(to)});
    values_.Define(to, op->result(0));
  }

  void AddCall(const Action& action) {
    const Step& step = *action.step;
    std::vector<Value> operands = values_.AllAt(action.inputs());
    std::vector<NamedAttribute> attributes = {{"op", Text(step.op->name())}};
    if (action.kind != Action::Kind::Native) {
      attributes.emplace_back("kernel", Text(action.chosen().kernel_name));
      attributes.emplace_back("key", Key(action.chosen()));
      std::ranges::move(KnownArguments(context(), action), std::back_inserter(attributes));
    }
    if (!action.own_attributes) AddTensorArguments(step, &operands, &attributes);
    const auto [results, types] = ResultsOf(step);
    if (!results.empty()) attributes.emplace_back("memory", Places(results));
    Operation* op = values_.Create("pd_kernel.call", operands, attributes, types);
    op->set_location(step.op->location());
    for (size_t i = 0; i < results.size(); ++i) values_.Define(results[i], op->result(i));
    if (results.size() != step.op->num_results()) return;
    for (size_t i = 0; i < results.size(); ++i) {
      if (!step.op->result_name(i).empty()) op->set_result_name(i, step.op->result_name(i));
    }
  }

  // Arguments that only a run tells are the last operands.
  void AddTensorArguments(const Step& step, std::vector<Value>* operands, std::vector<NamedAttribute>* attributes) {
    std::vector<Attribute> names;
    for (const auto& [i, slots] : step.tensor_attributes) {
      for (const int slot : slots) {
        operands->push_back(values_.At(slot));
        names.push_back(Text(ArgumentName(step, i)));
      }
    }
    if (names.empty()) return;
    attributes->emplace_back("tensor_arguments", ArrayAttribute::get(context(), {std::move(names)}));
  }

  Attribute Places(const Slots& slots) const {
    std::vector<Attribute> places;
    for (const int slot : slots) places.push_back(Text(PlaceOf(schedule_, slot)));
    return ArrayAttribute::get(context(), {std::move(places)});
  }

  // ---- control flow

  void AddIf(const Action& action) {
    const auto [results, types] = ResultsOf(*action.step);
    Operation* op = values_.Create("pd_kernel.if", {values_.At(action.step->inputs[0][0])}, {}, types, 2);
    for (size_t side = 0; side < action.bodies.size(); ++side) {
      values_.InRegion(op, side, [&](Block*) {
        AddAll(action.bodies[side]);
        std::vector<Value> yields;
        for (const Move& move : action.ends[side]) yields.push_back(values_.At(move.from));
        values_.Create("cf.yield", yields, {}, {});
      });
    }
    for (size_t i = 0; i < results.size(); ++i) values_.Define(results[i], op->result(i));
  }

  void AddWhile(const Action& action) {
    const Body& body = action.step->bodies[0];
    std::vector<Value> operands = {values_.At(action.step->inputs[0][0])};
    std::vector<Type> types;
    for (const Move& move : action.moves) {
      operands.push_back(values_.At(move.from));
      types.push_back(values_.TypeOf(move.to));
    }
    Operation* op = values_.Create("pd_kernel.while", operands, {}, types, 1);
    values_.InRegion(op, 0, [&](Block* block) {
      for (size_t i = 0; i < types.size(); ++i) values_.Define(body.arguments[i], block->AddArgument(types[i]));
      AddAll(action.bodies[0]);
      std::vector<Value> yields;
      for (const int slot : body.yields) yields.push_back(values_.At(slot));
      values_.Create("cf.yield", yields, {}, {});
    });
    for (size_t i = 0; i < types.size(); ++i) {
      for (const int slot : action.step->outputs[i]) values_.Define(slot, op->result(i));
    }
  }

  void AddTiles(const Action& action) {
    const int made = action.bodies[0].back().step->outputs[0][0];
    Operation* op = values_.Create("pd_kernel.fused_elementwise", {}, {}, {values_.TypeOf(made)}, 1);
    op->set_location(action.step->op->location());
    values_.InRegion(op, 0, [&](Block*) {
      AddAll(action.bodies[0]);
      values_.Create("cf.yield", {values_.At(made)}, {}, {});
    });
    values_.Define(made, op->result(0));
  }

  const Lowered& lowered_;
  const Schedule& schedule_;
  std::unique_ptr<Program> program_;
  SlotValues values_;
};

}  // namespace

std::unique_ptr<Program> KernelProgram(const Lowered& lowered, const Schedule& schedule) {
  return KernelProgramBuilder(lowered, schedule).Run();
}

}  // namespace phi::ir
