// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/data_type.h"
#include "core/kernel_registry.h"
#include "core/primitive_factory.h"

// Lists of data types, for which primitives are registered.
namespace phi::primitive {

template <typename... Ts>
struct Types {};

using AllTypes = Types<PHI_ALL_DTYPES>;
using IntegerTypes = Types<uint8_t, int8_t, int16_t, int32_t, int64_t>;
using FloatingTypes = Types<float, double, dtype::float16, dtype::bfloat16>;
using ComplexTypes = Types<complex64, complex128>;

// Whether a trimmed build keeps this type.
template <typename T>
constexpr bool kIsBuilt = (PHI_DTYPES >> static_cast<int>(CppTypeToDataType<T>::Type()) & 1) != 0;

// f(TypeTag<T>()) for each type of the lists.
template <typename F>
void ForEachType(const F&) {}
template <typename F, typename... Ts, typename... Lists>
void ForEachType(const F& f, Types<Ts...>, Lists... lists) {
  const auto call = [&](auto type) {
    if constexpr (kIsBuilt<typename decltype(type)::Type>) f(type);
  };
  (call(TypeTag<Ts>()), ...);
  ForEachType(f, lists...);
}

// For each type of the lists the function that function_of(TypeTag<T>()) gives.
template <typename P, typename FunctionOf, typename... Lists>
bool RegisterForTypes(Backend backend, const FunctionOf& function_of, Lists... lists) {
  const auto add = [&](auto type) {
    constexpr DataType kType = CppTypeToDataType<typename decltype(type)::Type>::Type();
    RegisterPrimitive<P>(backend, function_of(type), kType);
  };
  ForEachType(add, lists...);
  return true;
}

// One function that serves all data types.
template <typename P>
bool RegisterForAllTypes(Backend backend, typename P::Fn function) {
  return RegisterForTypes<P>(backend, [=](auto) { return function; }, AllTypes());
}

}  // namespace phi::primitive
