// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/scratch.h"

#include <algorithm>
#include <utility>

namespace phi::ir {

class ScratchAllocator::Piece final : public Allocation {
 public:
  Piece(ScratchAllocator* from, std::shared_ptr<Allocation> region, void* ptr, size_t size)
      : Allocation(ptr, size, region->place()), from_(from), region_(std::move(region)) {}
  ~Piece() override {
    const std::lock_guard<std::mutex> lock(from_->mutex_);
    if (--from_->pieces_ == 0) from_->used_ = 0;
  }

 private:
  ScratchAllocator* const from_;
  const std::shared_ptr<Allocation> region_;
};

std::shared_ptr<Allocation> ScratchAllocator::Allocate(size_t bytes) {
  const size_t size = (bytes + 63) / 64 * 64;
  const std::lock_guard<std::mutex> lock(mutex_);
  wanted_ = std::max(wanted_, used_ + size);
  if (region_ == nullptr || used_ + size > region_->size()) return otherwise_->Allocate(bytes);
  void* ptr = static_cast<char*>(region_->ptr()) + used_;
  used_ += size;
  ++pieces_;
  return std::make_shared<Piece>(this, region_, ptr, bytes);
}

void ScratchAllocator::Grow() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (pieces_ != 0 || wanted_ <= (region_ != nullptr ? region_->size() : 0)) return;
  region_ = otherwise_->Allocate(wanted_);
}

std::shared_ptr<Allocation> ScratchAllocator::TakeRegion() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return pieces_ == 0 ? std::exchange(region_, nullptr) : nullptr;
}

void ScratchAllocator::SetRegion(std::shared_ptr<Allocation> region) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (pieces_ == 0) region_ = std::move(region);
}

}  // namespace phi::ir
