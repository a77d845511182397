// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/bound_call.h"
#include "ir/exec/native_ops.h"
#include "ir/exec/schedule.h"
#include "ir/exec/scratch.h"

namespace phi::ir {

// What a run does at a time. `bound` is made once, and knows its arguments.
struct Instruction {
  void (*run)(void* bound);
  void* bound;
  const Action* action;
};

struct RunLimits {
  int64_t max_iterations = int64_t{1} << 40;  // of a loop
  void (*interrupt)() = nullptr;              // called from loops now and then; it throws to end the run
};

// Sees each instruction of a run that is observed.
using Observer = std::function<void(const Action& action, double seconds)>;

// What frames of several schedules may have in turn.
struct FrameMemory {
  std::shared_ptr<Allocation> arena;
  std::shared_ptr<Allocation> scratch;
};

// One running call: the memory of a schedule, its tensors, and its instructions. One thread at a time uses it.
class Frame {
 public:
  Frame(const Lowered& program, const Schedule& schedule, const RunLimits& limits);
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  const Schedule& schedule() const { return schedule_; }
  // A run needs memory; it may be another frame's, and what is too small of it is allocated.
  bool HasMemory() const { return has_memory_; }
  void SetMemory(FrameMemory memory);
  // Between runs.
  FrameMemory TakeMemory();
  // What lies outside, for the next run.
  void SetInput(size_t i, void* data) { Set(inputs_[i], data); }
  void SetOutput(size_t i, void* data) { Set(outputs_[i], data); }
  // Whether it is there after the run only.
  bool IsMadeOutput(size_t i) const;
  const DenseTensor& output(size_t i) const { return tensors_[schedule_.outputs[i]]; }
  bool IsArrayOutput(size_t i) const { return program_.slots[program_.outputs[i].slot].is_array; }
  const TensorArray& array_output(size_t i) const { return arrays_[schedule_.outputs[i]]; }

  void Run() { Run(instructions_); }
  // The same, more slowly: `observer` may be null; with `poison` what is not used any more is overwritten.
  void RunObserved(const Observer& observer, bool poison);
  // After a run, whether it failed or not.
  void Clear();

 private:
  using Instructions = std::vector<Instruction>;
  // The tensors that follow a pointer.
  struct Outside {
    std::vector<std::pair<DenseTensor*, int64_t>> tensors;  // with their offsets
  };
  struct BoundCopy;
  struct BoundStep {
    Frame* frame;
    const Action* action;
    std::vector<Move> moves;
  };
  struct BoundBranch {
    Frame* frame;
    const Action* action;
    std::vector<Instructions> bodies;
  };

  static void Set(const Outside& outside, void* data) {
    for (const auto& [tensor, offset] : outside.tensors) {
      tensor->Borrow(tensor->place(), static_cast<char*>(data) + offset);
    }
  }
  void PlaceTensors();
  Instructions Bind(const std::vector<Action>& actions);
  Instruction Bind(const Action& action);
  Instruction BindKernel(const Action& action);
  Instruction BindCopy(const Action& action, const Move& move);
  Instruction BindBranch(const Action& action);
  Instruction BindTiles(const Action& action);
  void Run(const Instructions& instructions);
  void RunDynamic(const Action& action);
  void RunNative(const Action& action);
  void RunIf(const BoundBranch& branch);
  void RunWhile(const BoundBranch& branch);
  // Without `copies`, a value that is not known before may be the other's memory, as long as nothing writes to that.
  void MoveValue(const Move& move, bool copies = false);
  bool IsTrue(int slot) const;
  bool IsDynamic(int slot) const { return schedule_.homes[slot].kind == Home::Kind::Dynamic; }
  bool IsWritten(int slot) const;

  const Lowered& program_;
  const Schedule& schedule_;
  const RunLimits limits_;
  DeviceContext* const pool_;  // whose memory outlives a step
  ScratchAllocator scratch_;
  std::unique_ptr<DeviceContext> own_;  // of kernels with temporaries in the scratch memory
  std::shared_ptr<Allocation> arena_;
  char* arena_begin_ = nullptr;
  std::vector<DenseTensor> tensors_;
  std::vector<TensorArray> arrays_;
  std::vector<Outside> inputs_, outputs_;
  Outside in_arena_;
  bool has_memory_ = false;
  std::unordered_map<int, Outside> made_;  // by the slot of what native operators make
  std::vector<int> dynamic_;               // slots whose memory is one run's
  std::deque<KernelContext> calls_;
  std::vector<std::shared_ptr<void>> bound_;
  Instructions instructions_;
  ExecContext exec_;
  const Observer* observer_ = nullptr;
  bool poison_ = false;
};

}  // namespace phi::ir
