// SPDX-License-Identifier: Apache-2.0
#include "ir/core/program.h"

#include <utility>

#include "ir/core/ir_mapping.h"

namespace phi::ir {

Program::Program(std::shared_ptr<IrContext> context, std::shared_ptr<Weights> weights)
    : context_(context ? std::move(context) : std::make_shared<IrContext>()),
      weights_(weights ? std::move(weights) : std::make_shared<Weights>()),
      module_(Operation::Create(context_.get(), context_->GetOpInfo("builtin.module"), {}, {}, {}, 1)) {
  module_->regions()[0].AddBlock();
}

Program::~Program() { module_->Destroy(); }

std::unique_ptr<Program> Program::Clone() const {
  // a list of its own, of the same tensors: what a pass adds to it is not in this one
  auto copy = std::make_unique<Program>(context_, std::make_shared<Weights>(*weights_));
  copy->symbols_ = symbols_;
  copy->module_->set_location(module_->location());
  for (const auto& [name, value] : module_->other_attributes()) copy->module_->set_attribute(name, value);
  IrMapping mapping;
  CloneInto(*block(), copy->block(), &mapping);
  // Operations that were moved may use what stands behind them, which had no copy yet: nothing may refer to this
  // program.
  Walk(copy->module_, [&mapping](Operation* op) {
    for (OpOperand& operand : op->operands()) operand.set(mapping.Lookup(operand.value()));
  });
  return copy;
}

Operation* Clone(const Operation& op, IrMapping* mapping) {
  std::vector<Value> operands;
  for (const OpOperand& operand : op.operands()) operands.push_back(mapping->Lookup(operand.value()));
  std::vector<Type> types;
  for (size_t i = 0; i < op.num_results(); ++i) types.push_back(op.result(i).type());
  Operation* copy =
      Operation::Create(op.context(), op.info(), operands, op.other_attributes(), types, op.regions().size());
  for (size_t i = 0; i < op.declared_attributes().size(); ++i) {
    copy->declared_attributes()[i] = op.declared_attributes()[i];
  }
  copy->set_location(op.location());
  for (size_t i = 0; i < op.num_results(); ++i) {
    if (!op.result_name(i).empty()) copy->set_result_name(i, op.result_name(i));
    mapping->Add(op.result(i), copy->result(i));
  }
  for (size_t r = 0; r < op.regions().size(); ++r) {
    for (const auto& block : op.regions()[r].blocks()) {
      CloneInto(*block, copy->regions()[r].AddBlock(), mapping);
    }
  }
  return copy;
}

void CloneInto(const Block& from, Block* to, IrMapping* mapping) {
  for (size_t i = 0; i < from.num_arguments(); ++i) {
    const BlockArgument copy = to->AddArgument(from.argument(i).type());
    copy.set_name(from.argument(i).name());
    mapping->Add(from.argument(i), copy);
  }
  for (const Operation& op : from) to->Insert(Clone(op, mapping));
}

void Walk(Operation* root, const std::function<void(Operation*)>& visit) {
  for (Region& region : root->regions()) {
    for (const auto& block : region.blocks()) {
      for (Operation *op = block->front(), *next = nullptr; op != nullptr; op = next) {
        next = op->next();
        const std::shared_ptr<HandleCell> cell = op->cell();
        visit(op);
        if (cell->object != nullptr) Walk(op, visit);
      }
    }
  }
}

}  // namespace phi::ir
