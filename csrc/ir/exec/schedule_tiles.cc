// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "ir/core/tile_program.h"
#include "ir/exec/scheduling.h"
#include "ir/exec/tiled_kernels.h"

// Fused operations: their kernels are those of separate operations, and run on tiles of their tensors where that pays.
namespace phi::ir {

void Scheduling::VisitFused(const Step& step, std::vector<Action>* actions) {
  std::vector<Action> parts;
  const size_t candidates = candidates_.size();
  Visit(step.bodies[0], &parts);
  if (!RunInTiles(step.bodies[0], parts)) {
    std::ranges::move(parts, std::back_inserter(*actions));
    return;
  }
  const int result = step.bodies[0].yields[0];
  for (const Action& part : parts) {
    const int slot = part.step->outputs[0][0];
    if (slot != result) HomeOf(slot) = {Home::Kind::Tile, slot};
  }
  // all of it happens at one time, which is that of the last
  Slots read;
  for (const Action& part : parts) {
    for (const Slots& slots : part.inputs()) {
      if (HomeOf(slots[0]).kind != Home::Kind::Tile) read.push_back(slots[0]);
    }
  }
  candidates_.resize(candidates);
  for (const int slot : read) {
    Touch(slot);
    candidates_.push_back({time_, slot, result, read, true});
  }
  Action action;
  action.kind = Action::Kind::Tiles;
  action.step = &step;
  action.bodies.push_back(std::move(parts));
  actions->push_back(std::move(action));
}

bool Scheduling::RunInTiles(const Body& body, const std::vector<Action>& parts) {
  // a step that needs more than its kernel, or none, keeps all of them apart
  if (parts.size() < 2 || parts.size() != body.steps.size() || !is_cpu_place(program_.place)) return false;
  const auto is_plain = [&](const Action& part) {
    if (part.kind != Action::Kind::Kernel || !part.moves.empty()) return false;
    if (part.step->op->info().GetInterface<TileProgram>() == nullptr) return false;
    const std::vector<Slots>& outputs = part.step->outputs;
    return outputs.size() == 1 && outputs[0].size() == 1 && outputs[0][0] >= 0;
  };
  if (!std::ranges::all_of(parts, is_plain)) return false;
  if (parts.back().step->outputs[0] != body.yields) return false;
  const DenseTensor& whole = tensors_[parts.back().step->outputs[0][0]];
  // half types take longer to compute than to move, and tiles would only divide what is prefetched
  if (SizeOf(whole.dtype()) < sizeof(float) || BytesOf(whole.meta()) < kLeastTiledBytes) return false;
  return std::ranges::all_of(parts, [&](const Action& part) {
    const int slot = part.step->outputs[0][0];
    const Home& home = HomeOf(slot);
    const bool is_own = home.kind == Home::Kind::Arena && home.root == slot && !written_[slot];
    const bool has_tiles = std::ranges::all_of(part.inputs(), [&](const Slots& slots) {
      return slots.size() == 1 && slots[0] >= 0 && TileFormOf(tensors_[slots[0]], whole.dims());
    });
    return is_own && has_tiles && tensors_[slot].is_contiguous() && tensors_[slot].dims() == whole.dims();
  });
}

}  // namespace phi::ir
