// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "ir/exec/frame.h"

namespace phi::ir {

// A schedule, and the frames that wait for runs of it.
class KeptSchedule {
 public:
  explicit KeptSchedule(std::unique_ptr<Schedule> made) : schedule(std::move(made)) {}

  bool Fits(std::span<const DenseTensor> inputs) const;
  std::unique_ptr<Frame> Take();  // null if none waits
  void Give(std::unique_ptr<Frame> frame);
  void TakeMemory(std::vector<FrameMemory>* to);  // of all that wait

  const std::unique_ptr<Schedule> schedule;
  std::atomic<bool> is_last_used = false;

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Frame>> frames_;
};

// The schedules of an executable, one for each set of shapes, of which `most` are kept. They have their memory in turn:
// as much stays as the largest takes, for each run at a time.
class KeptSchedules {
 public:
  explicit KeptSchedules(size_t most) : most_(most) {}

  // Null if there is none for these shapes.
  std::shared_ptr<KeptSchedule> Find(std::span<const DenseTensor> inputs);
  // The one that another thread has made meanwhile, if there is one.
  std::shared_ptr<KeptSchedule> Add(std::span<const DenseTensor> inputs, std::unique_ptr<Schedule> schedule);
  // For a frame without memory.
  FrameMemory TakeMemory();
  // A frame after its run.
  void Give(KeptSchedule* to, std::unique_ptr<Frame> frame);

 private:
  std::shared_ptr<KeptSchedule> FindLocked(std::span<const DenseTensor> inputs);
  void MoveToFront(std::list<std::shared_ptr<KeptSchedule>>::iterator kept);

  const size_t most_;
  std::mutex mutex_;
  std::list<std::shared_ptr<KeptSchedule>> kept_;  // the last used is the first
  std::vector<FrameMemory> spare_;
};

}  // namespace phi::ir
