// SPDX-License-Identifier: Apache-2.0
#include "backends/emulated/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <unordered_map>

#include "backends/emulated/devices.h"
#include "backends/emulated/shared_memory.h"

namespace phi::emulated {

namespace {

constexpr size_t kAlignment = 16;  // of the vector loads of device code

size_t PageSize() {
  static const auto size = static_cast<size_t>(getpagesize());
  return size;
}

struct Block {
  uint8_t* pages;
  size_t room;  // before the page without access
  uint8_t* data;
  size_t size;

  void Protect(int access) const { mprotect(pages, room, access); }
  bool Holds(const void* address) const { return address >= pages && address < pages + room + PageSize(); }
  // Whether nobody has written to the bytes around the data.
  bool IsWhole() const {
    const auto holds_pattern = [](uint8_t byte) { return byte == kPattern; };
    return std::all_of(pages, data, holds_pattern) && std::all_of(data + size, pages + room, holds_pattern);
  }
};

constexpr int kOpen = PROT_READ | PROT_WRITE;

// Those of the host, or of a device.
class Blocks {
 public:
  void* Allocate(size_t size, bool is_host) {
    const size_t room = std::max<size_t>(1, (size + PageSize() - 1) / PageSize()) * PageSize();
    void* pages = mmap(nullptr, room + PageSize(), kOpen, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    auto* begin = static_cast<uint8_t*>(pages);
    mprotect(begin + room, PageSize(), PROT_NONE);
    std::memset(begin, kPattern, room);
    uint8_t* data = begin + (room - size) / kAlignment * kAlignment;
    const std::lock_guard<std::mutex> lock(mutex_);
    const Block& block = blocks_[data] = {begin, room, data, size};
    if (!is_host && accesses_ == 0) block.Protect(PROT_NONE);
    return data;
  }

  // False if it is another's.
  bool Free(uint8_t* data) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = blocks_.find(data);
    if (found == blocks_.end()) return false;
    const Block block = found->second;
    blocks_.erase(found);
    block.Protect(kOpen);
    if (!block.IsWhole()) {
      std::fprintf(stderr, "emulated GPU: bytes around a block of %zu bytes were written\n", block.size);
      std::abort();
    }
    munmap(block.pages, block.room + PageSize());
    return true;
  }

  void Open() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (accesses_++ > 0) return;
    for (const auto& [data, block] : blocks_) block.Protect(kOpen);
  }
  void Close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (--accesses_ > 0) return;
    for (const auto& [data, block] : blocks_) block.Protect(PROT_NONE);
  }

  // For a signal handler, which may not wait.
  const Block* Find(const void* address) const {
    const auto holds = [&](const auto& entry) { return entry.second.Holds(address); };
    const auto found = std::find_if(blocks_.begin(), blocks_.end(), holds);
    return found == blocks_.end() ? nullptr : &found->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<uint8_t*, Block> blocks_;
  int accesses_ = 0;
};

// Never destroyed: memory may be freed while the process ends.
Blocks& BlocksOf(int device) {
  static Blocks* const blocks = new Blocks[kDevices + 1];
  return blocks[device - kHost];
}

struct sigaction g_next;  // what takes the signal after us

// Says what was touched; then the process ends as it would have.
void Report(int, siginfo_t* info, void*) {
  for (int device = kHost; device < kDevices; ++device) {
    const Block* block = BlocksOf(device).Find(info->si_addr);
    if (block == nullptr) continue;
    const auto* at = static_cast<const uint8_t*>(info->si_addr);
    const char* what =
        at >= block->pages + block->room ? "behind a block" : "a block, while nothing runs on its device,";
    char text[160];
    const int length = std::snprintf(
        text, sizeof(text), "emulated GPU: read or wrote %s of %zu bytes of device %d\n", what, block->size, device);
    if (write(STDERR_FILENO, text, static_cast<size_t>(length)) < 0) break;
  }
  sigaction(SIGSEGV, &g_next, nullptr);
}

void ReportFaults() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = &Report;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &g_next);
  });
}

}  // namespace

void* Allocate(int device, size_t size) {
  ReportFaults();
  return BlocksOf(device).Allocate(size, device == kHost);
}

void Free(void* data) {
  for (int device = kHost; device < kDevices; ++device) {
    if (BlocksOf(device).Free(static_cast<uint8_t*>(data))) return;
  }
}

Access::Access(int device) : device_(device) { BlocksOf(device).Open(); }
Access::~Access() { BlocksOf(device_).Close(); }

}  // namespace phi::emulated
