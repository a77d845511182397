// SPDX-License-Identifier: Apache-2.0
#include "primitive/packed_matrix.h"

#include <ATen/native/CPUBlas.h>

#include <algorithm>
#include <limits>

#include "common/ceil_div.h"
#include "core/parallel.h"
#include "primitive/permute.h"
#include "torch/libraries/onednn.h"

namespace phi::primitive {

namespace {

using at::native::cpublas::brgemm;
using at::native::cpublas::brgemm_release;

// The function for elements of type T, which are in pairs where they are of half a float.
template <typename T>
void Product(int64_t rows, int64_t columns, int64_t depth, int64_t ld, bool add, const T* a, const T* b, float* c) {
  brgemm(rows, columns, depth, depth, ld, ld, add, a, b, c, sizeof(T) < sizeof(float));
}

// products = x @ y, or added to them, in blocks.
template <typename T>
void MultiplyBlocks(const DenseTensor& x, const T* y, int64_t columns, bool accumulate, DenseTensor* products) {
  const int64_t rows = x.dims()[0], depth = x.dims()[1];
  const T* a = static_cast<const T*>(x.data());
  float* c = products->data<float>();
  const int64_t grain = 1 + kWorthThread / (1 + rows * depth * kBlock);
  constexpr int64_t kTogether = sizeof(float) / sizeof(T);  // of a column
  ParallelFor(CeilDiv(columns, kBlock), grain, [&](int64_t begin, int64_t end) {
    for (int64_t first = begin * kBlock; first < std::min(end * kBlock, columns); first += kBlock) {
      for (int64_t row = 0; row < rows; row += kBlock) {
        Product(std::min(kBlock, rows - row),
                std::min(kBlock, columns - first),
                depth,
                columns,
                accumulate,
                a + row * depth,
                y + kTogether * first,
                c + row * columns + first);
      }
    }
    brgemm_release();
  });
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

  void Multiply(const DenseTensor& x, bool accumulate, DenseTensor* products) const override {
    MultiplyBlocks(x, static_cast<const at::BFloat16*>(packed_.data()), columns_, accumulate, products);
  }

 private:
  const int64_t depth_, columns_;
  DenseTensor packed_;
};

// [depth, columns]
class Floats final : public PackedMatrix {
 public:
  Floats(const DeviceContext& dev_ctx, const DenseTensor& y, bool trans_y) : matrix_(y) {
    if (!trans_y) return;
    matrix_ = DenseTensor();
    matrix_.Resize({y.dims()[1], y.dims()[0]});
    dev_ctx.Alloc(&matrix_, DataType::FLOAT32);
    PermuteTo(dev_ctx, y, {1, 0}, &matrix_);
  }

  void Multiply(const DenseTensor& x, bool accumulate, DenseTensor* products) const override {
    MultiplyBlocks(x, matrix_.data<float>(), matrix_.dims()[1], accumulate, products);
  }

 private:
  DenseTensor matrix_;
};

bool FitsBlocks(const DenseTensor& y) { return y.numel() > 0 && y.numel() <= std::numeric_limits<int>::max(); }

std::unique_ptr<PackedMatrix> PackPairs(const DeviceContext& dev_ctx, const DenseTensor& y, bool trans_y, int64_t) {
  const int64_t depth = y.dims()[trans_y ? 1 : 0];
  return FitsBlocks(y) && depth % 2 == 0 && HasPairBlocks() ? std::make_unique<Pairs>(dev_ctx, y, trans_y) : nullptr;
}

std::unique_ptr<PackedMatrix> PackFloats(const DeviceContext& dev_ctx,
                                         const DenseTensor& y,
                                         bool trans_y,
                                         int64_t rows) {
  const bool is_read_once = rows == 1;  // then memory is the limit
  return FitsBlocks(y) && !is_read_once && HasFloatBlocks() ? std::make_unique<Floats>(dev_ctx, y, trans_y) : nullptr;
}

[[maybe_unused]] const bool packed_matrix_registered =
    RegisterPrimitive<PackMatrix>(Backend::CPU, &PackPairs, DataType::BFLOAT16) &&
    RegisterPrimitive<PackMatrix>(Backend::CPU, &PackFloats, DataType::FLOAT32);

}  // namespace

}  // namespace phi::primitive
