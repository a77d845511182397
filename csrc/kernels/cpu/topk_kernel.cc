// SPDX-License-Identifier: Apache-2.0
#include "kernels/topk_kernel.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "core/kernel_registry.h"
#include "kernels/funcs/axis_shape.h"
#include "kernels/funcs/order_key.h"

namespace phi {

namespace {

// An element as one unsigned number, larger if it comes earlier: its order key, then its index counted down.
template <typename T, typename Packed>
struct Packing {
  static constexpr int kIndexBits = 8 * (sizeof(Packed) - sizeof(funcs::OrderKey<T>));
  static constexpr Packed kIndices = (Packed(1) << kIndexBits) - 1;

  static Packed Pack(T value, int64_t index, bool largest) {
    return Packed(funcs::ToOrderKey(value, largest)) << kIndexBits | (kIndices - Packed(index));
  }
  static int64_t Index(Packed packed) { return static_cast<int64_t>(kIndices - (packed & kIndices)); }
};

template <typename Packed>
void SelectFirst(std::vector<Packed>& line, int64_t k, bool sorted) {
  const auto begin = line.begin();
  const auto middle = begin + k;
  if (k * 64 <= static_cast<int64_t>(line.size())) {
    return std::partial_sort(begin, middle, line.end(), std::greater<>());
  }
  if (middle != line.end()) std::nth_element(begin, middle - 1, line.end(), std::greater<>());
  if (sorted) std::sort(begin, middle, std::greater<>());
}

template <typename T, typename Packed>
void SelectLines(
    const T* x, const funcs::AxisShape& shape, int64_t k, bool largest, bool sorted, T* values, int64_t* indices) {
  using P = Packing<T, Packed>;
  constexpr int64_t kGrain = 4096;  // elements that are worth a thread
  const int64_t stride = shape.inner;
  const int64_t grain = std::max<int64_t>(1, kGrain / shape.dim);
  at::parallel_for(0, shape.outer * stride, grain, [&](int64_t begin, int64_t end) {
    std::vector<Packed> line(shape.dim);
    for (int64_t i = begin; i < end; ++i) {
      const T* from = x + i / stride * shape.dim * stride + i % stride;
      const int64_t to = i / stride * k * stride + i % stride;
      for (int64_t j = 0; j < shape.dim; ++j) line[j] = P::Pack(from[j * stride], j, largest);
      SelectFirst(line, k, sorted);
      for (int64_t j = 0; j < k; ++j) {
        const int64_t index = P::Index(line[j]);
        values[to + j * stride] = from[index * stride];
        indices[to + j * stride] = index;
      }
    }
  });
}

}  // namespace

template <typename T, typename Context>
void TopkKernel(const Context& dev_ctx,
                const DenseTensor& x,
                const Scalar& k,
                int axis,
                bool largest,
                bool sorted,
                DenseTensor* out,
                DenseTensor* indices) {
  const funcs::AxisShape shape(x.dims(), axis);
  const int64_t count = k.to<int64_t>();
  T* values = dev_ctx.template Alloc<T>(out);
  int64_t* where = dev_ctx.template Alloc<int64_t>(indices);
  if (out->numel() == 0) return;
  if constexpr (sizeof(T) <= 4) {
    if (shape.dim <= std::numeric_limits<int32_t>::max()) {
      return SelectLines<T, uint64_t>(x.data<T>(), shape, count, largest, sorted, values, where);
    }
  }
  SelectLines<T, unsigned __int128>(x.data<T>(), shape, count, largest, sorted, values, where);
}

}  // namespace phi

PD_REGISTER_KERNEL(topk,
                   CPU,
                   ALL_LAYOUT,
                   phi::TopkKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   int32_t,
                   int64_t) {
  kernel->OutputAt(1).SetDataType(phi::DataType::INT64);
}
