// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/cpu/vec/vec.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "backends/cpu/cpu_context.h"

// Stores past the caches, which spare reading a line before it is written.
namespace phi::primitive::detail {

// Whether a result of n elements is written past the caches: it is large, and none of the sources, whose lines are
// there.
template <typename T, typename... Sources>
bool Streams(int64_t n, const T* out, const Sources*... sources) {
  const void* const written = out;
  return n * static_cast<int64_t>(sizeof(T)) > kStreamBytes && ((written != sources) && ...);
}

// Bytes from `p` to the next line, or to the next multiple of another power of two.
inline int64_t ToLine(const void* p, int64_t line = kLine) { return -reinterpret_cast<intptr_t>(p) & (line - 1); }

// Writes a SIMD vector, to where a whole vector fits in a line.
template <typename V>
void StreamVector(const V& vector, void* to) {
#if defined(CPU_CAPABILITY_AVX512)
  __m512i bits;
  static_assert(sizeof(vector) == sizeof(bits));
  std::memcpy(&bits, static_cast<const void*>(&vector), sizeof(bits));
  _mm512_stream_si512(static_cast<__m512i*>(to), bits);
#elif defined(CPU_CAPABILITY_AVX2)
  __m256i bits;
  static_assert(sizeof(vector) == sizeof(bits));
  std::memcpy(&bits, static_cast<const void*>(&vector), sizeof(bits));
  _mm256_stream_si256(static_cast<__m256i*>(to), bits);
#else
  std::memcpy(to, static_cast<const void*>(&vector), sizeof(vector));
#endif
}

// Writes a line.
inline void StreamLine(void* to, const void* from) {
  using V = at::vec::Vectorized<int32_t>;
  for (size_t at = 0; at < kLine; at += sizeof(V)) {
    StreamVector(V::loadu(static_cast<const char*>(from) + at), static_cast<char*>(to) + at);
  }
}

// Copies n bytes; those that fill no line are stored as usual.
inline void StreamBytes(void* to, const void* from, size_t n) {
  char* out = static_cast<char*>(to);
  const char* in = static_cast<const char*>(from);
  const size_t head = std::min<size_t>(ToLine(to), n);
  std::memcpy(out, in, head);
  size_t at = head;
  for (; at + kLine <= n; at += kLine) StreamLine(out + at, in + at);
  std::memcpy(out + at, in + at, n - at);
}

// The same, past the caches only with `stream`, and if there are some lines.
inline void CopyBytes(void* to, const void* from, size_t n, bool stream) {
  stream&& n >= 4 * kLine ? StreamBytes(to, from, n) : static_cast<void>(std::memcpy(to, from, n));
}

// After the last one of a thread: other threads see what was written.
inline void EndStream() { std::atomic_thread_fence(std::memory_order_seq_cst); }

}  // namespace phi::primitive::detail
