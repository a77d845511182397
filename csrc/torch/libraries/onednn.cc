// SPDX-License-Identifier: Apache-2.0
#include "torch/libraries/onednn.h"

#include <ATen/Context.h>
#include <ATen/native/CPUBlas.h>

namespace phi::primitive {

namespace {

// Whether torch has the function for elements of type T, and a processor with such instructions.
template <typename T>
bool HasProduct() {
  constexpr int kColumns = 16;
  const T zeros[2 * kColumns] = {};
  float sums[kColumns];
  try {
    constexpr bool kInPairs = sizeof(T) < sizeof(float);
    at::native::cpublas::brgemm(1, kColumns, 2, 2, kColumns, kColumns, false, zeros, zeros, sums, kInPairs);
    at::native::cpublas::brgemm_release();
  } catch (const c10::Error&) {
    return false;
  }
  return true;
}

}  // namespace

bool HasFloatBlocks() {
#ifdef __x86_64__
  static const bool has = __builtin_cpu_supports("avx512dq") && !__builtin_cpu_is("intel") && HasProduct<float>();
  return has && at::globalContext().userEnabledMkldnn();
#else
  return false;
#endif
}

bool HasPairBlocks() {
#ifdef __x86_64__
  static const bool has = __builtin_cpu_supports("avx512bf16") && HasProduct<at::BFloat16>();
  return has && at::globalContext().userEnabledMkldnn();
#else
  return false;
#endif
}

}  // namespace phi::primitive
