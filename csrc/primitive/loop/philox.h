// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "common/ceil_div.h"
#include "common/enforce.h"
#include "common/hostdevice.h"

// Philox4x32-10 (Salmon et al., SC 2011): a function from (seed, counter) to 4 random words of 32 bits. Since it has no
// state, element i of a tensor always takes the same words, on any number of threads:
//   float numbers   word i: counter offset + i / 4
//   double numbers  words 2 i and 2 i + 1: counter offset + i / 2
// A kernel reserves PhiloxCounters<Real>(n) counters for n numbers.
namespace phi::primitive {

struct PhiloxState {
  uint64_t seed;
  uint64_t offset;
};

struct PhiloxWords {
  uint32_t word[4];
};

constexpr uint32_t kPhiloxFactor0 = 0xD2511F53;
constexpr uint32_t kPhiloxFactor1 = 0xCD9E8D57;

HOSTDEVICE inline void PhiloxRound(uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d, uint32_t key0, uint32_t key1) {
  const uint64_t first = uint64_t(kPhiloxFactor0) * a;
  const uint64_t second = uint64_t(kPhiloxFactor1) * c;
  a = static_cast<uint32_t>(second >> 32) ^ b ^ key0;
  b = static_cast<uint32_t>(second);
  c = static_cast<uint32_t>(first >> 32) ^ d ^ key1;
  d = static_cast<uint32_t>(first);
}

// What the keys grow by after each round.
constexpr uint32_t kPhiloxKeyStep0 = 0x9E3779B9;
constexpr uint32_t kPhiloxKeyStep1 = 0xBB67AE85;
constexpr int kPhiloxRounds = 10;

HOSTDEVICE inline PhiloxWords Philox4x32(uint64_t seed, uint64_t counter) {
  uint32_t a = static_cast<uint32_t>(counter), b = static_cast<uint32_t>(counter >> 32), c = 0, d = 0;
  uint32_t key0 = static_cast<uint32_t>(seed), key1 = static_cast<uint32_t>(seed >> 32);
  for (int round = 0; round < kPhiloxRounds; ++round) {
    PhiloxRound(a, b, c, d, key0, key1);
    key0 += kPhiloxKeyStep0;
    key1 += kPhiloxKeyStep1;
  }
  return {{a, b, c, d}};
}

// Numbers of a type that come from one counter.
template <typename Real>
inline constexpr int kNumbersPerCounter = sizeof(Real) == 8 ? 2 : 4;

template <typename Real>
HOSTDEVICE constexpr uint64_t PhiloxCounters(int64_t numbers) {
  return CeilDiv(numbers, kNumbersPerCounter<Real>);
}

// Uniform in [0, 1): 24 bits for float, 53 for double. `words` are those of one number.
template <typename Real>
HOSTDEVICE inline Real ToUniform(const uint32_t* words) {
  if constexpr (sizeof(Real) == 8) {
    const uint64_t bits = (uint64_t(words[0]) << 32 | words[1]) >> 11;
    return static_cast<Real>(static_cast<int64_t>(bits)) * Real(0x1p-53);
  } else {
    return static_cast<Real>(static_cast<int32_t>(words[0] >> 8)) * Real(0x1p-24);
  }
}

// Two independent standard normal numbers from two uniform ones (Box and Muller).
template <typename Real>
HOSTDEVICE inline void ToNormal(Real u, Real v, Real* first, Real* second) {
  const Real radius = std::sqrt(Real(-2) * std::log(Real(1) - u));
  const Real angle = Real(6.283185307179586476925) * v;
  *first = radius * std::cos(angle);
  *second = radius * std::sin(angle);
}

// The state for `counters` counters: a seed other than 0 gives the same numbers in each call, 0 the next ones of the
// context's generator.
template <typename Context>
PhiloxState MakePhiloxState(const Context& dev_ctx, int64_t seed, uint64_t counters) {
  if (seed != 0) return {static_cast<uint64_t>(seed), 0};
  PADDLE_ENFORCE_NOT_NULL(
      dev_ctx.GetGenerator(),
      errors::PreconditionNotMet("a random kernel needs a generator in its context, which has none"));
  const auto [generator_seed, offset] = dev_ctx.GetGenerator()->IncrementOffset(counters);
  return {generator_seed, offset};
}

}  // namespace phi::primitive
