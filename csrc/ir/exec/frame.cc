// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/frame.h"

#include <chrono>
#include <cstring>

#include "backends/cpu/cpu_context.h"
#include "core/device_context_pool.h"
#include "ir/core/builtin_type.h"
#include "ir/exec/error.h"
#include "primitive/copy_nd.h"

namespace phi::ir {

Frame::Frame(const Lowered& program, const Schedule& schedule, const RunLimits& limits)
    : program_(program),
      schedule_(schedule),
      limits_(limits),
      pool_(DeviceContextPool::Instance().Get(program.place)),
      scratch_(pool_->GetAllocator()),
      exec_{&tensors_, &arrays_, pool_, &schedule} {
  if (is_cpu_place(program.place)) {
    own_ = std::make_unique<OneDNNContext>();
    own_->SetAllocator(&scratch_);
    own_->SetHostAllocator(&scratch_);
    own_->SetGenerator(pool_->GetGenerator());
  }
  PlaceTensors();
  instructions_ = Bind(schedule_.actions);
}

bool Frame::IsMadeOutput(size_t i) const {
  return IsArrayOutput(i) || IsDynamic(schedule_.outputs[i]) ||
         schedule_.homes[schedule_.outputs[i]].kind == Home::Kind::Made;
}

bool Frame::IsWritten(int slot) const {
  return static_cast<size_t>(slot) < program_.slots.size() && program_.slots[slot].is_written;
}

void Frame::Run(const Instructions& instructions) {
  const Instruction* now = instructions.data();
  const Instruction* const end = now + instructions.size();
  try {
    if (__builtin_expect(observer_ == nullptr && !poison_, 1)) {
      for (; now != end; ++now) now->run(now->bound);
      return;
    }
    for (; now != end; ++now) {
      const auto begin = std::chrono::steady_clock::now();
      now->run(now->bound);
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
      if (observer_ != nullptr && *observer_) (*observer_)(*now->action, seconds.count());
      for (const int freed : poison_ ? now->action->freed : std::vector<int>()) {
        const Buffer& buffer = schedule_.buffers[freed];
        std::memset(arena_begin_ + buffer.offset, 0xFF, buffer.bytes);
      }
    }
  } catch (...) {
    if (now->action->step == nullptr) throw;
    RethrowFor(*now->action->step, now->action->inputs(), tensors_);
  }
}

void Frame::RunObserved(const Observer& observer, bool poison) {
  observer_ = &observer;
  poison_ = poison;
  if (poison && schedule_.arena > 0) std::memset(arena_begin_, 0xFF, schedule_.arena);
  try {
    Run(instructions_);
  } catch (...) {
    observer_ = nullptr, poison_ = false;
    throw;
  }
  observer_ = nullptr, poison_ = false;
}

void Frame::Clear() {
  for (const int slot : dynamic_) {
    tensors_[slot] = DenseTensor(schedule_.metas[slot], program_.place);
  }
  if (!dynamic_.empty()) {
    for (TensorArray& array : arrays_) array.clear();
  }
  scratch_.Grow();
}

void Frame::RunDynamic(const Action& action) {
  const Step& step = *action.step;
  KernelContext call(pool_);
  for (const Slots& slots : step.outputs) {
    for (const int slot : slots) {
      const bool is_input = std::any_of(step.inputs.begin(), step.inputs.end(), [&](const Slots& inputs) {
        return std::find(inputs.begin(), inputs.end(), slot) != inputs.end();
      });
      if (slot >= 0 && !is_input) tensors_[slot] = DenseTensor(DenseTensorMeta(), program_.place);
    }
  }
  const std::vector<phi::Attribute> attributes = AttributesOf(step, tensors_);
  AddArguments(step.plan, action.inputs(), attributes, step.outputs, &tensors_, &call);
  const Plan plan = MakePlan(step.plan.kernel_name, call, step.preference);
  InferMeta(plan, &call);
  for (const auto& [operand, result] : step.shared) {
    const DenseTensor& from = tensors_[operand];
    DenseTensor& to = tensors_[result];
    PADDLE_ENFORCE(from.dims() == to.dims() && from.dtype() == to.dtype() && from.strides() == to.strides(),
                   errors::InvalidArgument("an in-place operation makes %s of %s", to.dims(), from.dims()));
    to.ShareBufferWith(from);
  }
  phi::Run(plan, &call, pool_);
  for (const Slots& slots : step.outputs) {
    for (const int slot : slots) {
      if (slot >= 0) tensors_[slot].set_layout(schedule_.metas[slot].layout);
    }
  }
}

void Frame::RunNative(const Action& action) {
  const Step& step = *action.step;
  for (const int slot : action.unread) tensors_[slot] = DenseTensor(schedule_.metas[slot], program_.place);
  step.native->run(step, &exec_);
  for (const Slots& slots : step.outputs) {
    for (const int slot : slots) {
      if (slot >= 0) tensors_[slot].set_layout(schedule_.metas[slot].layout);
      if (const auto views = made_.find(slot); views != made_.end()) Set(views->second, tensors_[slot].data());
    }
  }
}

bool Frame::IsTrue(int slot) const {
  const DenseTensor& condition = tensors_[slot];
  if (condition.dtype() == DataType::BOOL && condition.numel() == 1 && is_cpu_place(condition.place())) {
    return *static_cast<const bool*>(condition.data());
  }
  const std::vector<int64_t> values = IntegersOf(condition);
  PADDLE_ENFORCE(values.size() == 1, errors::InvalidArgument("expected one condition, got %d", values.size()));
  return values[0] != 0;
}

void Frame::MoveValue(const Move& move, bool copies) {
  if (static_cast<size_t>(move.to) < program_.slots.size() && program_.slots[move.to].is_array) {
    arrays_[move.to] = arrays_[move.from];
    return;
  }
  const DenseTensor& from = tensors_[move.from];
  DenseTensor& to = tensors_[move.to];
  if (IsDynamic(move.to)) {
    DenseTensor& target = tensors_[schedule_.homes[move.to].root];
    if (&target != &to) {  // an assignment in the memory of another value, whose other uses see it
      if (from.dims() == target.dims() && from.dtype() == target.dtype()) {
        primitive::Copy(*pool_, from, &target);
      } else {
        AssignTensor(*pool_, from, true, &target);
      }
      to = target;
      return;
    }
    AssignTensor(*pool_, from, copies || IsWritten(move.to) || IsWritten(move.from), &to);
    to.set_layout(schedule_.metas[move.to].layout);
    return;
  }
  PADDLE_ENFORCE(from.dims() == to.dims() && from.dtype() == to.dtype(),
                 errors::InvalidArgument(
                     "expected %s, got %s", TypeText(to.dtype(), to.dims()), TypeText(from.dtype(), from.dims())));
  if (to.numel() > 0) primitive::Copy(*pool_, from, &to);
}

void Frame::RunIf(const BoundBranch& branch) {
  const size_t side = IsTrue(branch.action->step->inputs[0][0]) ? 0 : 1;
  Run(branch.bodies[side]);
  for (const Move& move : branch.action->ends[side]) MoveValue(move);
}

void Frame::RunWhile(const BoundBranch& branch) {
  constexpr int64_t kBetween = 1024;  // rounds between looks for an interrupt
  const Action& action = *branch.action;
  for (const Move& move : action.moves) MoveValue(move);
  int condition = action.step->inputs[0][0];
  for (int64_t round = 0; IsTrue(condition); ++round) {
    PADDLE_ENFORCE(round < limits_.max_iterations,
                   errors::OutOfRange("a loop has not ended after max_iterations = %d rounds", limits_.max_iterations));
    if (round % kBetween == kBetween - 1 && limits_.interrupt != nullptr) limits_.interrupt();
    Run(branch.bodies[0]);
    for (const Move& move : action.ends[0]) MoveValue(move);
    condition = action.next_condition;
  }
  const Body& body = action.step->bodies[0];
  for (size_t i = 0; i < action.step->outputs.size(); ++i) {
    const int out = action.step->outputs[i][0];
    if (out >= 0 && IsDynamic(out)) MoveValue({body.arguments[i], out});
  }
}

}  // namespace phi::ir
