// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "ir/exec/kept_schedules.h"

namespace phi::ir {

struct CompileOptions {
  Place place = CPUPlace();
  int64_t max_memory = 0;  // bytes that a run may take; 0: any
  RunLimits limits;
  size_t schedules = 64;  // sets of shapes that are kept
};

// Who gets the outputs of a run.
class OutputReceiver {
 public:
  virtual ~OutputReceiver() = default;
  // Before the run: memory for output `i`, which the program fills.
  virtual void* Allocate(size_t i, const DenseTensorMeta& meta) = 0;
  // After the run: an output whose shape depends on data. It owns its memory.
  virtual void Receive(size_t i, DenseTensor tensor) = 0;
  // The same of an output that is an array of tensors.
  virtual void ReceiveArray(size_t i, TensorArray array) = 0;
};

// A compiled program. It does not change any more: any number of threads may run it at once, and share its weights. One
// that writes weights runs one call at a time.
class Executable {
 public:
  // Errors of Lower.
  Executable(const Program& program, const CompileOptions& options);

  const std::vector<Port>& inputs() const { return program_->inputs; }
  const std::vector<Port>& outputs() const { return program_->outputs; }
  const Lowered& lowered() const { return *program_; }

  // Contiguous tensors on the executable's place. InvalidArgument for inputs of another number, dtype or shape than the
  // program says; errors of operations name the operation, and leave the executable as it was.
  void Run(std::span<const DenseTensor> inputs, OutputReceiver* outputs) {
    RunObserved(inputs, outputs, nullptr, false);
  }
  // The same, with memory of the context's allocator. Unimplemented for an output that is an array.
  std::vector<DenseTensor> Run(std::span<const DenseTensor> inputs);
  void RunObserved(std::span<const DenseTensor> inputs, OutputReceiver* outputs, const Observer* observer, bool poison);

  // The schedule for these shapes, made if there is none.
  std::shared_ptr<const Schedule> ScheduleFor(std::span<const DenseTensor> inputs);
  // What runs with which kernel, and why; with the memory where shapes are given.
  std::string Explain(const Schedule* schedule = nullptr) const;

 private:
  std::shared_ptr<KeptSchedule> Find(std::span<const DenseTensor> inputs);
  void Check(std::span<const DenseTensor> inputs) const;

  const CompileOptions options_;
  std::unique_ptr<Lowered> program_;
  KeptSchedules kept_;
  std::mutex writing_;
};

}  // namespace phi::ir
