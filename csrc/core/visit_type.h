// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>

#include "common/data_type.h"
#include "common/exception.h"

// PD_VISIT_FLOATING_TYPES(dtype, "name", [&] { Run<data_t>(); }) runs the function with data_t, the C++ type of
// `dtype`. For a type that is not among those of the macro: Unimplemented, naming the ones that are.

// Groups of types, as (name in DataType, C++ type); `_` also gets what follows it.
#define PHI_FLOATING_TYPES(_, ...) _(FLOAT32, float, __VA_ARGS__) _(FLOAT64, double, __VA_ARGS__)
#define PHI_HALF_TYPES(_, ...) \
  _(FLOAT16, ::phi::dtype::float16, __VA_ARGS__) _(BFLOAT16, ::phi::dtype::bfloat16, __VA_ARGS__)
#define PHI_FLOAT8_TYPES(_, ...) \
  _(FLOAT8_E4M3FN, ::phi::dtype::float8_e4m3fn, __VA_ARGS__) _(FLOAT8_E5M2, ::phi::dtype::float8_e5m2, __VA_ARGS__)
#define PHI_BASE_INTEGRAL_TYPES(_, ...) _(INT32, int32_t, __VA_ARGS__) _(INT64, int64_t, __VA_ARGS__)
#define PHI_INTEGRAL_TYPES(_, ...)        \
  PHI_BASE_INTEGRAL_TYPES(_, __VA_ARGS__) \
  _(INT8, int8_t, __VA_ARGS__) _(UINT8, uint8_t, __VA_ARGS__) _(INT16, int16_t, __VA_ARGS__)
#define PHI_WIDE_UNSIGNED_TYPES(_, ...) \
  _(UINT16, uint16_t, __VA_ARGS__) _(UINT32, uint32_t, __VA_ARGS__) _(UINT64, uint64_t, __VA_ARGS__)
#define PHI_COMPLEX_TYPES(_, ...) \
  _(COMPLEX64, ::phi::dtype::complex<float>, __VA_ARGS__) _(COMPLEX128, ::phi::dtype::complex<double>, __VA_ARGS__)
#define PHI_BOOL_TYPE(_, ...) _(BOOL, bool, __VA_ARGS__)

namespace phi::enforce {

[[noreturn]] inline void ThrowNotVisited(const char* name, DataType dtype, std::initializer_list<DataType> taken) {
  std::string types;
  for (const DataType type : taken) types += (types.empty() ? "" : ", ") + std::string(DataTypeName(type));
  PADDLE_THROW(errors::Unimplemented("%s is not implemented for data type %s; it takes %s", name, dtype, types));
}

}  // namespace phi::enforce

#define PHI_VISIT_CASE_OF(value, type, ...) \
  case value: {                             \
    using data_t = type;                    \
    __VA_ARGS__();                          \
    break;                                  \
  }
#define PHI_VISIT_CASE(name, type, ...) PHI_VISIT_CASE_OF(::phi::DataType::name, type, __VA_ARGS__)
#define PHI_VISIT_NAME(name, ...) ::phi::DataType::name,
// The same for one type that the caller gives as a DataType.
#define PHI_VISIT_CASE_FOR(value, ...) PHI_VISIT_CASE_OF(value, ::phi::DataTypeToCppType<value>::type, __VA_ARGS__)
#define PHI_VISIT_NAME_FOR(value) value,

// `taken` are the values of the cases that follow.
#define PHI_VISIT(TYPE, NAME, taken, ...)                                 \
  [&] {                                                                   \
    const ::phi::DataType phi_visited_type = TYPE;                        \
    switch (phi_visited_type) {                                           \
      __VA_ARGS__                                                         \
      default: /* NOLINT */                                               \
        ::phi::enforce::ThrowNotVisited(NAME, phi_visited_type, {taken}); \
    }                                                                     \
  }()

#define PD_VISIT_FLOATING_TYPES(TYPE, NAME, ...) \
  PHI_VISIT(TYPE, NAME, PHI_FLOATING_TYPES(PHI_VISIT_NAME), PHI_FLOATING_TYPES(PHI_VISIT_CASE, __VA_ARGS__))
#define PD_VISIT_FLOATING_AND_HALF_TYPES(TYPE, NAME, ...)                      \
  PHI_VISIT(TYPE,                                                              \
            NAME,                                                              \
            PHI_FLOATING_TYPES(PHI_VISIT_NAME) PHI_HALF_TYPES(PHI_VISIT_NAME), \
            PHI_FLOATING_TYPES(PHI_VISIT_CASE, __VA_ARGS__) PHI_HALF_TYPES(PHI_VISIT_CASE, __VA_ARGS__))
#define PD_VISIT_INTEGRAL_TYPES(TYPE, NAME, ...) \
  PHI_VISIT(TYPE, NAME, PHI_INTEGRAL_TYPES(PHI_VISIT_NAME), PHI_INTEGRAL_TYPES(PHI_VISIT_CASE, __VA_ARGS__))
#define PD_VISIT_BASE_INTEGRAL_TYPES(TYPE, NAME, ...) \
  PHI_VISIT(TYPE, NAME, PHI_BASE_INTEGRAL_TYPES(PHI_VISIT_NAME), PHI_BASE_INTEGRAL_TYPES(PHI_VISIT_CASE, __VA_ARGS__))
