// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "backends/cpu/elementwise_loop.h"

namespace phi::ir {

// The loops of some kernels, one after another over the same elements. Where the next loop alone reads what one makes,
// they are a chain, whose values stay in registers.
class TileLoops {
 public:
  struct Loop {
    ElementwiseLoop loop;
    std::array<int, ElementwiseLoop::kMaxOperands> tensors;  // that it goes through
  };

  // Of each tensor: its memory, and the bytes from an element to the next, 0 for one value.
  struct Memory {
    std::vector<char*> start;
    std::vector<int64_t> bytes;

    char* At(int tensor, int64_t element) const { return start[tensor] + element * bytes[tensor]; }
  };

  void Clear() { loops_.clear(); }
  void Add(const Loop& loop) { loops_.push_back(loop); }
  // After the last one; `result` is what is read after it.
  void Chain(int result);
  // Whether all that runs through memory are the operands and the result.
  bool is_one_chain() const { return parts_.size() == 1; }
  // n elements. `stream`: the result past the caches.
  void Run(const Memory& memory, int64_t n, bool stream);

 private:
  // Loops that are one chain, or one loop.
  struct Part {
    size_t begin;
    size_t end;
    std::vector<ElementwiseStep> steps;  // of a chain: the load, the functors, the store
    std::vector<int> operands;           // the tensors that they have in memory
  };

  // Whether a loop can take what the one before it makes from registers, and nothing else reads it.
  bool Continues(size_t i) const;
  void AddStep(const Loop& loop, int in_registers, Part* part) const;
  void RunSteps(Part* part, const Memory& memory, int64_t n, bool stream) const;
  void RunLoops(const Part& part, const Memory& memory, int64_t begin, int64_t end, bool stream) const;

  std::vector<Loop> loops_;
  std::vector<Part> parts_;
  int result_ = -1;
};

}  // namespace phi::ir
