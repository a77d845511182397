// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <vector>

#include "core/device_context_pool.h"
#include "core/infermeta_utils.h"
#include "ir/exec/schedule.h"

// How a schedule is made: schedule.cc goes through the steps, schedule_kernels.cc, schedule_tiles.cc,
// schedule_copies.cc and schedule_control_flow.cc say what each needs, schedule_memory.cc where it lies.
namespace phi::ir {

inline constexpr int kAlways = std::numeric_limits<int>::max();
// Where tensors seem to lie while it is found out which part of which memory each view is.
inline char* const kNowhere = reinterpret_cast<char*>(uintptr_t{1} << 46);

class Scheduling {
 public:
  Scheduling(const Lowered& program, int64_t max_memory)
      : program_(program),
        max_memory_(max_memory),
        context_(*DeviceContextPool::Instance().Get(program.place)),
        call_(&context_),
        made_(std::make_unique<Schedule>()) {}

  std::unique_ptr<Schedule> Run(const std::vector<DDim>& input_dims);

 private:
  struct Life {
    int64_t bytes = 0;
    int first = kAlways;
    int last = -1;
  };
  struct Loop {
    int begin;
    std::set<int> outer;  // roots from before it
  };
  // An output that may lie where an input does.
  struct Candidate {
    int time;
    int input;
    int output;
    std::vector<int> inputs;  // all of the kernel
    bool is_elementwise;      // it reads for an element of the result those at its place alone
  };

  // ---- slots

  int AddSlot(bool is_written = false);
  Home& HomeOf(int slot) { return made_->homes[slot]; }
  // Whether its memory is a run's, and may be used again in it.
  bool HasLife(int slot) { return HomeOf(slot).kind == Home::Kind::Arena || HomeOf(slot).kind == Home::Kind::Made; }
  bool IsDynamic(int slot) { return slot >= 0 && HomeOf(slot).kind == Home::Kind::Dynamic; }
  bool IsKnown(int slot) { return slot < 0 || HomeOf(slot).kind == Home::Kind::Constant; }
  template <typename Test>
  static bool Any(const std::vector<Slots>& all, Test test) {
    return std::any_of(
        all.begin(), all.end(), [&](const Slots& slots) { return std::any_of(slots.begin(), slots.end(), test); });
  }

  void SetOutside(int slot, Home::Kind kind, const DenseTensorMeta& meta);
  // What the program writes over is copied first. Returns the slot of what is outside.
  int AddOutside(int slot, Home::Kind kind, const DenseTensorMeta& meta, std::vector<Action>* actions);
  void SetConstant(int slot, const DenseTensor& tensor);
  void SetDynamic(int slot);
  void SetMade(int slot, const DenseTensorMeta& meta);
  void AddBuffer(int slot, const DenseTensorMeta& meta);
  // `slot` is a part of the memory of `root`.
  void SetAlias(int slot, int of, int64_t offset);

  void Touch(int slot);
  void TouchAll(const std::vector<Slots>& all);
  // What dynamic kernels read may be shared by what they make.
  void Pin(const std::vector<Slots>& all);

  // ---- steps

  void Visit(const Body& body, std::vector<Action>* actions);

  void Visit(const Step& step, std::vector<Action>* actions);

  void AddDynamic(const Step& step, Action::Kind kind, std::vector<Action>* actions);
  void MakeDynamic(const Step& step, std::vector<Action>* actions);

  void VisitNative(const Step& step, std::vector<Action>* actions);

  void VisitKernel(const Step& step, std::vector<Action>* actions);
  // One whose operands and attributes are known but for what lies in them.
  void VisitStatic(const Step& step, std::vector<Action>* actions);

  // The result of an in-place operation lies where its operand does.
  void WriteOver(int operand, int slot);

  bool Evaluates(const Step& step);
  // Small values are computed with the schedule: shapes, and constants for operators that take them as tensors.
  void Evaluate(const Step& step, const Action& action);

  void VisitView(const Step& step, Action action, std::vector<Action>* actions);

  // Copies of a tensor, in memory of that order.
  int AddContiguous(int slot, std::vector<Action>* actions);
  int AddChannelsLast(int slot, std::vector<Action>* actions);
  void AddCopy(const Step* step, int from, int to, std::vector<Action>* actions);
  // Copies and casts of the tensors that do not fit the kernel.
  void Fit(Action* action, std::vector<Action>* actions);
  int Fitting(int slot, const DataTransform& what, std::vector<Action>* actions);

  // ---- images with the channels last in memory, which ask for kernels of that layout: those of known shapes only

  bool IsImage(int slot);
  // Makes them contiguous for an operator whose images have the channels last in their shape.
  void FitFormat(Action* action, std::vector<Action>* actions);
  // Whether each result is one follows from its strides.
  void MarkImages(const std::vector<Slots>& results);

  void VisitShape(const Step& step, std::vector<Action>* actions);

  void VisitCopy(const Step& step, std::vector<Action>* actions);

  // ---- fused operations

  void VisitFused(const Step& step, std::vector<Action>* actions);
  // Whether the kernels of its steps may run on tiles: each makes one tensor of the shape of the last one's.
  bool RunInTiles(const Body& body, const std::vector<Action>& parts);

  // ---- control flow

  bool SameStatic(int a, int b);
  bool IsArray(int slot);
  // `slot` gets a buffer for tensors like `like`.
  void AddBufferLike(int slot, int like);

  void VisitIf(const Step& step, std::vector<Action>* actions);
  // The side of an if whose condition is computed with the schedule, as shapes are, or -1. The other never runs.
  int KnownSide(int condition);
  void VisitSide(const Step& step, int side, std::vector<Action>* actions);

  void VisitWhile(const Step& step, std::vector<Action>* actions);

  // Whether the values that are carried keep their shapes; else `is_dynamic` says more than before.
  bool VisitLoop(const Step& step, std::vector<bool>* is_dynamic, Action* action);
  // The moves of the values of one round to the next. What would be overwritten before it is read goes by a temporary.
  std::vector<Move> Carried(const Body& body);

  struct State {
    std::vector<DenseTensor> tensors;
    std::vector<Home> homes;
    std::vector<Life> lives;
    std::vector<bool> written;
    std::vector<Loop> loops;
    std::vector<Candidate> candidates;
    size_t constants;
    int time;
  };
  State Save() const;
  void Restore(const State& state);

  // ---- memory

  void AddOutputs(std::vector<Action>* actions);

  void AddCandidates(const Step& step, const Action& action);
  int TopOf(int root) const;
  // A result takes the memory of an operand that nobody needs any more.
  void ReuseInputs();

  void Plan();

  // `ends` are (time of the last use, buffer), sorted.
  static void MarkFreed(const std::vector<std::pair<int, int>>& ends, std::vector<Action>* actions);
  // What native operators made goes when the next of them runs after its last use. `made` are (last use, root).
  static void MarkUnread(std::vector<Action>* actions, std::set<std::pair<int, int>>* made);

  const Lowered& program_;
  const int64_t max_memory_;
  const DeviceContext& context_;
  KernelContext call_;  // of one kernel after the other, and its InferMeta
  InferMetaContext infer_meta_context_;
  std::unique_ptr<Schedule> made_;
  std::vector<DenseTensor> tensors_;
  std::vector<Life> lives_;
  std::vector<bool> written_;
  std::vector<Loop> loops_;
  std::vector<Candidate> candidates_;
  std::set<int> outputs_;  // roots that lie outside of the arena
  std::vector<int> merged_;
  int time_ = 0;
  int unsure_ = 0;  // branches and loops around what is visited, which a run may pass by
};

}  // namespace phi::ir
