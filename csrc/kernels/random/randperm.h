// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "backends/all_context.h"
#include "primitive/convert.h"
#include "primitive/distribution.h"
#include "primitive/for_each.h"
#include "primitive/sort.h"

namespace phi {

// The places of random numbers in their order.
template <typename T, typename Context>
void Shuffle(const Context& dev_ctx, const DenseTensor& numbers, T* data) {
  DenseTensor order;
  order.Resize(numbers.dims());
  const int64_t* places = dev_ctx.template Alloc<int64_t>(&order);
  const primitive::AxisShape line(order.dims(), 0);
  GetPrimitive<primitive::Sort>(dev_ctx, DataType::FLOAT64)(dev_ctx, numbers, line, false, nullptr, &order);
  primitive::ForEach(dev_ctx, numbers.numel(), [=] HOSTDEVICE(int64_t i) {
    data[i] = primitive::Convert<T>(static_cast<double>(places[i]));
  });
}

// On the CPU swaps, one after the other, take less time.
template <typename T>
void Shuffle(const CPUContext&, const DenseTensor& numbers, T* data) {
  const int64_t n = numbers.numel();
  const double* u = numbers.data<double>();
  for (int64_t i = 0; i < n; ++i) data[i] = static_cast<T>(i);
  for (int64_t i = 0; i < n; ++i) std::swap(data[i], data[i + static_cast<int64_t>(u[i] * static_cast<double>(n - i))]);
}

template <typename T, typename Context>
void RandpermKernel(const Context& dev_ctx, int n, DataType, DenseTensor* out) {
  T* data = dev_ctx.template Alloc<T>(out);
  if (n == 0) return;
  DenseTensor numbers;
  numbers.Resize({n});
  double* u = dev_ctx.template Alloc<double>(&numbers);
  const auto state = primitive::MakePhiloxState(dev_ctx, 0, primitive::PhiloxCounters<double>(n));
  GetPrimitive<primitive::UniformNumbers>(dev_ctx, DataType::FLOAT64)(dev_ctx, state, 0, 1, n, u);
  Shuffle<T>(dev_ctx, numbers, data);
}

}  // namespace phi
