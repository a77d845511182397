// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/lower.h"

#include <algorithm>

#include "core/infermeta_utils.h"
#include "core/kernel_factory.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/decompose.h"
#include "ir/exec/lowering.h"
#include "ir/text/lexer.h"

namespace phi::ir {

using enforce::Format;

Lowering::Lowering(const Program& program, const Place& place) : out_(std::make_unique<Lowered>()) {
  out_->program = program.Clone();
  out_->place = place;
}

std::unique_ptr<Lowered> Lowering::Run() {
  aliases_ = std::make_unique<Aliases>(*out_->program);
  out_->body = BodyOf(*out_->program->block());
  Report();
  std::stable_sort(fetches_.begin(), fetches_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [col, port] : fetches_) out_->outputs.push_back(std::move(port));
  std::stable_sort(feeds_.begin(), feeds_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [col, port] : feeds_) out_->inputs.push_back(std::move(port));
  return std::move(out_);
}

Body Lowering::BodyOf(const Block& block) {
  Body body;
  for (size_t i = 0; i < block.num_arguments(); ++i) {
    body.arguments.push_back(NewSlot(block.argument(i)));
  }
  for (const Operation& op : block) {
    try {
      Lower(op, &body);
    } catch (const enforce::EnforceNotMet& error) {
      faults_.push_back(Format("%s: %s", Describe(op), MessageOf(error)));
    }
  }
  return body;
}

void Lowering::Lower(const Operation& op, Body* body) {
  static const std::map<std::string, Handler, std::less<>> handlers = {
      {"builtin.parameter", &Lowering::LowerParameter},
      {"builtin.constant", &Lowering::LowerConstant},
      {"builtin.set_parameter", &Lowering::LowerStore},
      {"builtin.combine", &Lowering::LowerCombine},
      {"builtin.split", &Lowering::LowerSplit},
      {"builtin.slice", &Lowering::LowerSlice},
      {"builtin.to_tensor", &Lowering::LowerIdentity},
      {"builtin.to_vtensor", &Lowering::LowerIdentity},
      {"builtin.shadow_output", &Lowering::LowerFetch},
      {"cf.yield", &Lowering::LowerYield},
      {"machine.channels_last", &Lowering::LowerChannelsLast},
      {"pd_op.data", &Lowering::LowerData},
      {"pd_op.feed", &Lowering::LowerData},
      {"pd_op.fetch", &Lowering::LowerFetch},
      {"pd_op.full_int_array", &Lowering::LowerIntArray},
      {"pd_op.shape64", &Lowering::LowerShape},
      {"pd_op.shadow_feed", &Lowering::LowerIdentity},
      {"pd_op.share_data_", &Lowering::LowerIdentity},
      {"pd_op.memcpy_d2h", &Lowering::LowerIdentity},
      {"pd_op.memcpy_h2d", &Lowering::LowerIdentity},
      {"pd_op.assign_value_", &Lowering::LowerAssign},
      {"pd_op.assign_out_", &Lowering::LowerAssignOut},
      {"pd_op.full_with_tensor", &Lowering::LowerFull},
      {"pd_op.if", &Lowering::LowerRegions},
      {"pd_op.while", &Lowering::LowerRegions},
      {"pd_kernel.fused_elementwise", &Lowering::LowerFused},
  };
  if (const auto handler = handlers.find(op.name()); handler != handlers.end()) {
    return (this->*handler->second)(op, body);
  }
  if (const NativeOp* native = FindNativeOp(op.name())) return LowerNative(op, *native, body);
  const auto* kernel = op.info().GetInterface<KernelInfo>();
  if (kernel == nullptr || KernelFactory::Instance().Find(kernel->kernel) == nullptr ||
      !MetaFnFactory::Instance().Contains(kernel->kernel)) {
    Missing& missing = missing_[op.name()];
    if (missing.count++ == 0) missing.first = Describe(op);
    missing.has_composite = op.info().GetInterface<Decompose>() != nullptr;
    for (size_t i = 0; i < op.num_results(); ++i) NewSlots(op.result(i));
    return;
  }
  LowerCall(op, *kernel, body);
}

void Lowering::LowerShape(const Operation& op, Body* body) {
  Step step;
  step.kind = Step::Kind::Shape;
  step.op = &op;
  step.native = FindNativeOp(op.name());
  step.inputs = {{SlotOf(op, 0)}};
  step.outputs = {NewSlots(op.result(0))};
  body->steps.push_back(std::move(step));
}

void Lowering::LowerNative(const Operation& op, const NativeOp& native, Body* body) {
  Step step;
  step.kind = Step::Kind::Native;
  step.op = &op;
  step.native = &native;
  if (native.prepare != nullptr) step.state = native.prepare(op);
  for (size_t i = 0; i < op.num_operands(); ++i) step.inputs.push_back(SlotsOf(op.operand(i)));
  for (size_t i = 0; i < op.num_results(); ++i) {
    const auto& shared = op.info().row().inplace;
    const auto is_own = [&](const std::pair<int, int>& pair) { return pair.second == static_cast<int>(i); };
    const auto pair = std::find_if(shared.begin(), shared.end(), is_own);
    if (pair != shared.end()) slots_[op.result(i)] = step.inputs.at(pair->first);
    step.outputs.push_back(pair != shared.end() ? step.inputs.at(pair->first) : NewSlots(op.result(i)));
  }
  body->steps.push_back(std::move(step));
}

void Lowering::LowerRegions(const Operation& op, Body* body) {
  Step step;
  step.kind = op.name() == "pd_op.if" ? Step::Kind::If : Step::Kind::While;
  step.op = &op;
  for (size_t i = 0; i < op.num_operands(); ++i) step.inputs.push_back({SlotOf(op, i)});
  for (const Region& region : op.regions()) {
    step.bodies.push_back(region.empty() ? Body() : BodyOf(*region.block(0)));
  }
  for (size_t i = 0; i < op.num_results(); ++i) step.outputs.push_back(NewSlots(op.result(i)));
  body->steps.push_back(std::move(step));
}

void Lowering::LowerFused(const Operation& op, Body* body) {
  Step step;
  step.kind = Step::Kind::Fused;
  step.op = &op;
  step.bodies.push_back(BodyOf(*op.regions()[0].block(0)));
  PADDLE_ENFORCE(step.bodies[0].yields.size() == 1, errors::PreconditionNotMet("its region cannot run"));
  slots_[op.result(0)] = step.bodies[0].yields;
  body->steps.push_back(std::move(step));
}

const std::string& Lowering::Text(const Operation& op, const char* attribute) const {
  const auto text = op.attribute<StrAttribute>(attribute);
  PADDLE_ENFORCE(text, errors::InvalidArgument("attribute '%s': expected a text", attribute));
  return text.data();
}

void Lowering::Report() const {
  if (!missing_.empty()) {
    std::string names;
    for (const auto& [name, missing] : missing_) {
      const char* help = missing.has_composite ? "; the pass 'decompose' puts its composite in its place" : "";
      names += Format("\n  %s, %d times; the first is %s%s", name, missing.count, missing.first, help);
    }
    PADDLE_THROW(errors::Unimplemented(
        "the program has %d operators that cannot run, as there is no kernel for them:%s", missing_.size(), names));
  }
  if (faults_.empty()) return;
  std::string all;
  for (size_t i = 0; i < faults_.size() && i < 20; ++i) all += "\n  " + faults_[i];
  PADDLE_THROW(errors::InvalidArgument("the program cannot be compiled:%s", all));
}

std::unique_ptr<Lowered> Lower(const Program& program, const Place& place) { return Lowering(program, place).Run(); }

}  // namespace phi::ir
