// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/kept_schedules.h"

#include <algorithm>

namespace phi::ir {

bool KeptSchedule::Fits(std::span<const DenseTensor> inputs) const {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].dims() != schedule->input_dims[i]) return false;
  }
  return true;
}

std::unique_ptr<Frame> KeptSchedule::Take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (frames_.empty()) return nullptr;
  std::unique_ptr<Frame> frame = std::move(frames_.back());
  frames_.pop_back();
  return frame;
}

void KeptSchedule::Give(std::unique_ptr<Frame> frame) {
  const std::lock_guard<std::mutex> lock(mutex_);
  frames_.push_back(std::move(frame));
}

void KeptSchedule::TakeMemory(std::vector<FrameMemory>* to) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const std::unique_ptr<Frame>& frame : frames_) {
    if (frame->HasMemory()) to->push_back(frame->TakeMemory());
  }
}

std::shared_ptr<KeptSchedule> KeptSchedules::Find(std::span<const DenseTensor> inputs) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return FindLocked(inputs);
}

std::shared_ptr<KeptSchedule> KeptSchedules::Add(std::span<const DenseTensor> inputs,
                                                 std::unique_ptr<Schedule> schedule) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (auto found = FindLocked(inputs)) return found;
  MoveToFront(kept_.insert(kept_.end(), std::make_shared<KeptSchedule>(std::move(schedule))));
  std::shared_ptr<KeptSchedule> added = kept_.front();
  if (kept_.size() > most_) kept_.pop_back();
  return added;
}

FrameMemory KeptSchedules::TakeMemory() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (spare_.empty()) return {};
  FrameMemory memory = std::move(spare_.back());
  spare_.pop_back();
  return memory;
}

void KeptSchedules::Give(KeptSchedule* to, std::unique_ptr<Frame> frame) {
  frame->Clear();
  if (!to->is_last_used) {
    const std::lock_guard<std::mutex> lock(mutex_);
    spare_.push_back(frame->TakeMemory());
  }
  to->Give(std::move(frame));
}

std::shared_ptr<KeptSchedule> KeptSchedules::FindLocked(std::span<const DenseTensor> inputs) {
  const auto fits = [&](const std::shared_ptr<KeptSchedule>& kept) { return kept->Fits(inputs); };
  const auto found = std::find_if(kept_.begin(), kept_.end(), fits);
  if (found == kept_.end()) return nullptr;
  MoveToFront(found);
  return kept_.front();
}

void KeptSchedules::MoveToFront(std::list<std::shared_ptr<KeptSchedule>>::iterator kept) {
  if (kept != kept_.begin()) {
    kept_.front()->is_last_used = false;
    kept_.front()->TakeMemory(&spare_);
    kept_.splice(kept_.begin(), kept_, kept);
  }
  kept_.front()->is_last_used = true;
}

}  // namespace phi::ir
