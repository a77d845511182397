// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "primitive/convert.h"
#include "primitive/math.h"
#include "primitive/random.h"

namespace phi {

// Polynomials in w, coefficients from the highest power on.
template <typename V, typename... C>
HOSTDEVICE inline V Polynomial(V w, double first, C... rest) {
  V sum = V(first);
  ((sum = sum * w + V(rest)), ...);
  return sum;
}

// The number whose error function is p: Giles' approximation in single precision (GPU Computing Gems, 2011), and for
// double two steps of Newton's method, of which each doubles the digits.
template <typename Real, typename V>
HOSTDEVICE inline V InverseErf(V p) {
  const V w = math::Minimum(-math::Log((V(1) - p) * (V(1) + p)), V(40));  // where p is 1 it would be infinite
  const V center = Polynomial(w - V(2.5),
                              2.81022636e-08,
                              3.43273939e-07,
                              -3.5233877e-06,
                              -4.39150654e-06,
                              0.00021858087,
                              -0.00125372503,
                              -0.00417768164,
                              0.246640727,
                              1.50140941);
  const V tail = Polynomial(math::Sqrt(w) - V(3),
                            -0.000200214257,
                            0.000100950558,
                            0.00134934322,
                            -0.00367342844,
                            0.00573950773,
                            -0.0076224613,
                            0.00943887047,
                            1.00167406,
                            2.83297682);
  V x = math::Select(w < V(5), center, tail) * p;
  if constexpr (sizeof(Real) == 8) {
    for (int i = 0; i < 2; ++i) {
      const V slope = V(1.1283791670955126) * math::Exp(-x * x);
      x = math::Select(slope > V(1e-30), x - (math::Erf(x) - p) / slope, x);
    }
  }
  return x;
}

// Where the part u of what a normal distribution has between `least` and `most` is reached.
template <typename Real>
struct TruncatedNormal {
  Real mean;
  Real scale;  // sqrt(2) times the standard deviation
  Real low;    // the error function at the ends
  Real range;
  Real least;
  Real most;
  template <typename V>
  HOSTDEVICE V operator()(V u) const {
    const V value = V(mean) + V(scale) * InverseErf<Real>(V(low) + V(range) * u);
    return math::Maximum(V(least), math::Minimum(V(most), value));
  }
};

template <typename T, typename Context>
void TruncatedGaussianRandomKernel(const Context& dev_ctx,
                                   const std::vector<int>&,
                                   float mean,
                                   float std,
                                   int seed,
                                   float a,
                                   float b,
                                   DataType,
                                   DenseTensor* out) {
  using Real = primitive::ComputeType<T>;
  T* data = dev_ctx.template Alloc<T>(out);
  const int64_t n = out->numel();
  if (n == 0) return;
  const double scale = std * 1.4142135623730951;
  const double low = std::erf((double(a) - mean) / scale), high = std::erf((double(b) - mean) / scale);
  const TruncatedNormal<Real> functor{Real(mean), Real(scale), Real(low), Real(high - low), Real(a), Real(b)};
  const auto state = primitive::MakePhiloxState(dev_ctx, seed, primitive::PhiloxCounters<Real>(n));
  primitive::FillUniform<Real>(dev_ctx, state, n, functor, data);
}

}  // namespace phi
