// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "core/infermeta_utils.h"
#include "ir/exec/scheduling.h"

namespace phi::ir {

void Scheduling::AddOutputs(std::vector<Action>* actions) {
  ++time_;
  for (const Port& port : program_.outputs) {
    int slot = port.slot;
    if (IsArray(slot)) {
      made_->outputs.push_back(slot);
      continue;
    }
    Touch(slot);
    const bool is_given = HomeOf(slot).kind == Home::Kind::Made && HomeOf(slot).root == slot && !IsImage(slot);
    if (is_given) lives_[slot].last = kAlways;
    if (!IsDynamic(slot) && !is_given) {
      const Home& home = HomeOf(slot);
      const bool is_whole = home.kind == Home::Kind::Arena && home.offset == 0 && tensors_[slot].is_contiguous() &&
                            BytesOf(tensors_[slot].meta()) == lives_[home.root].bytes &&
                            lives_[home.root].last != kAlways && !written_[slot] && !outputs_.contains(home.root);
      if (!is_whole) {
        const int copy = AddSlot();
        AddBufferLike(copy, slot);
        AddCopy(nullptr, slot, copy, actions);
        slot = copy;
      }
      lives_[HomeOf(slot).root].last = kAlways;
      outputs_.insert(HomeOf(slot).root);
      made_->output_bytes += BytesOf(tensors_[slot].meta());
    }
    made_->outputs.push_back(slot);
  }
}

void Scheduling::AddCandidates(const Step& step, const Action& action) {
  const std::vector<Slots>& inputs = action.inputs();
  for (const InplacePair& pair : step.infer_meta->inplace) {
    if (static_cast<size_t>(pair.input) >= inputs.size() || static_cast<size_t>(pair.output) >= step.outputs.size())
      continue;
    const Slots &from = inputs[pair.input], &to = step.outputs[pair.output];
    if (from.size() != 1 || to.size() != 1 || from[0] < 0 || to[0] < 0) continue;
    Candidate candidate{time_, from[0], to[0], {}, step.op->info().HasTrait(Trait::Elementwise)};
    for (const Slots& slots : inputs) {
      candidate.inputs.insert(candidate.inputs.end(), slots.begin(), slots.end());
    }
    candidates_.push_back(std::move(candidate));
  }
}

int Scheduling::TopOf(int root) const {
  while (merged_[root] != root) root = merged_[root];
  return root;
}

void Scheduling::ReuseInputs() {
  merged_.resize(tensors_.size());
  std::iota(merged_.begin(), merged_.end(), 0);
  for (const Candidate& candidate : candidates_) {
    const Home &in = HomeOf(candidate.input), &out = HomeOf(candidate.output);
    if (in.kind != Home::Kind::Arena || out.kind != Home::Kind::Arena || out.root != candidate.output) continue;
    const int from = TopOf(in.root), to = out.root;
    const DenseTensor &a = tensors_[candidate.input], &b = tensors_[candidate.output];
    const bool same = in.offset == 0 && a.dims() == b.dims() && a.strides() == b.strides() && a.dtype() == b.dtype() &&
                      lives_[from].bytes == lives_[to].bytes;
    const auto is_there = [&](int other) {
      return other >= 0 && HomeOf(other).kind == Home::Kind::Arena && TopOf(HomeOf(other).root) == from;
    };
    // an element that is written may be read no more: of the same memory only the element at the same place is
    const auto agrees = [&](int other) {
      return HomeOf(other).offset == 0 && tensors_[other].strides() == a.strides() &&
             tensors_[other].dims() == a.dims();
    };
    const bool others_agree =
        candidate.is_elementwise
            ? std::ranges::all_of(candidate.inputs, [&](int other) { return !is_there(other) || agrees(other); })
            : std::ranges::count_if(candidate.inputs, is_there) == 1;
    if (!same || !others_agree || from == to || merged_[to] != to || outputs_.contains(from) ||
        lives_[from].last != candidate.time || lives_[to].first != candidate.time)
      continue;
    merged_[to] = from;
    lives_[from].last = lives_[to].last;
    if (outputs_.contains(to)) outputs_.insert(from);
  }
}

void Scheduling::Plan() {
  std::vector<int> roots;
  for (int slot = 0; slot < static_cast<int>(tensors_.size()); ++slot) {
    const bool is_buffer = HomeOf(slot).kind == Home::Kind::Arena && HomeOf(slot).root == slot;
    if (!is_buffer || TopOf(slot) != slot || outputs_.contains(slot)) continue;
    roots.push_back(slot);
    made_->buffers.push_back({lives_[slot].bytes, lives_[slot].first, lives_[slot].last});
  }
  made_->arena = PlanMemory(&made_->buffers);
  ProveMemory(made_->buffers, made_->arena);
  PADDLE_ENFORCE(max_memory_ <= 0 || made_->arena + made_->output_bytes <= max_memory_,
                 errors::OutOfRange("a run with these shapes needs %d bytes beside its inputs and weights, but "
                                    "max_memory is %d",
                                    made_->arena + made_->output_bytes,
                                    max_memory_));
  made_->offsets.resize(tensors_.size(), 0);
  for (size_t i = 0; i < roots.size(); ++i) made_->offsets[roots[i]] = made_->buffers[i].offset;
  for (Home& home : made_->homes) {
    if (home.kind != Home::Kind::Arena) continue;
    const int top = TopOf(home.root);
    home.root = top;
    if (outputs_.contains(top)) home.kind = Home::Kind::Output;
  }
  std::vector<std::pair<int, int>> ends;
  for (size_t i = 0; i < roots.size(); ++i) ends.emplace_back(lives_[roots[i]].last, static_cast<int>(i));
  std::sort(ends.begin(), ends.end());
  MarkFreed(ends, &made_->actions);
  std::set<std::pair<int, int>> made;
  for (int slot = 0; slot < static_cast<int>(tensors_.size()); ++slot) {
    const bool is_made = HomeOf(slot).kind == Home::Kind::Made && HomeOf(slot).root == slot;
    if (is_made) made.emplace(lives_[slot].last, slot);
  }
  MarkUnread(&made_->actions, &made);
}

void Scheduling::MarkUnread(std::vector<Action>* actions, std::set<std::pair<int, int>>* made) {
  for (Action& action : *actions) {
    for (std::vector<Action>& body : action.bodies) MarkUnread(&body, made);
    if (action.kind != Action::Kind::Native) continue;
    const auto end = made->lower_bound({action.time, 0});
    for (auto it = made->begin(); it != end; it = made->erase(it)) action.unread.push_back(it->second);
  }
}

void Scheduling::MarkFreed(const std::vector<std::pair<int, int>>& ends, std::vector<Action>* actions) {
  for (size_t i = 0; i < actions->size(); ++i) {
    Action& action = (*actions)[i];
    for (std::vector<Action>& body : action.bodies) MarkFreed(ends, &body);
    if (i + 1 < actions->size() && (*actions)[i + 1].time == action.time) continue;
    if (action.kind == Action::Kind::While) continue;
    auto end = std::lower_bound(ends.begin(), ends.end(), std::pair(action.time, -1));
    for (; end != ends.end() && end->first == action.time; ++end) action.freed.push_back(end->second);
  }
}

}  // namespace phi::ir
