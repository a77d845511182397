// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/ceil_div.h"
#include "primitive/cpu/elementwise.h"
#include "primitive/cpu/lanes.h"
#include "primitive/loop/philox.h"
#include "primitive/math.h"

namespace phi::primitive::detail {

constexpr int kPhiloxBlock = 128;  // counters that are worked on together

// The products of the low halves of the lanes.
inline Lanes<uint64_t> LowProduct(const Lanes<uint64_t>& a, const Lanes<uint64_t>& b) {
#if defined(CPU_CAPABILITY_AVX512)
  return reinterpret_cast<Lanes<uint64_t>>(
      _mm512_mul_epu32(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(CPU_CAPABILITY_AVX2)
  return reinterpret_cast<Lanes<uint64_t>>(
      _mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#else
  return (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF);
#endif
}

// The words of kLanes<uint64_t> counters, those of a counter side by side. They are the low halves of 64-bit lanes;
// what is in the high ones does not matter.
inline void PhiloxWords(uint64_t seed, uint64_t counter, uint32_t* words) {
  using V = Lanes<uint64_t>;
  constexpr int kWidth = kLanes<uint64_t>;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    V a = counter + V{I...};
    V b = a >> 32, c{}, d{};
    uint32_t key0 = static_cast<uint32_t>(seed), key1 = static_cast<uint32_t>(seed >> 32);
    for (int round = 0; round < kPhiloxRounds; ++round) {
      const V first = LowProduct(a, FillLanes<uint64_t>(kPhiloxFactor0));
      const V second = LowProduct(c, FillLanes<uint64_t>(kPhiloxFactor1));
      a = (second >> 32) ^ b ^ key0;
      b = second;
      c = (first >> 32) ^ d ^ key1;
      d = first;
      key0 += kPhiloxKeyStep0;
      key1 += kPhiloxKeyStep1;
    }
    const V ab = (a & 0xFFFFFFFF) | (b << 32);
    const V cd = (c & 0xFFFFFFFF) | (d << 32);
    const V front = __builtin_shufflevector(ab, cd, (I / 2 + I % 2 * kWidth)...);
    const V back = __builtin_shufflevector(ab, cd, (kWidth / 2 + I / 2 + I % 2 * kWidth)...);
    std::memcpy(words, &front, sizeof(V));
    std::memcpy(words + 2 * kWidth, &back, sizeof(V));
  }(std::make_integer_sequence<int, kWidth>());
}

// Numbers that are made together: a block has a multiple of them.
template <typename Real>
inline constexpr int kNumbersAtOnce =
    std::max<int>(kNumbersPerCounter<Real> * kLanes<uint64_t>, 2 * at::vec::Vectorized<Real>::size());

// The first `count` uniform numbers, a multiple of kNumbersAtOnce, of kPhiloxBlock counters.
template <typename Real>
void UniformBlock(const PhiloxState& state, int64_t counter, int count, Real* numbers) {
  constexpr int kWords = 4 / kNumbersPerCounter<Real>;
  uint32_t words[4 * kPhiloxBlock];
  for (int k = 0; k * kNumbersPerCounter<Real> < count; k += kLanes<uint64_t>) {
    PhiloxWords(state.seed, state.offset + counter + k, words + 4 * k);
  }
  for (int i = 0; i < count; ++i) numbers[i] = ToUniform<Real>(words + i * kWords);
}

template <typename Real>
void NormalBlock(const PhiloxState& state, int64_t counter, int count, Real* numbers) {
  using Vec = at::vec::Vectorized<Real>;
  UniformBlock<Real>(state, counter, count, numbers);
  Real* const end = numbers + count;
  for (Real* at = numbers; at < end; at += 2 * Vec::size()) {
    const auto [u, v] = at::vec::deinterleave2(Vec::loadu(at), Vec::loadu(at + Vec::size()));
    const Vec angle = Vec(Real(6.283185307179586476925)) * v;
    const Vec radius = (Vec(Real(-2)) * math::Log(Vec(Real(1)) - u)).sqrt();
    const auto [lo, hi] = at::vec::interleave2(radius * angle.cos(), radius * angle.sin());
    lo.store(at);
    hi.store(at + Vec::size());
  }
}

// Calls use(begin, numbers, size) for blocks of n random numbers, and end_range() after the last one of a thread.
template <typename Real, bool kNormal, typename Use, typename End>
void ForEachBlock(const PhiloxState& state, int64_t n, const Use& use, const End& end_range) {
  constexpr int64_t kNumbers = kNumbersPerCounter<Real> * kPhiloxBlock;
  constexpr int64_t kGrain = 8192 / kNumbers;
  ParallelFor(CeilDiv(n, kNumbers), kGrain, [&](int64_t block, int64_t end) {
    for (; block < end; ++block) {
      alignas(64) Real numbers[kNumbers];
      const int64_t size = std::min(kNumbers, n - block * kNumbers);
      const int made = RoundUp(size, kNumbersAtOnce<Real>);
      kNormal ? NormalBlock<Real>(state, block * kPhiloxBlock, made, numbers)
              : UniformBlock<Real>(state, block * kPhiloxBlock, made, numbers);
      use(block * kNumbers, numbers, size);
    }
    end_range();
  });
}

template <typename Real, typename Function>
void RunUniform(const CPUContext&, const PhiloxState& state, int64_t n, const Function& f) {
  const auto call = [&](int64_t begin, const Real* numbers, int64_t size) {
    const Function function = f;  // a local copy, which nothing that it writes can alias
#pragma GCC ivdep
    for (int64_t i = 0; i < size; ++i) function(begin + i, numbers[i]);
  };
  ForEachBlock<Real, false>(state, n, call, [] {});
}

template <bool kNormal, typename T, typename Real, typename Functor>
void FillRandom(const CPUContext&, const PhiloxState& state, int64_t n, const Functor& functor, T* out) {
  using Run = Runs<Functor, T, Real>;
  const bool stream = n * static_cast<int64_t>(sizeof(T)) > kStreamBytes;
  const auto fill = [&](int64_t begin, Real* numbers, int64_t size) {
    char* const data[] = {reinterpret_cast<char*>(out + begin), reinterpret_cast<char*>(numbers)};
    constexpr int64_t kOneRow[2] = {};
    Run::template Dense<1>(&functor, data, size, kOneRow, 1, stream);
  };
  ForEachBlock<Real, kNormal>(state, n, fill, [stream] {
    if (stream) EndStream();
  });
}

}  // namespace phi::primitive::detail
