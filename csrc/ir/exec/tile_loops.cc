// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/tile_loops.h"

#include <algorithm>
#include <span>

#include "backends/cpu/cpu_context.h"

namespace phi::ir {

namespace {

std::span<const int> Inputs(const TileLoops::Loop& loop) {
  return std::span(loop.tensors).subspan(1, loop.loop.operands - 1);
}

bool Reads(const TileLoops::Loop& loop, int tensor) { return std::ranges::count(Inputs(loop), tensor) > 0; }

bool Advances(const TileLoops::Loop& loop, size_t input) { return loop.loop.advances >> input & 1; }

}  // namespace

void TileLoops::Chain(int result) {
  result_ = result;
  parts_.clear();
  for (size_t i = 0; i < loops_.size(); ++i) {
    const bool continues = i > 0 && Continues(i);
    if (!continues) parts_.push_back({i, i, {}, {}});
    Part& part = parts_.back();
    part.end = i + 1;
    const Loop& loop = loops_[i];
    if (loop.loop.steps == nullptr) continue;
    const int in_registers = continues ? loops_[i - 1].tensors[0] : loop.tensors[Advances(loop, 0) ? 1 : 2];
    if (!continues) {
      part.steps.emplace_back();
      part.operands.push_back(in_registers);
    }
    AddStep(loop, in_registers, &part);
  }
  for (Part& part : parts_) {
    part.steps.emplace_back();
    part.operands.push_back(loops_[part.end - 1].tensors[0]);
  }
}

bool TileLoops::Continues(size_t i) const {
  const Loop& before = loops_[i - 1];
  const Loop& loop = loops_[i];
  if (before.loop.steps == nullptr || loop.loop.steps == nullptr) return false;
  if (before.loop.steps->run != loop.loop.steps->run) return false;
  const int made = before.tensors[0];
  if (!Reads(loop, made)) return false;
  for (size_t k = i; k < loops_.size(); ++k) {
    if (k > i && Reads(loops_[k], made)) return false;
    if (loops_[k].tensors[0] == made) return true;
  }
  return made != result_;
}

void TileLoops::AddStep(const Loop& loop, int in_registers, Part* part) const {
  unsigned registers = 0;
  int other = in_registers;
  bool advances = false;
  for (size_t k = 0; k < Inputs(loop).size(); ++k) {
    if (Inputs(loop)[k] == in_registers) {
      registers |= 1u << k;
    } else {
      other = Inputs(loop)[k];
      advances = Advances(loop, k);
    }
  }
  part->steps.push_back({.run = ElementwiseSteps::At(loop.loop.steps->functor[registers][advances]),
                         .functor = loop.loop.functor.data()});
  part->operands.push_back(other);
}

void TileLoops::Run(const Memory& memory, int64_t n, bool stream) {
  for (Part& part : parts_) {
    const bool streams = stream && loops_[part.end - 1].tensors[0] == result_;
    int64_t done = 0;
    if (part.end - part.begin > 1) {
      done = n - n % loops_[part.begin].loop.steps->size;
      RunSteps(&part, memory, done, streams);
    }
    if (done < n) RunLoops(part, memory, done, n, streams);
  }
}

void TileLoops::RunSteps(Part* part, const Memory& memory, int64_t n, bool stream) const {
  for (size_t i = 0; i < part->steps.size(); ++i) part->steps[i].data = memory.start[part->operands[i]];
  ElementwiseStep& last = part->steps.back();
  const ElementwiseSteps& steps = *loops_[part->begin].loop.steps;
  const bool is_line = reinterpret_cast<uintptr_t>(last.data) % kLine == 0;
  last.run = ElementwiseSteps::At(stream && is_line ? steps.stream : steps.store);
  steps.run(part->steps.data(), n);
}

void TileLoops::RunLoops(const Part& part, const Memory& memory, int64_t begin, int64_t end, bool stream) const {
  constexpr int64_t kOneRow[ElementwiseLoop::kMaxOperands] = {};
  std::array<char*, ElementwiseLoop::kMaxOperands> data;
  for (const auto& [loop, tensors] : std::span(loops_).subspan(part.begin, part.end - part.begin)) {
    for (int k = 0; k < loop.operands; ++k) data[k] = memory.At(tensors[k], begin);
    loop.run(loop.functor.data(), data.data(), end - begin, kOneRow, 1, stream && tensors[0] == result_);
  }
}

}  // namespace phi::ir
