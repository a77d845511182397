// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>

#include "common/ceil_div.h"
#include "kernels/funcs/conv_planes.h"
#include "kernels/funcs/direct_conv.h"
#include "primitive/loop/copy_run.h"
#include "primitive/loop/vec_loop.h"

// The loops of DirectConv, which its source file alone includes.
namespace phi::funcs {

namespace {

using V = primitive::Vec<float>;
constexpr int64_t kLanes = V::size();
constexpr int64_t kMostRows = 4;  // filters of one tile, whose sums stay in registers
constexpr int kMostSums = 12;     // vectors of one tile, of all rows
constexpr int64_t kStrip = 1024;  // pixels of a row that are computed before they are written

// out[m][0, N vectors) = init[m] + the sum over taps of weights[m][tap.weight] * planes[tap.place...].
template <int M, int N>
void Tile(const ConvTap* taps,
          int64_t count,
          const float* planes,
          const float* weights,
          int64_t weight_step,
          const float* init,
          float* out,
          int64_t out_step) {
  V sums[M][N];
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) sums[m][n] = V(init[m]);
  }
  for (const ConvTap* tap = taps; tap < taps + count; ++tap) {
    const float* from = planes + tap->place;
    V x[N];
    for (int n = 0; n < N; ++n) x[n] = V::loadu(from + n * kLanes);
    for (int m = 0; m < M; ++m) {
      const V weight(weights[m * weight_step + tap->weight]);
      for (int n = 0; n < N; ++n) sums[m][n] = at::vec::fmadd(weight, x[n], sums[m][n]);
    }
  }
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) sums[m][n].store(out + m * out_step + n * kLanes);
  }
}

using TileFn = decltype(&Tile<1, 1>);
template <int M, typename>
struct TilesOf;
template <int M, int... N>
struct TilesOf<M, std::integer_sequence<int, N...>> {
  static constexpr TileFn kTiles[] = {&Tile<M, N + 1>...};
};
template <int M>
constexpr const TileFn* kTilesOf = TilesOf<M, std::make_integer_sequence<int, kMostSums / M>>::kTiles;
constexpr const TileFn* kTiles[] = {kTilesOf<1>, kTilesOf<2>, kTilesOf<3>, kTilesOf<4>};

// Where the rows of a tile of one vector each are: elements from one to the next in the planes, and in the result.
struct RowSteps {
  int64_t from, to;
};

// As Tile<1, N>, of N rows of `columns` elements, no more than a vector, which go where they belong at once.
template <int N>
void Rows(const ConvTap* taps,
          int64_t count,
          const float* planes,
          const float* weights,
          float init,
          RowSteps steps,
          int64_t columns,
          float* out) {
  V sums[N];
  for (int n = 0; n < N; ++n) sums[n] = V(init);
  for (const ConvTap* tap = taps; tap < taps + count; ++tap) {
    const V weight(weights[tap->weight]);
    const float* from = planes + tap->place;
    for (int n = 0; n < N; ++n) sums[n] = at::vec::fmadd(weight, V::loadu(from + n * steps.from), sums[n]);
  }
  for (int n = 0; n < N; ++n) sums[n].store(out + n * steps.to, static_cast<int>(columns));
}

template <typename>
struct RowsOf;
template <int... N>
struct RowsOf<std::integer_sequence<int, N...>> {
  static constexpr decltype(&Rows<1>) kRows[] = {&Rows<N + 1>...};
};
constexpr auto& kRows = RowsOf<std::make_integer_sequence<int, kMostSums>>::kRows;
constexpr int64_t kRowCopy = 16;  // taps of a vector that take as long as it takes to copy a row

// Computes in float, and writes T.
template <typename T>
class Convolver {
 public:
  Convolver(const ConvPlanes& g, const float* planes, const ConvPart* parts, const ConvTap* taps, const float* filter)
      : g_(g), planes_(planes), parts_(parts), taps_(taps), filter_(filter) {}

  // `count` filters of one group from `first` on, for one image.
  void Run(int64_t image, int64_t first, int64_t count, const ConvEpilogue& epilogue, T* out) const {
    const int64_t pixels = g_.pixels(), at = (image * g_.filters + first) * pixels;
    const int64_t group = first / (g_.filters / g_.groups), channel = group * (g_.channels / g_.groups);
    const float* planes = planes_ + image * g_.image() + channel * g_.phases() * g_.plane();
    float init[kMostRows] = {};
    for (int64_t m = 0; epilogue.bias && m < count; ++m) {
      init[m] = static_cast<float>(epilogue.bias->data<T>()[first + m]);
    }
    for (int64_t i = 0; i < g_.parts(); i += g_.together()) {
      if constexpr (std::is_same_v<T, float>) {
        if (count == 1 && AreShortRows(parts_[i])) {
          RunRows(parts_[i], planes, filter_ + g_.FilterAt(first), init[0], out + at);
          continue;
        }
      }
      RunParts(parts_ + i, planes, first, count, init, out + at);
    }
    const bool is_identity = epilogue.activation.kind == Activation::Kind::kIdentity;
    if (epilogue.residual) {
      const AddActivate last{epilogue.activation};
      const auto add = [&](const V& x, const V& y) { return last(x, y); };
      primitive::VecMap(count * pixels, out + at, add, out + at, epilogue.residual->data<T>() + at);
    } else if (!is_identity) {
      primitive::VecMap(count * pixels, out + at, epilogue.activation, out + at);
    }
  }

