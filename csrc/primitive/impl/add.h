// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/add.h"
#include "primitive/copy_nd.h"
#include "primitive/elementwise.h"
#include "primitive/impl/types.h"

namespace phi::primitive {

struct SumFunctor {
  template <typename V, typename... Vs>
  HOSTDEVICE V operator()(V first, Vs... others) const {
    return static_cast<V>((first + ... + others));
  }
};

// Up to four tensors in one pass; more by way of a tensor of the type that T is added in.
template <typename T, typename Context>
void AddTensors(const DeviceContext& dev_ctx, const std::vector<const DenseTensor*>& x, DenseTensor* out) {
  using C = ComputeType<T>;
  const auto& context = static_cast<const Context&>(dev_ctx);
  const auto at = [&](size_t i) -> const DenseTensor& { return *x[i]; };
  switch (x.size()) {
    case 1:
      return Copy(dev_ctx, at(0), out);
    case 2:
      return Elementwise<T, T, T>(context, out, SumFunctor(), at(0), at(1));
    case 3:
      return Elementwise<T, T, T, T>(context, out, SumFunctor(), at(0), at(1), at(2));
    case 4:
      return Elementwise<T, T, T, T, T>(context, out, SumFunctor(), at(0), at(1), at(2), at(3));
  }
  DenseTensor sum;
  sum.Resize(out->dims());
  Elementwise<C, T, T, T, T>(context, &sum, SumFunctor(), at(0), at(1), at(2), at(3));
  size_t i = 4;
  for (; i + 1 < x.size(); ++i) Elementwise<C, C, T>(context, &sum, SumFunctor(), sum, at(i));
  Elementwise<T, C, T>(context, out, SumFunctor(), sum, at(i));
}

template <typename Context>
bool RegisterAdd(Backend backend) {
  const auto add = [](auto type) { return &AddTensors<typename decltype(type)::Type, Context>; };
  return RegisterForTypes<Add>(backend, add, Types<int32_t, int64_t>(), FloatingTypes(), ComplexTypes());
}

}  // namespace phi::primitive
