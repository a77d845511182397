// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

#include "core/allocator.h"

namespace phi::ir {

// Memory of the temporaries of kernels: a pointer goes through a region, and back to its begin when nothing of it is in
// use. What does not fit comes from elsewhere, and the region is larger the next time.
class ScratchAllocator final : public Allocator {
 public:
  explicit ScratchAllocator(Allocator* otherwise) : otherwise_(otherwise) {}
  std::shared_ptr<Allocation> Allocate(size_t bytes) override;
  // Between runs: a region for all that the last one took.
  void Grow();
  // Between runs: the region goes to another one, null while something of it is in use; and the other way round.
  std::shared_ptr<Allocation> TakeRegion();
  void SetRegion(std::shared_ptr<Allocation> region);

 private:
  class Piece;

  Allocator* const otherwise_;
  std::mutex mutex_;
  std::shared_ptr<Allocation> region_;
  size_t used_ = 0;
  size_t pieces_ = 0;  // in use
  size_t wanted_ = 0;
};

}  // namespace phi::ir
