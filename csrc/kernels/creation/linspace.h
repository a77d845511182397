// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/numbers_of_host.h"
#include "primitive/cast.h"
#include "primitive/convert.h"
#include "primitive/for_each.h"

namespace phi {

// The i-th of `count` numbers at equal distances, from the end that is nearer, so that both are met.
struct SpacedNumbers {
  const double* start;
  const double* stop;
  int64_t count;
  HOSTDEVICE double operator[](int64_t i) const {
    const double step = count > 1 ? (*stop - *start) / static_cast<double>(count - 1) : 0;
    return i < count / 2 || count == 1 ? *start + step * static_cast<double>(i)
                                       : *stop - step * static_cast<double>(count - 1 - i);
  }
};

namespace detail {

// A number as one of type T, which takes the integer part for an integer: Paddle and torch cut before they count.
template <typename T>
DenseTensor NumberAs(const DeviceContext& dev_ctx, const DenseTensor& x) {
  DenseTensor cut = primitive::EmptyTensor<T>(dev_ctx, x.dims());
  DenseTensor out = primitive::EmptyTensor<double>(dev_ctx, x.dims());
  primitive::CastTo(dev_ctx, x, cut.dtype(), &cut);
  primitive::CastTo(dev_ctx, cut, DataType::FLOAT64, &out);
  return out;
}

}  // namespace detail

// As many as the one element of `count` says.
inline int64_t CountOf(const DeviceContext& dev_ctx, const DenseTensor& count, const char* argument) {
  const int64_t number = funcs::ToHost(dev_ctx, count)[0];
  PADDLE_ENFORCE(number >= 0, errors::InvalidArgument("argument '%s': expected at least 0, got %d", argument, number));
  return number;
}

// `number` numbers, which decide on the size of `out`.
template <typename T, typename Context>
void LinspaceKernel(const Context& dev_ctx,
                    const DenseTensor& start,
                    const DenseTensor& stop,
                    const DenseTensor& number,
                    DataType,
                    DenseTensor* out) {
  const int64_t count = CountOf(dev_ctx, number, "number");
  T* data = dev_ctx.template Alloc<T>(&out->Resize({count}));
  const DenseTensor first = detail::NumberAs<T>(dev_ctx, start), last = detail::NumberAs<T>(dev_ctx, stop);
  const SpacedNumbers numbers{first.data<double>(), last.data<double>(), count};
  primitive::ForEach(dev_ctx, count, [=] HOSTDEVICE(int64_t i) { data[i] = primitive::Convert<T>(numbers[i]); });
}

}  // namespace phi
