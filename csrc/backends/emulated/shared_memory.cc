// SPDX-License-Identifier: Apache-2.0
#include "backends/emulated/shared_memory.h"

#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace phi::emulated {

namespace {

struct Segment {
  void* data;
  size_t size;
};

// Notes the thread_local segment of the library that this function is a part of.
int Note(dl_phdr_info* info, size_t, void* segment) {
  const auto own = reinterpret_cast<uintptr_t>(&Note);
  const ElfW(Phdr)* const end = info->dlpi_phdr + info->dlpi_phnum;
  const auto holds_this = [&](const ElfW(Phdr) & header) {
    const uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    return header.p_type == PT_LOAD && own >= begin && own - begin < header.p_memsz;
  };
  if (!std::any_of(info->dlpi_phdr, end, holds_this)) return 0;
  const ElfW(Phdr)* tls = std::find_if(info->dlpi_phdr, end, [](const auto& h) { return h.p_type == PT_TLS; });
  if (tls == end) return 1;
  if (tls->p_filesz != 0) throw std::logic_error("emulated GPU: a thread_local variable has an initial value");
  *static_cast<Segment*>(segment) = {info->dlpi_tls_data, tls->p_memsz};
  return 1;
}

thread_local char some;  // of no kernel: makes the segment, which comes into being when it is first used

}  // namespace

void SharedMemory::Find() {
  *const_cast<volatile char*>(&some) = 0;
  Segment segment{};
  dl_iterate_phdr(&Note, &segment);
  data_ = static_cast<uint8_t*>(segment.data);
  size_ = segment.size;
}

void SharedMemory::Fill() {
  const auto thread = static_cast<uintptr_t>(pthread_self());
  if (thread_ != thread) Find();
  thread_ = thread;
  std::memset(data_, kPattern, size_);
}

size_t SharedMemory::Used() const {
  uint8_t fresh[256];
  std::memset(fresh, kPattern, sizeof(fresh));
  size_t used = 0;
  for (size_t at = 0, size; at < size_; at += size) {  // most of it is as it was, which memcmp sees soonest
    size = std::min(sizeof(fresh), size_ - at);
    const uint8_t* part = data_ + at;
    if (std::memcmp(part, fresh, size) != 0)
      used += size - static_cast<size_t>(std::count(part, part + size, kPattern));
  }
  return used;
}

}  // namespace phi::emulated
