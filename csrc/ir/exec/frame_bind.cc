// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "ir/exec/frame.h"
#include "ir/exec/tiled_kernels.h"
#include "primitive/copy_nd.h"

// How the actions of a schedule become instructions of a frame.
namespace phi::ir {

// A copy between tensors whose shapes are known.
struct Frame::BoundCopy {
  const DeviceContext* context;
  const DenseTensor* from;
  DenseTensor* to;
  size_t bytes;  // 0: not plain memory

  static void Run(void* bound) {
    const auto& b = *static_cast<BoundCopy*>(bound);
    if (b.bytes != 0) {
      std::memmove(b.to->data(), b.from->data(), b.bytes);
    } else if (b.to->numel() > 0) {
      primitive::Copy(*b.context, *b.from, b.to);
    }
  }
};

Frame::Instructions Frame::Bind(const std::vector<Action>& actions) {
  Instructions instructions;
  instructions.reserve(actions.size());
  for (const Action& action : actions) instructions.push_back(Bind(action));
  return instructions;
}

Instruction Frame::Bind(const Action& action) {
  switch (action.kind) {
    case Action::Kind::Kernel:
      return BindKernel(action);
    case Action::Kind::Copy:
      return BindCopy(action, action.moves[0]);
    case Action::Kind::If:
    case Action::Kind::While:
      return BindBranch(action);
    case Action::Kind::Tiles:
      return BindTiles(action);
    case Action::Kind::Dynamic:
    case Action::Kind::Native:
      break;
  }
  const auto bound = std::make_shared<BoundStep>(BoundStep{this, &action, {}});
  bound_.push_back(bound);
  const auto run_kernel = [](void* b) {
    const auto& step = *static_cast<BoundStep*>(b);
    step.frame->RunDynamic(*step.action);
  };
  const auto run_native = [](void* b) {
    const auto& step = *static_cast<BoundStep*>(b);
    step.frame->RunNative(*step.action);
  };
  if (action.kind == Action::Kind::Native) return {run_native, bound.get(), &action};
  return {run_kernel, bound.get(), &action};
}

Instruction Frame::BindKernel(const Action& action) {
  KernelContext& call = calls_.emplace_back(own_ != nullptr ? own_.get() : pool_);
  const bool is_cast = !action.moves.empty();
  const std::vector<Slots> cast = {{is_cast ? action.moves[0].to : -1}};
  AddArguments(
      action.chosen(), action.inputs(), action.attributes(), is_cast ? cast : action.step->outputs, &tensors_, &call);
  BoundCall bound = phi::Bind(action.chosen().kernel(), &call);
  bound_.push_back(bound.bound);
  return {bound.run, bound.bound.get(), &action};
}

Instruction Frame::BindCopy(const Action& action, const Move& move) {
  if (IsDynamic(move.from) || IsDynamic(move.to)) {
    const auto bound = std::make_shared<BoundStep>(BoundStep{this, &action, {move}});
    bound_.push_back(bound);
    const auto run = [](void* b) {
      const auto& step = *static_cast<BoundStep*>(b);
      // what a branch yields is moved, and what is copied must not follow later writes
      step.frame->MoveValue(step.moves[0], step.action->step->kind != Step::Kind::If);
    };
    return {run, bound.get(), &action};
  }
  const DenseTensor &from = tensors_[move.from], &to = tensors_[move.to];
  const bool is_plain = is_cpu_place(program_.place) && from.is_contiguous() && to.is_contiguous();
  const auto bound = std::make_shared<BoundCopy>(
      BoundCopy{pool_, &from, &tensors_[move.to], is_plain ? static_cast<size_t>(BytesOf(from.meta())) : 0});
  bound_.push_back(bound);
  return {&BoundCopy::Run, bound.get(), &action};
}

Instruction Frame::BindTiles(const Action& action) {
  const auto bound = std::make_shared<TiledKernels>(action.bodies[0], pool_, &tensors_);
  bound_.push_back(bound);
  return {[](void* b) { static_cast<TiledKernels*>(b)->Run(); }, bound.get(), &action};
}

Instruction Frame::BindBranch(const Action& action) {
  const auto bound = std::make_shared<BoundBranch>(BoundBranch{this, &action, {}});
  for (const auto& body : action.bodies) bound->bodies.push_back(Bind(body));
  bound_.push_back(bound);
  const auto run_if = [](void* b) {
    const auto& branch = *static_cast<BoundBranch*>(b);
    branch.frame->RunIf(branch);
  };
  const auto run_while = [](void* b) {
    const auto& branch = *static_cast<BoundBranch*>(b);
    branch.frame->RunWhile(branch);
  };
  if (action.kind == Action::Kind::If) return {run_if, bound.get(), &action};
  return {run_while, bound.get(), &action};
}

}  // namespace phi::ir
