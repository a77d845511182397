// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "backends/all_context.h"
#include "core/parallel.h"
#include "primitive/impl/scatter_ops.h"
#include "primitive/loop/vec_loop.h"

namespace phi::primitive {

namespace {

constexpr int64_t kGrain = 32768;  // elements that are worth a thread

// The rows [begin, end) of `out`, for which each thread looks through all places.
template <typename T, typename Op>
class RowRange {
 public:
  using C = Acc<T>;
  // whether results stay in a wider type until all is combined
  static constexpr bool kWide = Op::kRounds && !std::is_same_v<C, T>;

  RowRange(int64_t begin, int64_t end, int64_t width, bool keeps, T* out)
      : begin_(begin),
        end_(end),
        width_(width),
        keeps_(keeps),
        out_(out),
        seen_(kWide || !keeps ? end - begin : 0, kUnseen) {}

  void CombineAll(const int64_t* at, const T* updates, int64_t count) {
    if constexpr (kWide) FindSingle(at, count);
    for (int64_t i = 0; i < count; ++i) Combine(at[i], updates + i * width_);
    if constexpr (kWide) Finish();
  }

 private:
  // in the place of a number: nothing has come to the row, and no more than one row or several will
  static constexpr int64_t kUnseen = -1, kSingle = -2, kSeveral = -3;

  // What comes to a row alone is not combined in a wider type first.
  void FindSingle(const int64_t* at, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      if (at[i] < begin_ || at[i] >= end_) continue;
      int64_t& number = seen_[at[i] - begin_];
      number = number == kUnseen ? kSingle : kSeveral;
    }
  }

  void Combine(int64_t row, const T* update) {
    if (row < begin_ || row >= end_) return;
    T* to = out_ + row * width_;
    bool first = false;
    if (!seen_.empty()) {
      int64_t& number = seen_[row - begin_];
      if constexpr (kWide) {
        if (number == kSingle) {
          keeps_ ? VecMap(width_, to, Op(), to, update) : static_cast<void>(std::copy_n(update, width_, to));
          return;
        }
      }
      first = number < 0;
      if (first) number = count_++;
    }
    if constexpr (kWide) {
      if (first) wide_.resize(wide_.size() + width_);
      C* const sum = wide_.data() + seen_[row - begin_] * width_;
      if (first) VecMap(width_, sum, [](const Vec<T>& v) { return v; }, keeps_ ? to : update);
      if (!first || keeps_) VecMap(width_, sum, Op(), sum, update);
    } else if (first && !keeps_) {
      std::copy_n(update, width_, to);
    } else {
      Loop(to, update);
    }
  }

  void Finish() const {
    for (int64_t row = begin_; row < end_; ++row) {
      const int64_t number = seen_[row - begin_];
      if (number < 0) continue;
      VecMap(width_, out_ + row * width_, [](const Vec<T>& v) { return v; }, wide_.data() + number * width_);
    }
  }

  template <typename Value>
  void Loop(Value* to, const T* update) const {
    for (int64_t i = 0; i < width_; ++i)
      to[i] = static_cast<Value>(Op()(static_cast<C>(to[i]), static_cast<C>(update[i])));
  }

  const int64_t begin_;
  const int64_t end_;
  const int64_t width_;
  const bool keeps_;
  T* const out_;
  std::vector<int64_t> seen_;  // of each row that something came to, a number, or else one of the above
  std::vector<C> wide_;        // the rows of these numbers
  int64_t count_ = 0;
};

template <typename Op, typename C, typename T>
void CombineElements(const int64_t* at, const T* updates, int64_t count, int64_t begin, int64_t end, C* to) {
  for (int64_t i = 0; i < count; ++i) {
    if (at[i] < begin || at[i] >= end) continue;
    C& element = to[at[i] - begin];
    element = static_cast<C>(Op()(static_cast<Acc<T>>(element), static_cast<Acc<T>>(updates[i])));
  }
}

// The same for rows of one element, which keep what they have.
template <typename T, typename Op>
void CombineRange(const int64_t* at, const T* updates, int64_t count, int64_t begin, int64_t end, T* out) {
  if constexpr (RowRange<T, Op>::kWide) {
    std::vector<Acc<T>> wide(end - begin);
    for (int64_t i = begin; i < end; ++i) wide[i - begin] = static_cast<Acc<T>>(out[i]);
    CombineElements<Op>(at, updates, count, begin, end, wide.data());
    for (int64_t i = begin; i < end; ++i) out[i] = static_cast<T>(wide[i - begin]);
  } else {
    CombineElements<Op>(at, updates, count, begin, end, out + begin);
  }
}

template <typename T, typename Op>
struct ScatterOnCpu {
  static void Run(const DeviceContext&,
                  const DenseTensor& places,
                  const DenseTensor& updates,
                  int64_t width,
                  bool keeps,
                  DenseTensor* out) {
    const int64_t count = places.numel();
    const int64_t rows = out->numel() / width;
    const int64_t* at = places.data<int64_t>();
    const T* from = static_cast<const T*>(updates.data());
    T* to = static_cast<T*>(out->data());
    // of few in a wider type most would be converted for nothing
    const bool elements = keeps && width == 1 && (!RowRange<T, Op>::kWide || rows / 4 <= count);
    ParallelFor(rows, 1 + rows * kGrain / (1 + count * width), [&](int64_t begin, int64_t end) {
      if (elements) return CombineRange<T, Op>(at, from, count, begin, end, to);
      RowRange<T, Op>(begin, end, width, keeps, to).CombineAll(at, from, count);
    });
  }
};

[[maybe_unused]] const bool scatter_rows_registered = RegisterScatterRows<ScatterOnCpu>(Backend::CPU);

}  // namespace

}  // namespace phi::primitive
