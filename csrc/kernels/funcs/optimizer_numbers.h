// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "kernels/funcs/optimizer_streams.h"

// Three numbers of an optimizer, in tensors of one dtype, which each step changes; in each of as many elements, all
// equal.
namespace phi::funcs {

struct SetNumbers {
  double first, second, third;
  template <typename V>
  HOSTDEVICE void operator()(V& a, V& b, V& c) const {
    a = Number(a, first);
    b = Number(b, second);
    c = Number(c, third);
  }

 private:
  HOSTDEVICE static float Number(float, double value) { return static_cast<float>(value); }
  HOSTDEVICE static double Number(double, double value) { return value; }
  template <typename V>
  static V Number(const V&, double value) {
    return V(static_cast<typename V::value_type>(value));
  }
};

// What is in the first element, for the others.
struct FirstNumbers {
  DeviceNumber first, second, third;
  HOSTDEVICE SetNumbers Prepare() const { return {first(), second(), third()}; }
};

// `functor.Prepare()` reads them and gives SetNumbers.
template <typename Context, typename Functor>
void UpdateNumbers(const Context& dev_ctx,
                   const Functor& functor,
                   const std::array<const DenseTensor*, 3>& in,
                   const std::array<DenseTensor*, 3>& out) {
  const int64_t count = in[0]->numel();
  if (count == 0) return;
  const auto update = [&](auto type) {
    using C = decltype(type);
    const auto stream = [&](int i) { return MakeStream<C>(dev_ctx, *in[i], out[i]); };
    UpdateElements<C>(dev_ctx, 1, functor, stream(0), stream(1), stream(2));
    if (count == 1) return;
    const auto rest = [&](int i) { return UpdateStream<C>{in[i]->data<C>() + 1, out[i]->data<C>() + 1}; };
    const FirstNumbers now{DeviceNumber(*out[0]), DeviceNumber(*out[1]), DeviceNumber(*out[2])};
    UpdateElements<C>(dev_ctx, count - 1, now, rest(0), rest(1), rest(2));
  };
  in[0]->dtype() == DataType::FLOAT64 ? update(double()) : update(float());
}

}  // namespace phi::funcs
