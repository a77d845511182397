// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernel_registry.h"
#include "kernels/cast_kernel.h"
#include "primitive/elementwise.h"

namespace phi {

template <typename T, typename Context>
void CastKernel(const Context& dev_ctx, const DenseTensor& x, DataType out_dtype, DenseTensor* out) {
  if (out_dtype == x.dtype()) return primitive::Copy(dev_ctx, x, out);
  const auto to = [&](auto type) {
    using Out = typename decltype(type)::Type;
    if constexpr (!std::is_same_v<T, Out>) {
      primitive::ElementwiseUnary<T, Out>(dev_ctx, x, out, primitive::IdentityFunctor());
    }
  };
  switch (out_dtype) {
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
          "cast: argument 'dtype': expected bool or a number type of PyTorch's, got %s", DataTypeName(out_dtype)));
  }
}

}  // namespace phi
