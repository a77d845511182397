// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/channels_cpu.h"
#include "primitive/cpu/softmax_rows.h"

// Loops over [outer, dim, inner] on the CPU, with values for each position [outer, inner].
namespace phi::funcs {

// out = f(src..., params[position]...), elementwise.
template <typename T, typename F, size_t P, typename... Src>
void AxisMap(const primitive::AxisShape& shape,
             T* out,
             const F& f,
             const ChannelParams<primitive::Acc<T>, P>& params,
             const Src*... src) {
  const auto rows = [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t at = i * shape.dim;
      primitive::VecMap(shape.dim, out + at, detail::BindChannel<T>(f, params, i), (src + at)...);
    }
  };
  const auto columns = [&](int64_t outer, int64_t begin, int64_t width) {
    const int64_t position = outer * shape.inner + begin;
    int64_t at = outer * shape.dim * shape.inner + begin;
    for (int64_t d = 0; d < shape.dim; ++d, at += shape.inner) {
      [&]<size_t... I>(std::index_sequence<I...>) {
        primitive::VecMap(width, out + at, f, (src + at)..., (params[I] + position)...);
      }(std::make_index_sequence<P>());
    }
  };
  primitive::ForEachAxisTile(shape, rows, columns);
}

// sums[position] = the sum of f(src...) along the axis.
template <typename T, typename F, typename... Src>
void AxisSums(
    const primitive::AxisShape& shape, primitive::Acc<T>* sums, const F& f, const T* first_src, const Src*... src) {
  const auto rows = [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i)
      sums[i] = primitive::VecSum(shape.dim, f, first_src + i * shape.dim, (src + i * shape.dim)...);
  };
  const auto columns = [&](int64_t outer, int64_t begin, int64_t width) {
    primitive::Acc<T>* to = sums + outer * shape.inner + begin;
    std::fill_n(to, width, primitive::Acc<T>(0));
    int64_t at = outer * shape.dim * shape.inner + begin;
    const auto plus = [&](const primitive::Vec<T>& s, const auto&... v) { return s + f(v...); };
    for (int64_t d = 0; d < shape.dim; ++d, at += shape.inner)
      primitive::VecMap(width, to, plus, to, first_src + at, (src + at)...);
  };
  primitive::ForEachAxisTile(shape, rows, columns);
}

}  // namespace phi::funcs
