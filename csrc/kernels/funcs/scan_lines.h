// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/for_each.h"
#include "primitive/loop/axis_shape.h"

namespace phi::funcs {

// The elements along an axis, one after the other or the other way round.
struct ScanLine {
  int64_t first;  // offset of element 0
  int64_t size;
  int64_t stride;  // from an element to the next, negative in a reverse scan
  HOSTDEVICE int64_t operator[](int64_t i) const { return first + i * stride; }
};

// Calls f(line) for each line along the axis, in parallel. f is HOSTDEVICE.
template <typename Context, typename Function>
void ForEachLine(const Context& dev_ctx, const primitive::AxisShape& shape, bool reverse, const Function& f) {
  const int64_t size = shape.dim, inner = shape.inner;
  primitive::ForEach(dev_ctx, size == 0 ? 0 : shape.outer * inner, [=] HOSTDEVICE(int64_t i) {
    const int64_t first = i / inner * size * inner + i % inner;
    f(ScanLine{reverse ? first + (size - 1) * inner : first, size, reverse ? -inner : inner});
  });
}

}  // namespace phi::funcs
