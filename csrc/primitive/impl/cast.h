// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/cast.h"
#include "primitive/elementwise.h"
#include "primitive/impl/types.h"

namespace phi::primitive {

// The type by way of which T is cast to Out, with the same result: pairs that are rarely cast have no loop of their
// own, which compiles in half the time. Out itself if there is nothing between.
template <typename T, typename Out>
auto CastVia() {
  using RealT = typename dtype::RealTypeTrait<T>::Type;
  using RealOut = typename dtype::RealTypeTrait<Out>::Type;
  constexpr bool float8_in = is_small_float_v<T> && sizeof(T) == 1;
  constexpr bool float8_out = is_small_float_v<Out> && sizeof(Out) == 1;
  constexpr bool from_float = std::is_same_v<T, float> || is_small_float_v<T>;
  constexpr bool to_float = std::is_same_v<Out, float> || is_small_float_v<Out>;
  if constexpr (dtype::is_complex_v<T> && !dtype::is_complex_v<Out> && !std::is_same_v<Out, bool>) {
    return TypeTag<RealT>();
  } else if constexpr (dtype::is_complex_v<Out> && !dtype::is_complex_v<T>) {
    return TypeTag<RealOut>();
  } else if constexpr ((float8_in && !to_float) || (float8_out && !from_float)) {
    return TypeTag<float>();
  } else {
    return TypeTag<Out>();
  }
}

// To bool. A vector of numbers is no mask of what is true, in which -0 has a bit.
struct IsNotZeroFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return x != V(0);
  }
};

template <typename T, typename Out, typename Context>
void CastElements(const DeviceContext& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  const auto& context = static_cast<const Context&>(dev_ctx);
  using Via = typename decltype(CastVia<T, Out>())::Type;
  if constexpr (std::is_same_v<Via, T> || std::is_same_v<Via, Out>) {
    using Functor = std::conditional_t<std::is_same_v<Out, bool>, IsNotZeroFunctor, IdentityFunctor>;
    detail::RunElementwise<Functor, Out, T>(context, Functor(), out, x);
  } else {
    DenseTensor via;
    via.set_meta(out->meta());
    context.template Alloc<Via>(&via);
    CastElements<T, Via, Context>(dev_ctx, x, &via);
    CastElements<Via, Out, Context>(dev_ctx, via, out);
  }
}

// From T to all types; a source for each T is compiled beside the others.
template <typename T, typename Context>
bool RegisterCastFrom(Backend backend) {
  const auto add = [=](auto type) {
    using Out = typename decltype(type)::Type;
    if constexpr (!std::is_same_v<T, Out>) {
      constexpr DataType kIn = CppTypeToDataType<T>::Type();
      RegisterPrimitive<Cast>(backend, &CastElements<T, Out, Context>, kIn, CppTypeToDataType<Out>::Type());
    }
  };
  ForEachType(add, AllTypes());
  return true;
}

template <typename Context>
bool RegisterCast(Backend backend) {
  ForEachType([=](auto type) { RegisterCastFrom<typename decltype(type)::Type, Context>(backend); }, AllTypes());
  return true;
}

}  // namespace phi::primitive
