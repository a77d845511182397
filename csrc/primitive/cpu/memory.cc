// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "core/parallel.h"
#include "primitive/cpu/grain_bytes.h"
#include "primitive/cpu/stream.h"
#include "primitive/memcpy.h"
#include "primitive/memset.h"

namespace phi::primitive {

namespace {

void CopyBytes(const DeviceContext&, void* to, const void* from, size_t bytes) {
  const bool stream = static_cast<int64_t>(bytes) > kStreamBytes;
  ParallelFor(static_cast<int64_t>(bytes), detail::kGrainBytes, [=](int64_t begin, int64_t end) {
    detail::CopyBytes(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin, stream);
    if (stream) detail::EndStream();
  });
}

void SetBytes(const DeviceContext&, void* to, int value, size_t bytes) {
  ParallelFor(static_cast<int64_t>(bytes), detail::kGrainBytes, [=](int64_t begin, int64_t end) {
    std::memset(static_cast<char*>(to) + begin, value, end - begin);
  });
}

[[maybe_unused]] const bool memory_registered = [] {
  using enum MemcpyKind;
  for (const MemcpyKind kind : {kHostToHost, kHostToDevice, kDeviceToHost, kDeviceToDevice}) {
    RegisterPrimitive<Memcpy>(Backend::CPU, &CopyBytes, kind);
  }
  return RegisterPrimitive<Memset>(Backend::CPU, &SetBytes);
}();

}  // namespace

}  // namespace phi::primitive
