// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "primitive/convert.h"
#include "primitive/for_each.h"
#include "primitive/loop/check_index.h"
#include "primitive/loop/tensor_view.h"

// Rotary position embedding: pairs of the elements of a head turn by an angle that its position decides on.
namespace phi::funcs {

inline constexpr int64_t kMostPositions = int64_t{1} << 24;  // that a float tells apart

// Which elements are a pair: neighbours, or those half a head apart.
enum class RotaryPairs : uint8_t { kNeighbours, kHalves };

// A tensor [batch, length, heads, dim], or with `time_major` [length, batch, heads, dim].
struct RotaryShape {
  int64_t batch, length, dim;
  bool time_major;

  RotaryShape(const DDim& dims, bool is_time_major)
      : batch(dims[is_time_major ? 1 : 0]),
        length(dims[is_time_major ? 0 : 1]),
        dim(dims[3]),
        time_major(is_time_major) {}

  // The row of the table, which has all positions of a sequence or, with `each`, of each sequence.
  HOSTDEVICE int64_t TableRow(int64_t row, bool each) const {
    const int64_t step = time_major ? row / batch : row % length;
    const int64_t sequence = time_major ? row % batch : row / length;
    return each ? sequence * length + step : step;
  }
};

// The sines and cosines of `rows` positions: rows of those that are given.
template <typename T, typename Compute, typename Context>
void TakeAngles(const Context& dev_ctx,
                const DenseTensor& sin,
                const DenseTensor& cos,
                const int64_t* ids,
                int64_t rows,
                int64_t dim,
                Compute* sines,
                Compute* cosines) {
  const T* given_sin = sin.data<T>();
  const T* given_cos = cos.data<T>();
  const int64_t count = sin.numel() / dim;
  primitive::ForEachRun(dev_ctx, rows, dim, [=] HOSTDEVICE(int64_t row, int64_t begin, int64_t end) {
    const int64_t position = ids ? ids[row] : row;
    primitive::CheckIndex("position_ids", position, 0, count);
    for (int64_t i = begin; i < end; ++i) {
      sines[row * dim + i] = primitive::ToCompute(given_sin[position * dim + i]);
      cosines[row * dim + i] = primitive::ToCompute(given_cos[position * dim + i]);
    }
  });
}

// The same of the angles position / base^(2 (i / 2) / dim).
template <typename Compute, typename Context>
void MakeAngles(const Context& dev_ctx,
                double base,
                const int64_t* ids,
                int64_t rows,
                int64_t dim,
                Compute* sines,
                Compute* cosines) {
  const auto rate = static_cast<Compute>(-std::log(base) / static_cast<double>(dim));
  primitive::ForEachRun(dev_ctx, rows, dim, [=] HOSTDEVICE(int64_t row, int64_t begin, int64_t end) {
    const int64_t id = ids ? ids[row] : row;
    primitive::CheckIndex("position_ids", id, 0, kMostPositions);
    const auto position = static_cast<Compute>(id);
    for (int64_t i = begin; i < end; ++i) {
      const Compute angle = position * std::exp(rate * static_cast<Compute>(i / 2 * 2));
      sines[row * dim + i] = std::sin(angle);
      cosines[row * dim + i] = std::cos(angle);
    }
  });
}

// Sines and cosines [rows, dim] in the type that is computed in: those that are given, at `position_ids` or in order,
// or of the positions themselves.
template <typename T>
class RotaryTable {
 public:
  using Compute = primitive::ComputeType<T>;

  template <typename Context>
  RotaryTable(const Context& dev_ctx,
              const RotaryShape& shape,
              const DenseTensor* sin,
              const DenseTensor* cos,
              const DenseTensor* position_ids,
              double base)
      : each_(position_ids != nullptr) {
    const int64_t dim = shape.dim;
    const int64_t rows = each_ ? shape.batch * shape.length : shape.length;
    sin_ = primitive::EmptyTensor<Compute>(dev_ctx, {rows, dim});
    cos_ = primitive::EmptyTensor<Compute>(dev_ctx, {rows, dim});
    Compute* sines = sin_.template data<Compute>();
    Compute* cosines = cos_.template data<Compute>();
    const int64_t* ids = each_ ? position_ids->data<int64_t>() : nullptr;
    if (sin != nullptr) {
      TakeAngles<T>(dev_ctx, *sin, *cos, ids, rows, dim, sines, cosines);
    } else {
      MakeAngles(dev_ctx, base, ids, rows, dim, sines, cosines);
    }
  }

  bool each() const { return each_; }
  const Compute* sin() const { return sin_.template data<Compute>(); }
  const Compute* cos() const { return cos_.template data<Compute>(); }

 private:
  bool each_;
  DenseTensor sin_, cos_;
};

// A row of `pairs` pairs, whose elements are `step` apart.
template <typename T, typename Compute>
HOSTDEVICE void RotatePairs(
    const T* x, const Compute* sin, const Compute* cos, int64_t pairs, int64_t step, bool backwards, T* out) {
  const auto rotate = [=](int64_t i) {
    const int64_t other = i + step;
    const Compute a = primitive::ToCompute(x[i]), b = primitive::ToCompute(x[other]);
    const Compute turned_a = a * sin[backwards ? i : other], turned_b = b * sin[backwards ? other : i];
    out[i] = primitive::Convert<T>(backwards ? a * cos[i] + turned_b : a * cos[i] - turned_b);
    out[other] = primitive::Convert<T>(backwards ? b * cos[other] - turned_a : b * cos[other] + turned_a);
  };
  if (step == 1) {
    for (int64_t i = 0; i < 2 * pairs; i += 2) rotate(i);
  } else {
    for (int64_t i = 0; i < pairs; ++i) rotate(i);
  }
}

// out, which is allocated, = x * cos + turned(x) * sin, where a pair (a, b) is turned to (-b, a); backwards x * cos -
// turned(x * sin).
template <typename T, typename Context>
void Rotate(const Context& dev_ctx,
            const DenseTensor& x,
            const RotaryTable<T>& table,
            RotaryPairs pairs,
            bool time_major,
            bool backwards,
            DenseTensor* out) {
  using Compute = primitive::ComputeType<T>;
  T* result = out->template data<T>();
  const RotaryShape shape(x.dims(), time_major);
  const int64_t heads = x.dims()[2], dim = shape.dim, half = dim / 2;
  const T* from = x.data<T>();
  const Compute* sin = table.sin();
  const Compute* cos = table.cos();
  const bool each = table.each(), neighbours = pairs == RotaryPairs::kNeighbours;
  primitive::ForEachRun(
      dev_ctx, shape.batch * shape.length * heads, dim, [=] HOSTDEVICE(int64_t row, int64_t begin, int64_t end) {
        const int64_t angles = shape.TableRow(row / heads, each) * dim;
        const int64_t step = neighbours ? 1 : half;
        if (begin == 0 && end == dim)
          return RotatePairs(from + row * dim, sin + angles, cos + angles, half, step, backwards, result + row * dim);
        for (int64_t i = begin; i < end; ++i) {
          const bool is_first = neighbours ? i % 2 == 0 : i < half;
          const int64_t other = is_first ? i + step : i - step;
          const Compute turned = primitive::ToCompute(from[row * dim + other]) * sin[angles + (backwards ? other : i)];
          const Compute kept = primitive::ToCompute(from[row * dim + i]) * cos[angles + i];
          result[row * dim + i] = primitive::Convert<T>(is_first == backwards ? kept + turned : kept - turned);
        }
      });
}

}  // namespace phi::funcs
