// SPDX-License-Identifier: Apache-2.0
#include "core/sparse_tensor.h"

namespace phi {

void CopyPatternOf(const SparseCooTensor& x, SparseCooTensor* out) {
  if (out == &x) return;
  *out->mutable_indices() = x.indices();
  out->SetCoalesced(x.coalesced());
  *out->mutable_values() = DenseTensor().Resize(x.values().dims());
}

void CopyPatternOf(const SparseCsrTensor& x, SparseCsrTensor* out) {
  if (out == &x) return;
  *out->mutable_crows() = x.crows();
  *out->mutable_cols() = x.cols();
  *out->mutable_values() = DenseTensor().Resize(x.values().dims());
}

}  // namespace phi
