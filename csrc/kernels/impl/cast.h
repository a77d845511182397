// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernel_registry.h"
#include "primitive/elementwise.h"

namespace phi {

// The type by way of which T is cast to Out, with the same result: pairs that are rarely cast have no loop of their
// own, which compiles in half the time. Out itself if there is nothing between.
template <typename T, typename Out>
auto CastVia() {
  using RealT = typename dtype::RealTypeTrait<T>::Type;
  using RealOut = typename dtype::RealTypeTrait<Out>::Type;
  constexpr bool float8_in = primitive::is_small_float_v<T> && sizeof(T) == 1;
  constexpr bool float8_out = primitive::is_small_float_v<Out> && sizeof(Out) == 1;
  constexpr bool from_float = std::is_same_v<T, float> || primitive::is_small_float_v<T>;
  constexpr bool to_float = std::is_same_v<Out, float> || primitive::is_small_float_v<Out>;
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

template <typename T, typename Out, typename Context>
void CastTo(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  using Via = typename decltype(CastVia<T, Out>())::Type;
  if constexpr (std::is_same_v<Via, T> || std::is_same_v<Via, Out>) {
    primitive::ElementwiseUnary<T, Out>(dev_ctx, x, out, primitive::IdentityFunctor());
  } else {
    DenseTensor via;
    via.set_meta(out->meta());
    CastTo<T, Via>(dev_ctx, x, &via);
    CastTo<Via, Out>(dev_ctx, via, out);
  }
}

template <typename T, typename Context>
void CastKernel(const Context& dev_ctx, const DenseTensor& x, DataType dtype, DenseTensor* out) {
  if (dtype == x.dtype()) return primitive::Copy(dev_ctx, x, out);
  const auto to = [&](auto type) {
    using Out = typename decltype(type)::Type;
    if constexpr (!std::is_same_v<T, Out>) CastTo<T, Out>(dev_ctx, x, out);
  };
  switch (dtype) {
    case DataType::BOOL:
      return to(TypeTag<bool>());
    case DataType::UINT8:
      return to(TypeTag<uint8_t>());
    case DataType::INT8:
      return to(TypeTag<int8_t>());
    case DataType::INT16:
      return to(TypeTag<int16_t>());
    case DataType::INT32:
      return to(TypeTag<int32_t>());
    case DataType::INT64:
      return to(TypeTag<int64_t>());
    case DataType::FLOAT16:
      return to(TypeTag<dtype::float16>());
    case DataType::BFLOAT16:
      return to(TypeTag<dtype::bfloat16>());
    case DataType::FLOAT8_E4M3FN:
      return to(TypeTag<dtype::float8_e4m3fn>());
    case DataType::FLOAT8_E5M2:
      return to(TypeTag<dtype::float8_e5m2>());
    case DataType::FLOAT32:
      return to(TypeTag<float>());
    case DataType::FLOAT64:
      return to(TypeTag<double>());
    case DataType::COMPLEX64:
      return to(TypeTag<complex64>());
    case DataType::COMPLEX128:
      return to(TypeTag<complex128>());
    default:
      PADDLE_THROW(errors::InvalidArgument(
          "cast: argument 'dtype': expected bool or a number type of PyTorch's, got %s", DataTypeName(dtype)));
  }
}

}  // namespace phi