#define PD_VISIT_COMPLEX_TYPES(TYPE, NAME, ...) \
  PHI_VISIT(TYPE, NAME, PHI_COMPLEX_TYPES(PHI_VISIT_NAME), PHI_COMPLEX_TYPES(PHI_VISIT_CASE, __VA_ARGS__))

#define PHI_FLOATING_INTEGRAL_TYPES(_, ...) PHI_FLOATING_TYPES(_, __VA_ARGS__) PHI_INTEGRAL_TYPES(_, __VA_ARGS__)
#define PD_VISIT_FLOATING_AND_INTEGRAL_TYPES(TYPE, NAME, ...) \
  PHI_VISIT(TYPE,                                             \
            NAME,                                             \
            PHI_FLOATING_INTEGRAL_TYPES(PHI_VISIT_NAME),      \
            PHI_FLOATING_INTEGRAL_TYPES(PHI_VISIT_CASE, __VA_ARGS__))

#define PHI_BOOL_FLOATING_INTEGRAL_TYPES(_, ...) \
  PHI_BOOL_TYPE(_, __VA_ARGS__)                  \
  PHI_FLOATING_INTEGRAL_TYPES(_, __VA_ARGS__) _(FLOAT16, ::phi::dtype::float16, __VA_ARGS__)
#define PD_VISIT_BOOL_AND_FLOATING_AND_INTEGRAL_TYPES(TYPE, NAME, ...) \
  PHI_VISIT(TYPE,                                                      \
            NAME,                                                      \
            PHI_BOOL_FLOATING_INTEGRAL_TYPES(PHI_VISIT_NAME),          \
            PHI_BOOL_FLOATING_INTEGRAL_TYPES(PHI_VISIT_CASE, __VA_ARGS__))

#define PHI_FLOATING_COMPLEX_TYPES(_, ...) PHI_FLOATING_TYPES(_, __VA_ARGS__) PHI_COMPLEX_TYPES(_, __VA_ARGS__)
#define PD_VISIT_FLOATING_AND_COMPLEX_TYPES(TYPE, NAME, ...) \
  PHI_VISIT(                                                 \
      TYPE, NAME, PHI_FLOATING_COMPLEX_TYPES(PHI_VISIT_NAME), PHI_FLOATING_COMPLEX_TYPES(PHI_VISIT_CASE, __VA_ARGS__))
#define PD_VISIT_FLOATING_AND_COMPLEX_AND_1_TYPE(VALUE, TYPE, NAME, ...)          \
  PHI_VISIT(TYPE,                                                                 \
            NAME,                                                                 \
            PHI_VISIT_NAME_FOR(VALUE) PHI_FLOATING_COMPLEX_TYPES(PHI_VISIT_NAME), \
            PHI_VISIT_CASE_FOR(VALUE, __VA_ARGS__) PHI_FLOATING_COMPLEX_TYPES(PHI_VISIT_CASE, __VA_ARGS__))
#define PD_VISIT_FLOATING_AND_COMPLEX_AND_2_TYPES(VALUE1, VALUE2, TYPE, NAME, ...)                            \
  PHI_VISIT(TYPE,                                                                                             \
            NAME,                                                                                             \
            PHI_VISIT_NAME_FOR(VALUE1) PHI_VISIT_NAME_FOR(VALUE2) PHI_FLOATING_COMPLEX_TYPES(PHI_VISIT_NAME), \
            PHI_VISIT_CASE_FOR(VALUE1, __VA_ARGS__) PHI_VISIT_CASE_FOR(VALUE2, __VA_ARGS__)                   \
                PHI_FLOATING_COMPLEX_TYPES(PHI_VISIT_CASE, __VA_ARGS__))

#define PHI_FLOATING_INTEGRAL_COMPLEX_TYPES(_, ...) \
  PHI_FLOATING_INTEGRAL_TYPES(_, __VA_ARGS__) PHI_COMPLEX_TYPES(_, __VA_ARGS__)
#define PD_VISIT_FLOATING_AND_INTEGRAL_AND_COMPLEX_TYPES(TYPE, NAME, ...) \
  PHI_VISIT(TYPE,                                                         \
            NAME,                                                         \
            PHI_FLOATING_INTEGRAL_COMPLEX_TYPES(PHI_VISIT_NAME),          \
            PHI_FLOATING_INTEGRAL_COMPLEX_TYPES(PHI_VISIT_CASE, __VA_ARGS__))

#define PHI_ALL_TYPES(_, ...)                         \
  PHI_BOOL_TYPE(_, __VA_ARGS__)                       \
  PHI_FLOATING_INTEGRAL_COMPLEX_TYPES(_, __VA_ARGS__) \
  PHI_WIDE_UNSIGNED_TYPES(_, __VA_ARGS__)             \
  PHI_HALF_TYPES(_, __VA_ARGS__) PHI_FLOAT8_TYPES(_, __VA_ARGS__)
#define PD_VISIT_ALL_TYPES(TYPE, NAME, ...) \
  PHI_VISIT(TYPE, NAME, PHI_ALL_TYPES(PHI_VISIT_NAME), PHI_ALL_TYPES(PHI_VISIT_CASE, __VA_ARGS__))
