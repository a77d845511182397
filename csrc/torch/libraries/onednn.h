// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>

// Products of float32 by oneDNN, inside torch.
namespace at::native {

// out = beta * out + alpha * a @ b, of matrices or batches of them. A torch without oneDNN has no such symbol.
__attribute__((weak)) void mkldnn_matmul(
    const at::Tensor& a, const at::Tensor& b, const at::Tensor& out, float beta, float alpha);

}  // namespace at::native

namespace phi::primitive {

// Whether oneDNN has better instructions for float32 than BLAS: MKL takes AVX-512 on the processors of its maker alone.
inline bool OneDnnIsFaster() {
#ifdef __x86_64__
  static const bool is_faster = __builtin_cpu_supports("avx512dq") && !__builtin_cpu_is("intel");
  return is_faster && at::globalContext().userEnabledMkldnn();
#else
  return false;
#endif
}

}  // namespace phi::primitive
