// SPDX-License-Identifier: Apache-2.0
#include "kernels/topk_kernel.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

#include "core/kernel_registry.h"
#include "kernels/funcs/axis_shape.h"

namespace phi {

namespace {

template <typename C>
struct Candidate {
  C value;
  int64_t index;
};

// Whether a comes before b in a sorted result. An object, so that algorithms can inline it.
template <typename C, bool largest>
struct Before {
  bool operator()(const Candidate<C>& a, const Candidate<C>& b) const {
    if constexpr (std::is_floating_point_v<C>) {
      const bool a_is_nan = a.value != a.value;
      const bool b_is_nan = b.value != b.value;
      if (a_is_nan || b_is_nan) return a_is_nan == b_is_nan ? a.index < b.index : a_is_nan == largest;
    }
    if (a.value != b.value) return largest ? a.value > b.value : a.value < b.value;
    return a.index < b.index;
  }
};

template <typename C, bool largest>
void SelectFirst(std::vector<Candidate<C>>& line, int64_t k, bool sorted) {
  const Before<C, largest> before;
  const auto begin = line.begin();
  const auto middle = begin + k;
  if (k * 64 <= static_cast<int64_t>(line.size())) return std::partial_sort(begin, middle, line.end(), before);
  if (middle != line.end()) std::nth_element(begin, middle - 1, line.end(), before);
  if (sorted) std::sort(begin, middle, before);
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
  using C = typename dtype::MPTypeTrait<T>::Type;
  constexpr int64_t kGrain = 4096;  // elements that are worth a thread
  const funcs::AxisShape shape(x.dims(), axis);
  const int64_t count = k.to<int64_t>();
  const T* data = x.data<T>();
  T* values = dev_ctx.template Alloc<T>(out);
  int64_t* where = dev_ctx.template Alloc<int64_t>(indices);
  if (out->numel() == 0) return;
  at::parallel_for(
      0, shape.outer * shape.inner, std::max<int64_t>(1, kGrain / shape.dim), [&](int64_t begin, int64_t end) {
        std::vector<Candidate<C>> line(shape.dim);
        for (int64_t i = begin; i < end; ++i) {
          const int64_t outer = i / shape.inner;
          const int64_t inner = i % shape.inner;
          const T* from = data + outer * shape.dim * shape.inner + inner;
          for (int64_t j = 0; j < shape.dim; ++j) line[j] = {static_cast<C>(from[j * shape.inner]), j};
          largest ? SelectFirst<C, true>(line, count, sorted) : SelectFirst<C, false>(line, count, sorted);
          const int64_t to = outer * count * shape.inner + inner;
          for (int64_t j = 0; j < count; ++j) {
            values[to + j * shape.inner] = static_cast<T>(line[j].value);
            where[to + j * shape.inner] = line[j].index;
          }
        }
      });
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
