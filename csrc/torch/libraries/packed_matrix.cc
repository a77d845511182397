// SPDX-License-Identifier: Apache-2.0
#include "primitive/packed_matrix.h"

#include <ATen/Context.h>
#include <ATen/native/CPUBlas.h>

#include <algorithm>
#include <limits>

#include "core/parallel.h"
#include "primitive/permute.h"

// oneDNN's product of a block, by the function that torch has for its attention: it begins at once, and neither orders
// the matrix anew in each call nor asks which implementation to take.
namespace phi::primitive {

namespace {

using at::native::cpublas::brgemm;
using at::native::cpublas::brgemm_release;

// Whether the processor multiplies pairs of bfloat16, and torch has this function for it.
bool HasPairs() {
#ifdef __x86_64__
  static const bool has = [] {
    if (!__builtin_cpu_supports("avx512bf16")) return false;
    constexpr int kColumns = 16;
    const at::BFloat16 ones[2 * kColumns] = {};
    float sums[kColumns];
    try {
      brgemm(1, kColumns, 2, 2, kColumns, kColumns, false, ones, ones, sums);
      brgemm_release();
    } catch (const c10::Error&) {
      return false;
    }
    return true;
  }();
  return has && at::globalContext().userEnabledMkldnn();
#else
  return false;
#endif
}

// [depth / 2, columns, 2]: pairs of rows are next to each other.
class Pairs final : public PackedMatrix {
 public:
  Pairs(const DeviceContext& dev_ctx, const DenseTensor& y, bool trans_y)
      : depth_(y.dims()[trans_y ? 1 : 0]), columns_(y.dims()[trans_y ? 0 : 1]) {
    const bool as_words = trans_y && reinterpret_cast<uintptr_t>(y.data()) % sizeof(int32_t) == 0;
    DenseTensorMeta meta;
    meta.dtype = as_words ? DataType::INT32 : y.dtype();
    if (as_words) {
      meta.dims = {columns_, depth_ / 2};
    } else {
      meta.dims = trans_y ? DDim{columns_, depth_ / 2, 2} : DDim{depth_ / 2, 2, columns_};
    }
    meta.strides = contiguous_strides(meta.dims);
    const DenseTensor given(meta, y.place(), const_cast<void*>(y.data()));
    packed_.Resize(as_words ? DDim{depth_ / 2, columns_} : DDim{depth_ / 2, columns_, 2});
    dev_ctx.Alloc(&packed_, meta.dtype);
    PermuteTo(dev_ctx,
              given,
              as_words  ? std::vector<int>{1, 0}
              : trans_y ? std::vector<int>{1, 0, 2}
                        : std::vector<int>{0, 2, 1},
              &packed_);
  }

  void Multiply(const DenseTensor& x, DenseTensor* products) const override {
    constexpr int64_t kBlock = 64;             // columns
    constexpr int64_t kWorthThread = 1 << 20;  // multiplications
    const int64_t rows = x.dims()[0];
    const auto* a = static_cast<const at::BFloat16*>(x.data());
    const auto* b = static_cast<const at::BFloat16*>(packed_.data());
    float* c = products->data<float>();
    const int64_t grain = 1 + kWorthThread / (1 + rows * depth_ * kBlock);
    ParallelFor((columns_ + kBlock - 1) / kBlock, grain, [&](int64_t begin, int64_t end) {
      const int64_t first = begin * kBlock, count = std::min(end * kBlock, columns_) - first;
      brgemm(rows, count, depth_, depth_, columns_, columns_, false, a, b + 2 * first, c + first);
      brgemm_release();
    });
  }

 private:
  const int64_t depth_, columns_;
  DenseTensor packed_;
};

std::unique_ptr<PackedMatrix> Pack(const DeviceContext& dev_ctx, const DenseTensor& y, bool trans_y) {
  const int64_t depth = y.dims()[trans_y ? 1 : 0];
  const bool fits = y.numel() > 0 && depth % 2 == 0 && y.numel() <= std::numeric_limits<int>::max();
  return fits && HasPairs() ? std::make_unique<Pairs>(dev_ctx, y, trans_y) : nullptr;
}

[[maybe_unused]] const bool packed_matrix_registered =
    RegisterPrimitive<PackMatrix>(Backend::CPU, &Pack, DataType::BFLOAT16);

}  // namespace

}  // namespace phi::primitive
