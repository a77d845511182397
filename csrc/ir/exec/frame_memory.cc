// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/frame.h"

// Where the tensors of a frame are.
namespace phi::ir {

void Frame::SetMemory(FrameMemory memory) {
  has_memory_ = true;
  scratch_.SetRegion(std::move(memory.scratch));
  scratch_.Grow();
  if (schedule_.arena == 0) return;
  const size_t bytes = schedule_.arena + kBufferAlignment;
  arena_ = std::move(memory.arena);
  if (arena_ != nullptr && arena_->size() < bytes) arena_ = nullptr;  // before there is another one
  if (arena_ == nullptr) arena_ = pool_->GetAllocator()->Allocate(bytes);
  const auto begin = reinterpret_cast<uintptr_t>(arena_->ptr());
  arena_begin_ = static_cast<char*>(arena_->ptr()) + (kBufferAlignment - begin % kBufferAlignment) % kBufferAlignment;
  Set(in_arena_, arena_begin_);
}

FrameMemory Frame::TakeMemory() {
  has_memory_ = false;
  return {std::move(arena_), scratch_.TakeRegion()};
}

void Frame::PlaceTensors() {
  arrays_.resize(program_.slots.size());
  for (const DenseTensorMeta& meta : schedule_.metas) tensors_.emplace_back(meta, program_.place);
  for (const auto& [slot, tensor] : schedule_.constants) tensors_[slot] = tensor;
  std::vector<Outside*> outside(tensors_.size());
  inputs_.resize(schedule_.inputs.size());
  outputs_.resize(schedule_.outputs.size());
  for (size_t i = 0; i < inputs_.size(); ++i) outside[schedule_.inputs[i]] = &inputs_[i];
  for (size_t i = 0; i < outputs_.size(); ++i) {
    if (!IsMadeOutput(i)) outside[schedule_.homes[schedule_.outputs[i]].root] = &outputs_[i];
  }
  std::vector<void*> weights(tensors_.size());
  for (const auto& [slot, data] : schedule_.parameters) weights[slot] = data;
  for (size_t slot = 0; slot < tensors_.size(); ++slot) {
    const Home& home = schedule_.homes[slot];
    char* base = nullptr;
    switch (home.kind) {
      case Home::Kind::Nowhere:
      case Home::Kind::Tile:
        continue;
      case Home::Kind::Dynamic:
        dynamic_.push_back(static_cast<int>(slot));
        continue;
      case Home::Kind::Made:
        if (static_cast<int>(slot) == home.root) {
          dynamic_.push_back(home.root);
        } else {
          made_[home.root].tensors.emplace_back(&tensors_[slot], home.offset);
        }
        continue;
      case Home::Kind::Input:
      case Home::Kind::Output:
        outside[home.root]->tensors.emplace_back(&tensors_[slot], home.offset);
        continue;
      case Home::Kind::Arena:
        in_arena_.tensors.emplace_back(&tensors_[slot], schedule_.offsets[home.root] + home.offset);
        continue;
      case Home::Kind::Parameter:
        base = static_cast<char*>(weights[home.root]);
        break;
      case Home::Kind::Constant:
        if (static_cast<int>(slot) == home.root) continue;
        base = static_cast<char*>(tensors_[home.root].data());
        break;
    }
    tensors_[slot].Borrow(program_.place, base + home.offset);
  }
}

}  // namespace phi::ir
