// SPDX-License-Identifier: Apache-2.0
#include "torch/emulated/fenced_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <unordered_map>

#include "backends/emulated/shared_memory.h"

namespace phi::torch_bridge {

namespace {

constexpr size_t kAlignment = 16;  // of the vector loads of device code

struct Block {
  uint8_t* pages;
  size_t room;  // before the page without access
  size_t size;
};

size_t PageSize() {
  static const auto size = static_cast<size_t>(getpagesize());
  return size;
}

bool HoldsPattern(const uint8_t* begin, const uint8_t* end) {
  return std::all_of(begin, end, [](uint8_t byte) { return byte == emulated::kPattern; });
}

class Fenced final : public c10::Allocator {
 public:
  // never destroyed: memory may be freed while the process ends
  static Fenced& Instance() {
    static Fenced& allocator = *new Fenced;
    return allocator;
  }

  c10::DataPtr allocate(size_t size) override {
    const size_t room = std::max<size_t>(1, (size + PageSize() - 1) / PageSize()) * PageSize();
    void* pages = mmap(nullptr, room + PageSize(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    auto* begin = static_cast<uint8_t*>(pages);
    mprotect(begin + room, PageSize(), PROT_NONE);
    std::memset(begin, emulated::kPattern, room);
    uint8_t* data = begin + (room - size) / kAlignment * kAlignment;
    const std::lock_guard<std::mutex> lock(mutex_);
    blocks_[data] = {begin, room, size};
    return {data, data, &Free, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &Free; }
  void copy_data(void* to, const void* from, size_t size) const override { default_copy_data(to, from, size); }

 private:
  static void Free(void* data) { Instance().Release(static_cast<uint8_t*>(data)); }

  void Release(uint8_t* data) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = blocks_.find(data);
    const Block block = found->second;
    blocks_.erase(found);
    if (!HoldsPattern(block.pages, data) || !HoldsPattern(data + block.size, block.pages + block.room)) {
      std::fprintf(stderr, "emulated GPU: bytes around a block of %zu bytes were written\n", block.size);
      std::abort();
    }
    munmap(block.pages, block.room + PageSize());
  }

  std::mutex mutex_;
  std::unordered_map<uint8_t*, Block> blocks_;
};

}  // namespace

c10::Allocator* FencedMemory() { return &Fenced::Instance(); }

}  // namespace phi::torch_bridge
