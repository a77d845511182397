// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/kernel_factory.h"
#include "ir/core/builtin_attribute.h"
#include "ir/exec/kernel_argument.h"
#include "ir/exec/lowering.h"
#include "ir/text/lexer.h"

namespace phi::ir {

using enforce::Format;

namespace {

// Whether an optional operand is there, which may say the shape of a result. What a kernel finds InferMeta tells.
bool ReadsShape(const Operation& op, const KernelInfo::Concept& kernel) {
  return std::ranges::any_of(
      kernel.inputs, [&](int operand) { return op.info().row().inputs[operand].optional && op.operand(operand); });
}

// The dtype of what a kernel creates, where the operation says it and the kernel is not told.
DataType CreatedType(const Operation& op, const KernelInfo::Concept& kernel) {
  const auto attributes = op.info().row().attributes;
  for (size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].kind != AttributeKind::DataType || std::ranges::count(kernel.attributes, i) != 0) continue;
    if (const auto dtype = op.attribute(attributes[i].name).dyn_cast<DataTypeAttribute>()) return dtype.data();
  }
  return DataType::UNDEFINED;
}

}  // namespace

void Lowering::LowerFull(const Operation& op, Body* body) {
  Step step = KernelStep(op, "full");
  step.outputs = {NewSlots(op.result(0))};
  AddAttribute(op, "shape", &step);
  step.tensor_attributes.emplace_back(1, SlotsOf(op.operand(0)));
  step.attributes.emplace_back(Scalar(0));
  AddAttribute(op, "dtype", &step);
  step.is_pure = true;
  MakePlanOf(&step);
  body->steps.push_back(std::move(step));
}

void Lowering::LowerState(const Operation& op, Body* body) {
  Step step = KernelStep(op, "full");
  step.outputs = {NewSlots(op.result(0))};
  const DenseTensor& declared = out_->slots.at(step.outputs[0].at(0)).declared;
  step.attributes = {
      IntArray(std::vector<int64_t>(declared.dims().begin(), declared.dims().end())), Scalar(0), declared.dtype()};
  step.is_pure = true;
  MakePlanOf(&step);
  body->steps.push_back(std::move(step));
}

void Lowering::LowerCall(const Operation& op, const KernelInfo::Concept& kernel, Body* body) {
  const OpRow& row = op.info().row();
  Step step = KernelStep(op, kernel.kernel);
  for (const int operand : kernel.inputs) step.inputs.push_back(SlotsOf(op.operand(operand)));
  for (const int attribute : kernel.attributes) AddAttribute(op, row.attributes[attribute].name, &step);
  const TraitSet traits = row.traits;
  step.is_pure = !traits.Has(Trait::Random) && !traits.Has(Trait::SideEffect) && !traits.Has(Trait::Inplace);
  step.is_dynamic = traits.Has(Trait::DataDependentShape) && ReadsShape(op, kernel);
  step.preference.dtype = CreatedType(op, kernel);
  MakePlanOf(&step);
  // a view of memory that is written is copied, as nobody may see that it is one
  const bool is_view = step.plan.selected.is_stride_kernel && traits.Has(Trait::ViewLike);
  std::vector<std::pair<int, int>> copies;
  for (size_t i = 0; i < op.num_results(); ++i) {
    step.outputs.push_back(NewSlots(op.result(i)));
    if (!op.result(i).type()) step.outputs.back() = {AbsentSlot(op, i)};
  }
  for (const auto& [operand, result] : row.inplace) {
    if (static_cast<size_t>(result) >= op.num_results() || !op.operand(operand)) continue;
    const Slots from = SlotsOf(op.operand(operand));
    const Slots& to = step.outputs[result];
    const bool is_written = aliases_->IsWritten(op.operand(operand)) || aliases_->IsWritten(op.result(result));
    if (is_view && !traits.Has(Trait::Inplace) && is_written && HasValueSemantics(op.result(result))) {
      for (int& slot : step.outputs[result]) {
        out_->slots.push_back(out_->slots[slot]);
        out_->slots.back().is_written = false;
        const int viewed = static_cast<int>(out_->slots.size()) - 1;
        copies.emplace_back(viewed, slot);
        slot = viewed;
      }
    }
    const bool elsewhere = is_view || !traits.Has(Trait::Inplace) || aliases_->WritesElsewhere(op, operand);
    for (size_t i = 0; i < from.size() && i < to.size() && !elsewhere; ++i) step.shared.emplace_back(from[i], to[i]);
  }
  if (is_view) step.kind = Step::Kind::View;
  body->steps.push_back(std::move(step));
  for (const auto& [from, to] : copies) AddCopy(op, from, to, -1, body);
}

Step Lowering::KernelStep(const Operation& op, const char* kernel) const {
  Step step;
  step.op = &op;
  step.plan.kernel_name = kernel;
  step.preference.place = out_->place;
  return step;
}

int Lowering::AbsentSlot(const Operation& op, size_t result) {
  if (op.info().CanBeWithout(result)) return -1;
  out_->slots.push_back({Format("result %d of %s", result, op.name()), DenseTensor()});
  return static_cast<int>(out_->slots.size()) - 1;
}

void Lowering::AddAttribute(const Operation& op, const char* name, Step* step) {
  const AttributeType type = AttributeTypeOf(*step);
  for (size_t i = 0; i < op.info().row().inputs.size(); ++i) {
    const InputInfo& input = op.info().row().inputs[i];
    if (!input.is_mutable_attribute || std::string_view(input.name) != name || i >= op.num_operands()) continue;
    if (!op.operand(i)) break;
    step->tensor_attributes.emplace_back(static_cast<int>(step->attributes.size()), SlotsOf(op.operand(i)));
    step->attributes.emplace_back();
    return;
  }
  try {
    step->attributes.push_back(KernelArgument(type, op.attribute(name)));
  } catch (const enforce::EnforceNotMet& error) {
    PADDLE_THROW(errors::InvalidArgument("attribute '%s': %s", name, MessageOf(error)));
  }
}

AttributeType Lowering::AttributeTypeOf(const Step& step) const {
  const auto kernels = KernelFactory::Instance().Find(step.plan.kernel_name)->kernels();
  PADDLE_ENFORCE(!kernels.empty(), errors::NotFound("there is no kernel '%s'", step.plan.kernel_name));
  return kernels.front().second->args_def().attribute_defs().at(step.attributes.size());
}

void Lowering::MakePlanOf(Step* step) const {
  KernelContext call(nullptr);
  for (const Slots& slots : step->inputs) {
    std::vector<const TensorBase*> tensors;
    for (const int slot : slots) tensors.push_back(slot < 0 ? nullptr : &out_->slots[slot].declared);
    const auto& defs = KernelFactory::Instance().Find(step->plan.kernel_name)->kernels().front().second->args_def();
    if (defs.input_defs().at(call.InputsSize()).is_list) {
      call.EmplaceBackInputs(tensors);
    } else {
      call.EmplaceBackInput(tensors.empty() ? nullptr : tensors[0]);
    }
  }
  for (const phi::Attribute& attribute : step->attributes) call.EmplaceBackAttr(attribute);
  step->infer_meta = &MetaFnFactory::Instance().Get(step->plan.kernel_name);
  step->plan = MakePlan(step->plan.kernel_name, call, step->preference);
}

}  // namespace phi::ir
