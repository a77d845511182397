// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/BFloat16.h>
#include <c10/util/Float8_e4m3fn.h>
#include <c10/util/Float8_e5m2.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>

namespace phi {

namespace dtype {
using float16 = c10::Half;
using bfloat16 = c10::BFloat16;
using float8_e4m3fn = c10::Float8_e4m3fn;
using float8_e5m2 = c10::Float8_e5m2;
template <typename T>
using complex = c10::complex<T>;
}  // namespace dtype

using float16 = dtype::float16;
using bfloat16 = dtype::bfloat16;
using complex64 = dtype::complex<float>;
using complex128 = dtype::complex<double>;

enum class DataType : uint8_t {
  UNDEFINED = 0,
  BOOL,
  UINT8,
  INT8,
  UINT16,
  INT16,
  UINT32,
  INT32,
  UINT64,
  INT64,
  FLOAT32,
  FLOAT64,
  COMPLEX64,
  COMPLEX128,
  PSTRING,
  FLOAT16,
  BFLOAT16,
  FLOAT8_E4M3FN,
  FLOAT8_E5M2,
  NUM_DATA_TYPES,
  ALL_DTYPE = UNDEFINED,
};

// The name as users write it: "float32", "bfloat16", ...
const char* DataTypeName(DataType dtype);
DataType StringToDataType(const std::string& name);
size_t SizeOf(DataType dtype);
inline std::ostream& operator<<(std::ostream& os, DataType dtype) { return os << DataTypeName(dtype); }

inline bool IsComplexType(DataType t) { return t == DataType::COMPLEX64 || t == DataType::COMPLEX128; }
// The type of the parts of a complex number; others as they are.
inline DataType ToReal(DataType t) {
  return t == DataType::COMPLEX64 ? DataType::FLOAT32 : t == DataType::COMPLEX128 ? DataType::FLOAT64 : t;
}
inline bool IsFloatingType(DataType t) {
  return t == DataType::FLOAT32 || t == DataType::FLOAT64 || t == DataType::FLOAT16 || t == DataType::BFLOAT16 ||
         t == DataType::FLOAT8_E4M3FN || t == DataType::FLOAT8_E5M2;
}
inline bool IsIntegralType(DataType t) { return t >= DataType::UINT8 && t <= DataType::INT64; }

template <typename T>
struct CppTypeToDataType;
template <DataType dtype>
struct DataTypeToCppType;

#define PHI_FOR_EACH_DATA_TYPE(_)               \
  _(bool, BOOL)                                 \
  _(uint8_t, UINT8)                             \
  _(int8_t, INT8)                               \
  _(uint16_t, UINT16)                           \
  _(int16_t, INT16)                             \
  _(uint32_t, UINT32)                           \
  _(int32_t, INT32)                             \
  _(uint64_t, UINT64)                           \
  _(int64_t, INT64)                             \
  _(float, FLOAT32)                             \
  _(double, FLOAT64)                            \
  _(::phi::dtype::float16, FLOAT16)             \
  _(::phi::dtype::bfloat16, BFLOAT16)           \
  _(::phi::dtype::float8_e4m3fn, FLOAT8_E4M3FN) \
  _(::phi::dtype::float8_e5m2, FLOAT8_E5M2)     \
  _(::phi::dtype::complex<float>, COMPLEX64)    \
  _(::phi::dtype::complex<double>, COMPLEX128)

#define PHI_CPP_TYPE_TO_DATA_TYPE(cpp, name)                    \
  template <>                                                   \
  struct CppTypeToDataType<cpp> {                               \
    static constexpr DataType Type() { return DataType::name; } \
  };                                                            \
  template <>                                                   \
  struct DataTypeToCppType<DataType::name> {                    \
    using type = cpp;                                           \
  };
PHI_FOR_EACH_DATA_TYPE(PHI_CPP_TYPE_TO_DATA_TYPE)
#undef PHI_CPP_TYPE_TO_DATA_TYPE

// The type that half types accumulate in (PHI's MPTypeTrait).
namespace dtype {
template <typename T>
struct MPTypeTrait {
  using Type = T;
};
template <>
struct MPTypeTrait<float16> {
  using Type = float;
};
template <>
struct MPTypeTrait<bfloat16> {
  using Type = float;
};
}  // namespace dtype

// The real type of a complex type, the type itself otherwise.
namespace dtype {
template <typename T>
struct RealTypeTrait {
  using Type = T;
};
template <typename T>
struct RealTypeTrait<complex<T>> {
  using Type = T;
};
template <typename T>
inline constexpr bool is_complex_v = !std::is_same_v<typename RealTypeTrait<T>::Type, T>;
}  // namespace dtype

}  // namespace phi

namespace paddle {
using phi::bfloat16;
using phi::complex128;
using phi::complex64;
using phi::DataType;
using phi::float16;
}  // namespace paddle
