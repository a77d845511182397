// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "backends/cpu/cpu_context.h"
#include "kernels/funcs/axis_utils.h"
#include "primitive/convert.h"
#include "primitive/gather.h"
#include "primitive/loop/order_key.h"
#include "primitive/loop/tensor_view.h"

namespace phi::funcs {

// The slices of a tensor along the one axis of `axis`, or its elements.
template <typename T>
class Slices {
 public:
  Slices(const T* x, const DDim& dims, const std::vector<int>& axis)
      : x_(x), shape_(dims, axis.empty() ? 0 : axis[0], axis.empty()) {}

  int64_t size() const { return shape_.dim; }
  bool are_elements() const { return shape_.outer == 1 && shape_.inner == 1; }
  primitive::LookupTable table() const { return {"x", shape_.outer, shape_.dim, shape_.inner}; }

  // In the order of their elements, NaN above all numbers.
  bool IsLess(int64_t a, int64_t b) const {
    bool less = false;
    FindElements(a, b, [&](T left, T right) {
      const auto left_key = primitive::ToOrderKey(left, true), right_key = primitive::ToOrderKey(right, true);
      less = left_key < right_key;
      return left_key != right_key;
    });
    return less;
  }

  bool Differ(int64_t a, int64_t b) const {
    return FindElements(
        a, b, [](T left, T right) { return primitive::ToCompute(left) != primitive::ToCompute(right); });
  }

 private:
  // Whether found(element of a, element of b) is true of one of their elements, of which it is told in order until
  // then.
  template <typename Found>
  bool FindElements(int64_t a, int64_t b, const Found& found) const {
    for (int64_t i = 0; i < shape_.outer; ++i) {
      const T* const row = x_ + i * shape_.dim * shape_.inner;
      for (int64_t j = 0; j < shape_.inner; ++j) {
        if (found(row[a * shape_.inner + j], row[b * shape_.inner + j])) return true;
      }
    }
    return false;
  }

  const T* x_;
  primitive::AxisShape shape_;
};

// The runs of equal slices of a sequence, and what is said of each.
class Runs {
 public:
  // is_new(i) is whether slice i > 0 differs from the one before it. Slice i has its place at places[i], or at i.
  template <typename IsNew>
  Runs(const CPUContext& dev_ctx, int64_t size, const int64_t* places, const IsNew& is_new)
      : starts_(primitive::EmptyTensor<int64_t>(dev_ctx, {size + 1})), places_(places), count_(size > 0) {
    int64_t* starts = starts_.data<int64_t>();
    starts[0] = 0;
    for (int64_t i = 1; i < size; ++i) {  // without a branch, which nobody can predict
      starts[count_] = i;
      count_ += is_new(i);
    }
    starts[count_] = size;
  }

  int64_t count() const { return count_; }

  // The first slice of each run. `table` says where the slices of x lie.
  template <typename T>
  void TakeFirsts(const CPUContext& dev_ctx,
                  const primitive::LookupTable& table,
                  const DenseTensor& x,
                  const std::vector<int>& axis,
                  DenseTensor* out) const {
    DDim dims = axis.empty() ? DDim{count_} : x.dims();
    if (!axis.empty()) dims[CanonicalAxis(axis[0], dims.size())] = count_;
    dev_ctx.Alloc<T>(&out->Resize(dims));
    DenseTensor firsts = primitive::ViewOf(starts_, {count_});
    if (places_ != nullptr) {
      firsts = primitive::EmptyTensor<int64_t>(dev_ctx, {count_});
      Firsts(firsts.data<int64_t>());
    }
    if (out->numel() > 0) GetPrimitive<primitive::Gather>(dev_ctx)(dev_ctx, table, firsts, x, out);
  }

  // The place of the first slice of each run.
  template <typename Index>
  void Firsts(Index* to) const {
    ForEach([&](int64_t run, int64_t begin, int64_t) { to[run] = static_cast<Index>(PlaceOf(begin)); });
  }

  // The run of each place.
  template <typename Index>
  void Inverse(Index* to) const {
    ForEach([&](int64_t run, int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[PlaceOf(i)] = static_cast<Index>(run);
    });
  }

  template <typename Index>
  void Counts(Index* to) const {
    ForEach([&](int64_t run, int64_t begin, int64_t end) { to[run] = static_cast<Index>(end - begin); });
  }

 private:
  int64_t PlaceOf(int64_t i) const { return places_ ? places_[i] : i; }

  template <typename Use>
  void ForEach(const Use& use) const {
    const int64_t* starts = starts_.data<int64_t>();
    for (int64_t run = 0; run < count_; ++run) use(run, starts[run], starts[run + 1]);
  }

  DenseTensor starts_;  // and the end
  const int64_t* places_;
  int64_t count_;
};

// The first of each run of equal elements alone: to note where each begins takes longer.
template <typename T>
void TakeFirstElements(const CPUContext& dev_ctx, const T* x, int64_t size, DenseTensor* out) {
  constexpr int64_t kBlock = 1024;
  const auto is_new = [x](int64_t i) { return primitive::ToCompute(x[i]) != primitive::ToCompute(x[i - 1]); };
  const auto count_new = [&](int64_t begin, int64_t end) {
    int32_t count = 0;
    for (int64_t i = begin; i < end; ++i) count += is_new(i);
    return int64_t{count};
  };
  int64_t total = size > 0;
  for (int64_t i = 1; i < size; i += kBlock) total += count_new(i, std::min(i + kBlock, size));
  T* to = dev_ctx.Alloc<T>(&out->Resize({total}));
  if (size == 0) return;
  *to++ = x[0];
  for (int64_t begin = 1; begin < size; begin += kBlock) {
    const int64_t end = std::min(begin + kBlock, size), count = count_new(begin, end);
    if (count == end - begin) {
      to = std::copy(x + begin, x + end, to);
    } else if (count > 0) {  // without a branch, too: what is not new is overwritten
      T kept[kBlock + 1];
      int64_t last = 0;
      for (int64_t i = begin; i < end; ++i) {
        kept[last] = x[i];
        last += is_new(i);
      }
      to = std::copy(kept, kept + count, to);
    }
  }
}

}  // namespace phi::funcs
