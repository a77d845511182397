// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <tuple>
#include <utility>

#include "core/parallel.h"
#include "kernels/funcs/channel_shape.h"
#include "kernels/funcs/sum_rows_cpu.h"

// Loops over images with one value per channel from each of `params`, on the CPU.
namespace phi::funcs {

template <typename MT, size_t P>
using ChannelParams = std::array<const MT*, P>;

namespace detail {

// f with the params of channel c as its last arguments
template <typename T, typename F, size_t P>
auto BindChannel(const F& f, const ChannelParams<primitive::Acc<T>, P>& params, int64_t c) {
  std::array<primitive::Vec<T>, P> values;
  for (size_t i = 0; i < P; ++i) values[i] = primitive::Vec<T>(params[i][c]);
  return [=](const auto&... v) {
    return [&]<size_t... I>(std::index_sequence<I...>) { return f(v..., values[I]...); }(std::make_index_sequence<P>());
  };
}

// to[c] += f(src[row, c]..., params[c]...) over the rows [begin, end), which are few: they are summed up by themselves.
template <typename T, typename F, size_t P, typename... Src>
void AddColumns(int64_t begin,
                int64_t end,
                int64_t cols,
                primitive::Acc<T>* to,
                const F& f,
                const ChannelParams<primitive::Acc<T>, P>& params,
                const Src*... src) {
  using Pair = primitive::detail::SimdPair<primitive::Acc<T>>;
  const auto sum_columns = [&]<size_t... I>(int64_t c, const auto& load, std::index_sequence<I...>) {
    const std::array<Pair, P> values{load(params[I] + c)...};
    Pair sum{typename Pair::Vec(0), typename Pair::Vec(0)};
    for (int64_t row = begin; row < end; ++row) {
      const Pair term = Apply<Pair>(f, load(src + row * cols + c)..., values[I]...);
      sum.lo = sum.lo + term.lo;
      sum.hi = sum.hi + term.hi;
    }
    const Pair before = load(to + c);
    return Pair{before.lo + sum.lo, before.hi + sum.hi};
  };
  const auto every_param = std::make_index_sequence<P>();
  int64_t c = 0;
  for (; c + Pair::kSize <= cols; c += Pair::kSize) {
    sum_columns(c, [](const auto* p) { return Pair::Load(p); }, every_param).Store(to + c);
  }
  if (const int64_t n = cols - c; n > 0) {
    sum_columns(c, [=](const auto* p) { return Pair::Load(p, n); }, every_param).Store(to + c, n);
  }
}

// The sum of f(src...) over one channel, whose planes are apart.
template <typename T, typename F, typename... Src>
primitive::Acc<T> SumChannel(const ChannelShape& shape, int64_t c, const F& f, const Src*... src) {
  constexpr int64_t kFlush = 4096;  // elements that lanes of the accumulator's type sum up exactly enough
  double total = 0;
  for (int64_t n = 0; n < shape.outer;) {
    primitive::VecAccumulator<primitive::Acc<T>, primitive::VecAdd> sum(0, primitive::VecAdd());
    int64_t added = 0;
    for (; n < shape.outer && added < kFlush; ++n, added += shape.inner) {
      sum.Add(shape.inner, f, (src + (n * shape.channels + c) * shape.inner)...);
    }
    total += sum.Total();
  }
  return static_cast<primitive::Acc<T>>(total);
}

}  // namespace detail

// out = f(src..., params[channel]...), elementwise.
template <typename T, typename F, size_t P, typename... Src>
void ChannelMap(const ChannelShape& shape,
                T* out,
                const F& f,
                const ChannelParams<primitive::Acc<T>, P>& params,
                const Src*... src) {
  const int64_t rows = shape.inner == 1 ? shape.outer : shape.outer * shape.channels;
  const int64_t cols = shape.inner == 1 ? shape.channels : shape.inner;
  const bool stream = primitive::detail::Streams(rows * cols, out, src...);
  ParallelFor(rows, primitive::RowGrain(cols), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      const int64_t at = row * cols;
      if (shape.inner == 1) {
        [&]<size_t... I>(std::index_sequence<I...>) {
          primitive::VecWrite(cols, out + at, stream, f, (src + at)..., params[I]...);
        }(std::make_index_sequence<P>());
      } else {
        primitive::VecWrite(
            cols, out + at, stream, detail::BindChannel<T>(f, params, row % shape.channels), (src + at)...);
      }
    }
    if (stream) primitive::detail::EndStream();
  });
}

// sums[k * channels + c] = the sum over channel c of the k-th function (src..., params[c]...), for each function.
template <typename T, typename... Fs, size_t P, typename... Src>
void ChannelSums(const CPUContext& dev_ctx,
                 const ChannelShape& shape,
                 primitive::Acc<T>* sums,
                 const std::tuple<Fs...>& functions,
                 const ChannelParams<primitive::Acc<T>, P>& params,
                 const Src*... src) {
  const int64_t channels = shape.channels;
  const auto for_each_function = [&](const auto& body) {
    std::apply(
        [&](const auto&... f) {
          int64_t k = 0;
          (body(f, k++ * channels), ...);
        },
        functions);
  };
  if (shape.inner == 1) {
    const auto add = [&](int64_t begin, int64_t end, primitive::Acc<T>* to) {
      for_each_function(
          [&](const auto& f, int64_t k) { detail::AddColumns<T>(begin, end, channels, to + k, f, params, src...); });
    };
    return SumRows(dev_ctx, shape.outer, channels, sizeof...(Fs) * channels, sums, add);
  }
  ParallelFor(channels, primitive::RowGrain(shape.count()), [&](int64_t first, int64_t last) {
    for (int64_t c = first; c < last; ++c) {
      for_each_function([&](const auto& f, int64_t k) {
        sums[k + c] = detail::SumChannel<T>(shape, c, detail::BindChannel<T>(f, params, c), src...);
      });
    }
  });
}

}  // namespace phi::funcs
