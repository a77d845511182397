// SPDX-License-Identifier: Apache-2.0
#include "core/selected_rows.h"

namespace phi {

void CopyPatternOf(const SelectedRows& x, SelectedRows* out) {
  if (out == &x) return;
  out->set_rows(x.rows());
  out->set_height(x.height());
  *out->mutable_value() = DenseTensor().Resize(x.value().dims());
}

}  // namespace phi
