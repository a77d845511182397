// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <utility>

#include "backends/cpu/cpu_context.h"
#include "common/optional.h"
#include "common/scalar.h"
#include "core/kernel_registry.h"
#include "primitive/cast.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

namespace {

// The least and the greatest number, or 0.
template <typename T>
std::pair<T, T> RangeOf(const T* numbers, int64_t count) {
  T least = 0, greatest = 0;
  for (int64_t i = 0; i < count; ++i) {
    least = std::min(least, numbers[i]);
    greatest = std::max(greatest, numbers[i]);
  }
  return {least, greatest};
}

template <typename T>
void Count(const T* numbers, int64_t count, int64_t* counts) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {  // read ahead of the sums, which may be numbers for all that g++ knows
    const T ahead[] = {numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]};
    for (const T number : ahead) ++counts[number];
  }
  for (; i < count; ++i) ++counts[numbers[i]];
}

template <typename W, typename T>
void SumWeights(const T* numbers, int64_t count, const W* weights, W* sums) {
  for (int64_t i = 0; i < count; ++i) sums[numbers[i]] += weights[i];
}

}  // namespace

template <typename T, typename Context>
void BincountKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const paddle::optional<DenseTensor>& weights,
                    const Scalar& minlength,
                    DenseTensor* out) {
  const T* numbers = x.data<T>();
  const int64_t count = x.numel();
  auto size = minlength.to<int64_t>();
  if (count > 0) {
    const auto [least, greatest] = RangeOf(numbers, count);
    PADDLE_ENFORCE(
        least >= 0,
        errors::InvalidArgument("argument 'x': expected elements of at least 0, got a negative one, %d", least));
    PADDLE_ENFORCE(int64_t{greatest} < std::numeric_limits<int64_t>::max(),
                   errors::InvalidArgument("argument 'x': expected elements below 2^63 - 1"));
    size = std::max(size, int64_t{greatest} + 1);
  }
  out->Resize({size});
  if (!weights) {
    Count(numbers, count, std::fill_n(dev_ctx.template Alloc<int64_t>(out), size, 0) - size);
  } else if (weights->dtype() == DataType::FLOAT32) {
    float* sums = std::fill_n(dev_ctx.template Alloc<float>(out), size, 0.0f) - size;
    SumWeights(numbers, count, weights->template data<float>(), sums);
  } else {
    DenseTensor wide = primitive::EmptyTensor<double>(dev_ctx, weights->dims());
    primitive::CastTo(dev_ctx, *weights, DataType::FLOAT64, &wide);
    double* sums = std::fill_n(dev_ctx.template Alloc<double>(out), size, 0.0) - size;
    SumWeights(numbers, count, wide.data<double>(), sums);
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(bincount, CPU, ALL_LAYOUT, phi::BincountKernel, int32_t, int64_t) {
  kernel->InputAt(1).SetDataType(phi::DataType::UNDEFINED);
  kernel->OutputAt(0).SetDataType(phi::DataType::UNDEFINED);
}
