// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "common/place.h"

namespace phi {

// A piece of memory; freed with the object.
class Allocation {
 public:
  Allocation(void* ptr, size_t size, Place place) : ptr_(ptr), size_(size), place_(place) {}
  virtual ~Allocation() = default;
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  void* ptr() const { return ptr_; }
  size_t size() const { return size_; }
  const Place& place() const { return place_; }

 private:
  void* ptr_;
  size_t size_;
  Place place_;
};

class Allocator {
 public:
  virtual ~Allocator() = default;
  virtual std::shared_ptr<Allocation> Allocate(size_t bytes) = 0;
};

}  // namespace phi
