// SPDX-License-Identifier: Apache-2.0
#include "kernels/funcs/concat_and_split.h"

#include <algorithm>
#include <cstring>

#include "common/ceil_div.h"
#include "core/parallel.h"
#include "primitive/cpu/stream.h"

namespace phi::funcs {

namespace {

using primitive::detail::CopyBytes;
using primitive::detail::EndStream;

constexpr int64_t kTileBytes = 1 << 16;  // fits the cache, and is worth a task

// With a constant width the compiler makes a copy of a row one instruction.
template <int64_t kBytes>
void CopyLines(char* to, int64_t to_pitch, const char* from, int64_t from_pitch, int64_t, int64_t lines, bool) {
  for (int64_t i = 0; i < lines; ++i) std::memcpy(to + i * to_pitch, from + i * from_pitch, kBytes);
}

void CopyWideLines(
    char* to, int64_t to_pitch, const char* from, int64_t from_pitch, int64_t bytes, int64_t lines, bool stream) {
  for (int64_t i = 0; i < lines; ++i) CopyBytes(to + i * to_pitch, from + i * from_pitch, bytes, stream);
}

using CopyLinesFn = void (*)(char*, int64_t, const char*, int64_t, int64_t, int64_t, bool);

CopyLinesFn CopyLinesFor(int64_t bytes) {
  switch (bytes) {
    case 1:
      return &CopyLines<1>;
    case 2:
      return &CopyLines<2>;
    case 4:
      return &CopyLines<4>;
    case 8:
      return &CopyLines<8>;
    case 16:
      return &CopyLines<16>;
    default:
      return &CopyWideLines;
  }
}

// All parts of a few rows.
void CopyTile(
    int64_t row, int64_t lines, const RowParts& parts, int64_t pitch, char* whole, bool to_whole, bool stream) {
  char* in_whole = whole + row * pitch;
  for (const RowPart& part : parts) {
    if (part.data) {
      char* in_part = part.data + row * part.bytes;
      const CopyLinesFn copy = CopyLinesFor(part.bytes);
      to_whole ? copy(in_whole, pitch, in_part, part.bytes, part.bytes, lines, stream)
               : copy(in_part, part.bytes, in_whole, pitch, part.bytes, lines, stream);
    }
    in_whole += part.bytes;
  }
}

// Threads share the bytes of the row.
void CopyOneRow(const RowParts& parts, int64_t pitch, char* whole, bool to_whole, bool stream) {
  ParallelFor(pitch, kTileBytes, [&](int64_t begin, int64_t end) {
    int64_t offset = 0;
    for (const RowPart& part : parts) {
      const int64_t first = std::clamp<int64_t>(begin - offset, 0, part.bytes);
      const int64_t last = std::clamp<int64_t>(end - offset, 0, part.bytes);
      if (part.data && first < last) {
        char* in_whole = whole + offset + first;
        char* in_part = part.data + first;
        CopyBytes(to_whole ? in_whole : in_part, to_whole ? in_part : in_whole, last - first, stream);
      }
      offset += part.bytes;
    }
    if (stream) EndStream();
  });
}

}  // namespace

void CopyRows(const CPUContext&, int64_t rows, const RowParts& parts, char* whole, CopyDirection direction) {
  int64_t pitch = 0;
  for (const RowPart& part : parts) pitch += part.bytes;
  if (rows == 0 || pitch == 0) return;
  const bool to_whole = direction == CopyDirection::kPartsToWhole;
  const bool stream = rows * pitch > kStreamBytes;
  if (rows == 1) return CopyOneRow(parts, pitch, whole, to_whole, stream);
  const int64_t tile = std::max<int64_t>(1, kTileBytes / pitch);
  ParallelFor(CeilDiv(rows, tile), 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin * tile; row < std::min(end * tile, rows); row += tile) {
      CopyTile(row, std::min(tile, rows - row), parts, pitch, whole, to_whole, stream);
    }
    if (stream) EndStream();
  });
}

}  // namespace phi::funcs
