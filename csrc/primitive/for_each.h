// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/hostdevice.h"

#ifdef PHI_DEVICE_CODE
#include "primitive/gpu/for_each.cuh"
#else
#include "primitive/cpu/for_each.h"
#endif

namespace phi::primitive {

// Calls f(i) for i in [0, n), in any order and in parallel. f is HOSTDEVICE, and writes only what belongs to its i.
template <typename Context, typename Function>
void ForEach(const Context& dev_ctx, int64_t n, const Function& f) {
  if (n > 0) detail::RunForEach(dev_ctx, n, f);
}

// Calls f(row, begin, end) for the elements [begin, end) of each of `rows` rows of `width` elements, in any order and
// in parallel: with whole rows on the CPU, with single elements on a GPU. f is HOSTDEVICE, and writes only these
// elements.
template <typename Context, typename Function>
void ForEachRun(const Context& dev_ctx, int64_t rows, int64_t width, const Function& f) {
  if (rows > 0 && width > 0) detail::RunForEachRun(dev_ctx, rows, width, f);
}

}  // namespace phi::primitive
