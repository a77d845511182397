// SPDX-License-Identifier: Apache-2.0
// The functions of SLEEF that at::vec::Vectorized calls in the place of phi::math's: symbols of this library alone,
// which hand on to the functions that the core's VectorLibrary finds when the first call comes.
#if defined(CPU_CAPABILITY_AVX512) || defined(CPU_CAPABILITY_AVX2)

#include <immintrin.h>

#include <cmath>

#include "core/vector_library.h"

#ifdef CPU_CAPABILITY_AVX512
using Doubles = __m512d;
using Floats = __m512;
#define PHI_DOUBLES(name) Sleef_##name##d8_u10
#define PHI_FLOATS(name, accuracy) Sleef_##name##f16_##accuracy
#define PHI_EXACT_DOUBLES(name) Sleef_##name##d8
#define PHI_EXACT_FLOATS(name) Sleef_##name##f16
#else
using Doubles = __m256d;
using Floats = __m256;
#define PHI_DOUBLES(name) Sleef_##name##d4_u10
#define PHI_FLOATS(name, accuracy) Sleef_##name##f8_##accuracy
#define PHI_EXACT_DOUBLES(name) Sleef_##name##d4
#define PHI_EXACT_FLOATS(name) Sleef_##name##f8
#endif

// `symbol` of as many vectors as `parameters`, named in `arguments`; without the library element i is `element`.
#define PHI_VECTOR_FUNCTION(symbol, Vector, parameters, arguments, element)                        \
  namespace {                                                                                      \
  Vector symbol##_by_element parameters {                                                          \
    Vector result;                                                                                 \
    for (unsigned i = 0; i < sizeof(Vector) / sizeof(result[0]); ++i) result[i] = element;         \
    return result;                                                                                 \
  }                                                                                                \
  Vector symbol##_first parameters;                                                                \
  Vector(*symbol##_bound) parameters = &symbol##_first;                                            \
  Vector symbol##_first parameters {                                                               \
    void* found = phi::VectorLibrary::Find(#symbol);                                               \
    auto* function = found ? reinterpret_cast<Vector(*) parameters>(found) : &symbol##_by_element; \
    __atomic_store_n(&symbol##_bound, function, __ATOMIC_RELAXED);                                 \
    return function arguments;                                                                     \
  }                                                                                                \
  }                                                                                                \
  extern "C" __attribute__((visibility("hidden"))) Vector symbol parameters {                      \
    return __atomic_load_n(&symbol##_bound, __ATOMIC_RELAXED) arguments;                           \
  }
#define PHI_NAMED(macro, ...) macro(__VA_ARGS__)
#define PHI_OF_ONE(symbol, Vector, name) \
  PHI_NAMED(PHI_VECTOR_FUNCTION, symbol, Vector, (Vector x), (x), std::name(x[i]))
#define PHI_OF_TWO(symbol, Vector, name) \
  PHI_NAMED(PHI_VECTOR_FUNCTION, symbol, Vector, (Vector x, Vector y), (x, y), std::name(x[i], y[i]))

PHI_OF_ONE(PHI_DOUBLES(acos), Doubles, acos)
PHI_OF_ONE(PHI_DOUBLES(acosh), Doubles, acosh)
PHI_OF_ONE(PHI_DOUBLES(asin), Doubles, asin)
PHI_OF_ONE(PHI_DOUBLES(asinh), Doubles, asinh)
PHI_OF_ONE(PHI_DOUBLES(atan), Doubles, atan)
PHI_OF_ONE(PHI_DOUBLES(atanh), Doubles, atanh)
PHI_OF_ONE(PHI_DOUBLES(cos), Doubles, cos)
PHI_OF_ONE(PHI_DOUBLES(cosh), Doubles, cosh)
PHI_OF_ONE(PHI_DOUBLES(erf), Doubles, erf)
PHI_OF_ONE(PHI_DOUBLES(exp), Doubles, exp)
PHI_OF_ONE(PHI_DOUBLES(exp2), Doubles, exp2)
PHI_OF_ONE(PHI_DOUBLES(expm1), Doubles, expm1)
PHI_OF_ONE(PHI_DOUBLES(log), Doubles, log)
PHI_OF_ONE(PHI_DOUBLES(log10), Doubles, log10)
PHI_OF_ONE(PHI_DOUBLES(log1p), Doubles, log1p)
PHI_OF_ONE(PHI_DOUBLES(log2), Doubles, log2)
PHI_OF_ONE(PHI_DOUBLES(sin), Doubles, sin)
PHI_OF_ONE(PHI_DOUBLES(sinh), Doubles, sinh)
PHI_OF_ONE(PHI_DOUBLES(tan), Doubles, tan)
PHI_OF_ONE(PHI_DOUBLES(tanh), Doubles, tanh)
PHI_OF_TWO(PHI_DOUBLES(atan2), Doubles, atan2)
PHI_OF_TWO(PHI_DOUBLES(pow), Doubles, pow)
PHI_OF_TWO(PHI_EXACT_DOUBLES(copysign), Doubles, copysign)
PHI_OF_TWO(PHI_EXACT_DOUBLES(fmod), Doubles, fmod)
PHI_OF_TWO(PHI_EXACT_DOUBLES(nextafter), Doubles, nextafter)
PHI_OF_ONE(PHI_FLOATS(acos, u10), Floats, acos)
PHI_OF_ONE(PHI_FLOATS(acosh, u10), Floats, acosh)
PHI_OF_ONE(PHI_FLOATS(asin, u10), Floats, asin)
PHI_OF_ONE(PHI_FLOATS(asinh, u10), Floats, asinh)
PHI_OF_ONE(PHI_FLOATS(atan, u10), Floats, atan)
PHI_OF_ONE(PHI_FLOATS(atanh, u10), Floats, atanh)
PHI_OF_ONE(PHI_FLOATS(cos, u35), Floats, cos)
PHI_OF_ONE(PHI_FLOATS(cosh, u10), Floats, cosh)
PHI_OF_ONE(PHI_FLOATS(expm1, u10), Floats, expm1)
PHI_OF_ONE(PHI_FLOATS(log, u10), Floats, log)
PHI_OF_ONE(PHI_FLOATS(log10, u10), Floats, log10)
PHI_OF_ONE(PHI_FLOATS(log1p, u10), Floats, log1p)
PHI_OF_ONE(PHI_FLOATS(log2, u10), Floats, log2)
PHI_OF_ONE(PHI_FLOATS(sin, u35), Floats, sin)
PHI_OF_ONE(PHI_FLOATS(sinh, u10), Floats, sinh)
PHI_OF_ONE(PHI_FLOATS(tan, u10), Floats, tan)
PHI_OF_TWO(PHI_FLOATS(atan2, u10), Floats, atan2)
PHI_OF_TWO(PHI_FLOATS(pow, u10), Floats, pow)
PHI_OF_TWO(PHI_EXACT_FLOATS(copysign), Floats, copysign)
PHI_OF_TWO(PHI_EXACT_FLOATS(fmod), Floats, fmod)
PHI_OF_TWO(PHI_EXACT_FLOATS(nextafter), Floats, nextafter)

#endif
