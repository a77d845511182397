// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backends/cpu/cpu_context.h"
#include "common/scalar.h"
#include "core/kernel_registry.h"
#include "core/parallel.h"
#include "primitive/convert.h"
#include "primitive/elementwise.h"
#include "primitive/fill.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

namespace {

// How many of the numbers from 0 on are below n, but no more than `most`; none are below NaN.
template <typename C>
int64_t CountBelow(C n, int64_t most) {
  if constexpr (std::is_floating_point_v<C>) {
    if (!(n > 0)) return 0;
    return n < static_cast<C>(int64_t{1} << 62) ? std::min(static_cast<int64_t>(std::ceil(n)), most) : most;
  } else {
    return n > 0 ? std::min(static_cast<int64_t>(n), most) : 0;
  }
}

// The greatest number, at least 0, as a size.
template <typename T>
int64_t Longest(const T* lengths, int64_t count) {
  primitive::ComputeType<T> longest(0);
  for (int64_t i = 0; i < count; ++i) {
    const auto length = primitive::ToCompute(lengths[i]);
    if (length > longest || length != length) longest = length;
    if (length != length) break;
  }
  if constexpr (std::is_floating_point_v<primitive::ComputeType<T>>) {
    constexpr auto kLimit = static_cast<primitive::ComputeType<T>>(int64_t{1} << 62);
    PADDLE_ENFORCE(longest < kLimit,
                   errors::InvalidArgument("argument 'x': expected numbers that are lengths, got %s",
                                           longest != longest ? "NaN" : "one of at least 2^62"));
  }
  return static_cast<int64_t>(longest);
}

}  // namespace

template <typename T, typename Context>
void SequenceMaskKernel(
    const Context& dev_ctx, const DenseTensor& x, const Scalar& max_len, DataType out_dtype, DenseTensor* y) {
  const T* lengths = x.data<T>();
  const int64_t count = x.numel(), said = max_len.to<int64_t>();
  const int64_t length = said < 0 ? Longest(lengths, count) : said;
  DDim dims = x.dims();
  dims.push_back(length);
  y->Resize(dims);
  dev_ctx.Alloc(y, out_dtype);
  if (y->numel() == 0) return;
  DenseTensor number;
  number.Resize({1});
  dev_ctx.Alloc(&number, out_dtype);
  primitive::FillWith(dev_ctx, Scalar(1), &number);
  primitive::WithWord(SizeOf(out_dtype), [&](auto word) {
    using Word = decltype(word);
    const Word one = *static_cast<const Word*>(number.data());
    Word* to = static_cast<Word*>(y->data());
    constexpr int64_t kGrain = 32768;
    ParallelFor(count, 1 + kGrain / length, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t ones = CountBelow(primitive::ToCompute(lengths[i]), length);
        std::fill_n(to + i * length, ones, one);
        std::fill_n(to + i * length + ones, length - ones, Word(0));
      }
    });
  });
}

}  // namespace phi

PD_REGISTER_KERNEL(sequence_mask,
                   CPU,
                   ALL_LAYOUT,
                   phi::SequenceMaskKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int32_t,
                   int64_t) {
  kernel->OutputAt(0).SetDataType(phi::DataType::UNDEFINED);
}
