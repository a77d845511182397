// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <c10/core/Allocator.h>

#include <memory>
#include <mutex>
#include <utility>

#include "core/allocator.h"
#include "core/generator.h"
#include "torch/small_blocks.h"

// What contexts get of torch's for memory and random numbers of the host.
namespace phi::torch_bridge {

// Memory as torch holds it.
class DataPtrAllocation final : public Allocation {
 public:
  DataPtrAllocation(c10::DataPtr data, size_t size, const Place& place)
      : Allocation(data.get(), size, place), data_(std::move(data)) {}

 private:
  c10::DataPtr data_;
};

class HostAllocator final : public Allocator {
 public:
  std::shared_ptr<Allocation> Allocate(size_t bytes) override {
    c10::Allocator* cpu = c10::GetAllocator(c10::kCPU);
    const bool is_small = bytes > 0 && bytes <= kSmallBlock && UsesSmallBlocks(cpu);
    return std::make_shared<DataPtrAllocation>(
        is_small ? AllocateSmallBlock(bytes) : cpu->allocate(bytes), bytes, CPUPlace());
  }
};

// Each reservation takes a fresh seed from torch's generator, so torch.manual_seed makes runs repeatable.
class HostGenerator final : public Generator {
 public:
  std::pair<uint64_t, uint64_t> IncrementOffset(uint64_t) override {
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    const std::lock_guard<std::mutex> lock(generator.mutex());
    return {at::check_generator<at::CPUGeneratorImpl>(generator)->random64(), 0};
  }
};

}  // namespace phi::torch_bridge
