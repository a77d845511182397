// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"
#include "primitive/impl/types.h"
#include "primitive/math.h"
#include "primitive/scatter_rows.h"

namespace phi::primitive {

struct AssignRows {
  static constexpr bool kRounds = false;
  template <typename C>
  HOSTDEVICE C operator()(C, C update) const {
    return update;
  }
};

struct AddRows {
  static constexpr bool kRounds = true;
  template <typename C>
  HOSTDEVICE C operator()(C sum, C update) const {
    return static_cast<C>(sum + update);
  }
};

struct MultiplyRows {
  static constexpr bool kRounds = true;
  template <typename C>
  HOSTDEVICE C operator()(C product, C update) const {
    return static_cast<C>(product * update);
  }
};

struct MinRows {
  static constexpr bool kRounds = false;
  template <typename C>
  HOSTDEVICE C operator()(C least, C update) const {
    return math::Minimum(least, update);
  }
};

struct MaxRows {
  static constexpr bool kRounds = false;
  template <typename C>
  HOSTDEVICE C operator()(C most, C update) const {
    return math::Maximum(most, update);
  }
};

// Registers Scatter<T, Op>::Run for the operations and what they are defined for; rows that are only moved are words.
template <template <typename, typename> class Scatter>
bool RegisterScatterRows(Backend backend) {
  ForEachType(
      [&](auto type) {
        using T = typename decltype(type)::Type;
        WithWord(sizeof(T), [&](auto word) {
          RegisterPrimitive<ScatterRows>(
              backend, &Scatter<decltype(word), AssignRows>::Run, ScatterOp::kAssign, CppTypeToDataType<T>::Type());
        });
      },
      AllTypes());
  ForEachType(
      [&](auto type) {
        using T = typename decltype(type)::Type;
        constexpr DataType kType = CppTypeToDataType<T>::Type();
        RegisterPrimitive<ScatterRows>(backend, &Scatter<T, AddRows>::Run, ScatterOp::kAdd, kType);
        RegisterPrimitive<ScatterRows>(backend, &Scatter<T, MultiplyRows>::Run, ScatterOp::kMultiply, kType);
        if constexpr (!dtype::is_complex_v<T>) {
          RegisterPrimitive<ScatterRows>(backend, &Scatter<T, MinRows>::Run, ScatterOp::kMin, kType);
          RegisterPrimitive<ScatterRows>(backend, &Scatter<T, MaxRows>::Run, ScatterOp::kMax, kType);
        }
      },
      IntegerTypes(),
      FloatingTypes(),
      ComplexTypes());
  // the sum of booleans is whether any is true: the largest byte
  RegisterPrimitive<ScatterRows>(backend, &Scatter<uint8_t, MaxRows>::Run, ScatterOp::kAdd, DataType::BOOL);
  return true;
}

}  // namespace phi::primitive
