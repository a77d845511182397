// SPDX-License-Identifier: Apache-2.0
#include "torch/guarded_memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/impl/alloc_cpu.h>

#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "common/enforce.h"

namespace phi::torch_bridge {

namespace {

constexpr size_t kBefore = 4 << 10;  // keeps the alignment
constexpr size_t kBehind = 64 << 10;
constexpr uint8_t kZone = 0xC3;

class GuardedAllocator final : public c10::Allocator {
 public:
  // never destroyed: memory may be freed while the process ends
  static GuardedAllocator& Instance() {
    static GuardedAllocator& allocator = *new GuardedAllocator;
    return allocator;
  }

  c10::DataPtr allocate(size_t size) override {
    auto* base = static_cast<uint8_t*>(c10::alloc_cpu(kBefore + size + kBehind));
    uint8_t* block = base + kBefore;
    std::memset(base, kZone, kBefore);
    std::memset(block + size, kZone, kBehind);
    const std::lock_guard<std::mutex> lock(mutex_);
    std::memset(block, fill_, size);
    sizes_[block] = size;
    return {block, block, &Free, c10::Device(c10::kCPU)};
  }

  c10::DeleterFnPtr raw_deleter() const override { return &Free; }

  void copy_data(void* to, const void* from, size_t size) const override { default_copy_data(to, from, size); }

  void Start(uint8_t fill) {
    const std::lock_guard<std::mutex> lock(mutex_);
    PADDLE_ENFORCE(before_ == nullptr, errors::PreconditionNotMet("memory is guarded already"));
    c10::Allocator* before = c10::GetAllocator(c10::kCPU);
    c10::SetAllocator(c10::kCPU, this);
    PADDLE_ENFORCE(
        c10::GetAllocator(c10::kCPU) == this,
        errors::PreconditionNotMet("memory cannot be guarded: an allocator of a higher priority serves the CPU"));
    before_ = before;
    fill_ = fill;
  }

  void Stop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (before_ != nullptr) c10::SetAllocator(c10::kCPU, std::exchange(before_, nullptr));
  }

  std::vector<MemoryFault> TakeFaults() {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [block, size] : sizes_) Check(block, size);
    return std::exchange(faults_, {});
  }

 private:
  static void Free(void* block) { Instance().Release(static_cast<uint8_t*>(block)); }

  void Release(uint8_t* block) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = sizes_.find(block);
    Check(block, found->second);
    sizes_.erase(found);
    c10::free_cpu(block - kBefore);
  }

  // Notes what was written to the zones of a block, and restores them.
  void Check(uint8_t* block, size_t size) {
    std::optional<MemoryFault> fault;
    for (const auto& [zone, length] : {std::pair(block - kBefore, kBefore), std::pair(block + size, kBehind)}) {
      // each byte is the one before it
      if (zone[0] == kZone && std::memcmp(zone, zone + 1, length - 1) == 0) continue;
      for (uint8_t* byte = zone; byte < zone + length; ++byte) {
        if (*byte == kZone) continue;
        if (!fault) fault = MemoryFault{reinterpret_cast<uintptr_t>(block), size, byte - block, 0};
        fault->last = byte - block;
      }
      std::memset(zone, kZone, length);
    }
    if (fault) faults_.push_back(*fault);
  }

  std::mutex mutex_;
  std::map<uint8_t*, size_t> sizes_;
  std::vector<MemoryFault> faults_;
  c10::Allocator* before_ = nullptr;  // the one that this stands in the place of
  uint8_t fill_ = 0;
};

}  // namespace

void GuardMemory(uint8_t fill) { GuardedAllocator::Instance().Start(fill); }
void StopGuardingMemory() { GuardedAllocator::Instance().Stop(); }
std::vector<MemoryFault> TakeMemoryFaults() { return GuardedAllocator::Instance().TakeFaults(); }

}  // namespace phi::torch_bridge
