// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/cpu/vec/vec.h>

#include "backends/cpu/cpu_context.h"
#include "kernels/funcs/philox.h"
#include "primitive/cpu/parallel.h"

namespace phi::primitive::detail {

constexpr int kPhiloxBlock = 64;  // counters that are worked on together

// The words of kPhiloxBlock counters, word by word: words[j][k] is word j of the counter `counter + k`.
inline void PhiloxBlock(uint64_t seed, uint64_t counter, uint32_t (&words)[4][kPhiloxBlock]) {
  constexpr int kTogether = 8;
  for (int begin = 0; begin < kPhiloxBlock; begin += kTogether) {
    uint32_t a[kTogether], b[kTogether], c[kTogether] = {}, d[kTogether] = {};
    for (int k = 0; k < kTogether; ++k) {
      a[k] = static_cast<uint32_t>(counter + begin + k);
      b[k] = static_cast<uint32_t>((counter + begin + k) >> 32);
    }
    uint32_t key0 = static_cast<uint32_t>(seed), key1 = static_cast<uint32_t>(seed >> 32);
    for (int round = 0; round < funcs::kPhiloxRounds; ++round) {
      for (int k = 0; k < kTogether; ++k) funcs::PhiloxRound(a[k], b[k], c[k], d[k], key0, key1);
      key0 += funcs::kPhiloxKeyStep0;
      key1 += funcs::kPhiloxKeyStep1;
    }
    std::copy_n(a, kTogether, words[0] + begin);
    std::copy_n(b, kTogether, words[1] + begin);
    std::copy_n(c, kTogether, words[2] + begin);
    std::copy_n(d, kTogether, words[3] + begin);
  }
}

// numbers[j][k] is uniform number j of counter k.
template <typename Real>
void UniformBlock(const funcs::PhiloxState& state,
                  int64_t counter,
                  Real (&numbers)[funcs::kNumbersPerCounter<Real>][kPhiloxBlock]) {
  constexpr int kWords = 4 / funcs::kNumbersPerCounter<Real>;
  uint32_t words[4][kPhiloxBlock];
  PhiloxBlock(state.seed, state.offset + counter, words);
  for (int j = 0; j < funcs::kNumbersPerCounter<Real>; ++j) {
    for (int k = 0; k < kPhiloxBlock; ++k) {
      const uint32_t mine[2] = {words[j * kWords][k], words[j * kWords + kWords - 1][k]};
      numbers[j][k] = funcs::ToUniform<Real>(mine);
    }
  }
}

template <typename Real>
void NormalBlock(const funcs::PhiloxState& state,
                 int64_t counter,
                 Real (&numbers)[funcs::kNumbersPerCounter<Real>][kPhiloxBlock]) {
  using Vec = at::vec::Vectorized<Real>;
  UniformBlock<Real>(state, counter, numbers);
  for (int j = 0; j < funcs::kNumbersPerCounter<Real>; j += 2) {
    for (int k = 0; k < kPhiloxBlock; k += Vec::size()) {
      const Vec u = Vec::loadu(&numbers[j][k]);
      const Vec angle = Vec(Real(6.283185307179586476925)) * Vec::loadu(&numbers[j + 1][k]);
      const Vec radius = (Vec(Real(-2)) * (Vec(Real(1)) - u).log()).sqrt();
      (radius * angle.cos()).store(&numbers[j][k]);
      (radius * angle.sin()).store(&numbers[j + 1][k]);
    }
  }
}

template <typename Real, typename MakeBlock, typename Function>
void RunRandom(int64_t n, MakeBlock make_block, const Function& f) {
  constexpr int kNumbers = funcs::kNumbersPerCounter<Real>;
  constexpr int64_t kBlockNumbers = kNumbers * kPhiloxBlock;
  constexpr int64_t kGrain = 8192 / kBlockNumbers;
  ParallelFor((n + kBlockNumbers - 1) / kBlockNumbers, kGrain, [&](int64_t block, int64_t end) {
    for (; block < end; ++block) {
      Real planes[kNumbers][kPhiloxBlock];
      Real numbers[kBlockNumbers];
      make_block(block * kPhiloxBlock, planes);
      for (int k = 0; k < kPhiloxBlock; ++k) {
        for (int j = 0; j < kNumbers; ++j) numbers[k * kNumbers + j] = planes[j][k];
      }
      const int64_t begin = block * kBlockNumbers;
      const int64_t size = std::min(kBlockNumbers, n - begin);
      const Function function = f;  // a local copy, which nothing that it writes can alias
#pragma GCC ivdep
      for (int64_t i = 0; i < size; ++i) function(begin + i, numbers[i]);
    }
  });
}

template <typename Real, typename Function>
void RunUniform(const CPUContext&, const funcs::PhiloxState& state, int64_t n, const Function& f) {
  RunRandom<Real>(n, [&](int64_t counter, auto& numbers) { UniformBlock<Real>(state, counter, numbers); }, f);
}

template <typename Real, typename Function>
void RunNormal(const CPUContext&, const funcs::PhiloxState& state, int64_t n, const Function& f) {
  RunRandom<Real>(n, [&](int64_t counter, auto& numbers) { NormalBlock<Real>(state, counter, numbers); }, f);
}

}  // namespace phi::primitive::detail