 private:
  // Whether rows of a vector each take less time than those of a strip, which are copied then.
  bool AreShortRows(const ConvPart& part) const {
    if (g_.step[2] != 1 || part.windows[2] > kLanes) return false;
    const int64_t rows = part.windows[1], of_strip = ((rows - 1) * g_.width() + part.windows[2]) / kLanes;
    return (part.end - part.begin) * (rows - of_strip) <= kRowCopy * rows;
  }

  // Where a row of a part begins in a channel of the result.
  int64_t RowAt(const ConvPart& part, int64_t z, int64_t row) const {
    const int64_t depth = part.first[0] + z * g_.step[0], down = part.first[1] + row * g_.step[1];
    return (depth * g_.out[1] + down) * g_.out[2] + part.first[2];
  }

  void RunRows(const ConvPart& part, const float* planes, const float* weights, float init, float* out) const {
    for (int64_t z = 0; z < part.windows[0]; ++z) {
      for (int64_t row = 0; row < part.windows[1]; row += kMostSums) {
        const int64_t height = std::min<int64_t>(kMostSums, part.windows[1] - row);
        const float* from = planes + (z * g_.plane_size[1] + row) * g_.width();
        kRows[height - 1](taps_ + part.begin,
                          part.end - part.begin,
                          from,
                          weights,
                          init,
                          {g_.width(), g_.step[1] * g_.out[2]},
                          part.windows[2],
                          out + RowAt(part, z, row));
      }
    }
  }

  // As many parts as `together` says, whose pixels take turns in a row of the result.
  void RunParts(
      const ConvPart* parts, const float* planes, int64_t first, int64_t count, const float* init, T* out) const {
    const int64_t together = g_.together(), room = kStrip / together, rows = std::max<int64_t>(1, room / g_.width());
    float strip[kMostRows][kStripStep];
    for (int64_t z = 0; z < parts->windows[0]; ++z) {
      for (int64_t row = 0; row < parts->windows[1]; row += rows) {
        const int64_t height = std::min(rows, parts->windows[1] - row);
        const float* from = planes + (z * g_.plane_size[1] + row) * g_.width();
        for (int64_t i = 0; i < together; ++i) {
          Strip(parts[i], from, height, first, count, init, strip[0] + i * (room + kLanes));
        }
        for (int64_t m = 0; m < count; ++m) {
          for (int64_t y = 0; y < height; ++y) {
            const float* computed = strip[m] + y * g_.width();
            T* to = out + m * g_.pixels() + RowAt(*parts, z, row + y);
            if (together == 2) {
              Interleave(computed, computed + room + kLanes, g_.out[2], to);
            } else if (g_.step[2] == 1) {
              Copy(computed, parts->windows[2], to);
            } else {
              for (int64_t x = 0; x < parts->windows[2]; ++x) to[x * g_.step[2]] = static_cast<T>(computed[x]);
            }
          }
        }
      }
    }
  }

  // `height` rows of the windows of a part.
  void Strip(const ConvPart& part,
             const float* planes,
             int64_t height,
             int64_t first,
             int64_t count,
             const float* init,
             float* out) const {
    const float* weights = filter_ + g_.FilterAt(first);
    const int64_t n = (height - 1) * g_.width() + part.windows[2];
    const int64_t vectors = CeilDiv(n, kLanes), taps = part.end - part.begin;
    const int64_t most = kMostSums / count;
    for (int64_t i = 0; i < vectors; i += most) {
      const int64_t width = std::min(most, vectors - i), at = i * kLanes;
      const TileFn tile = kTiles[count - 1][width - 1];
      tile(taps_ + part.begin, taps, planes + at, weights, g_.filter_step(), init, out + at, kStripStep);
    }
  }

  static void Copy(const float* from, int64_t n, T* to) {
    if constexpr (std::is_same_v<T, float>) {
      primitive::CopyRun(from, to, n);
    } else {
      primitive::VecMap(n, to, [](const V& v) { return v; }, from);
    }
  }

  // n elements of `even` and `odd` by turns. A vector behind both may be read.
  static void Interleave(const float* even, const float* odd, int64_t n, T* to) {
    for (int64_t i = 0; i < n; i += 2 * kLanes) {
      const auto [lo, hi] = at::vec::interleave2(V::loadu(even + i / 2), V::loadu(odd + i / 2));
      const primitive::detail::SimdPair<float> pair{lo, hi};
      if (n - i >= 2 * kLanes) {
        pair.Store(to + i);
      } else {
        pair.Store(to + i, n - i);
      }
    }
  }

  static constexpr int64_t kStripStep = kStrip + 2 * kLanes;
  const ConvPlanes& g_;
  const float* const planes_;
  const ConvPart* const parts_;
  const ConvTap* const taps_;
  const float* const filter_;
};

}  // namespace

}  // namespace phi::funcs
