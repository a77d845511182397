// SPDX-License-Identifier: Apache-2.0
#include "program/variable.h"

namespace phi {

bool Variable::IsInitialized() const {
  if (const auto* dense = TryGet<DenseTensor>()) return dense->dtype() != DataType::UNDEFINED;
  return value_.has_value();
}

void Variable::Clear() {
  if (auto* dense = TryGet<DenseTensor>()) {
    *dense = DenseTensor();
  } else {
    value_.reset();
  }
}

VariableKind Variable::Kind() const {
  if (!IsInitialized()) return VariableKind::kAbsent;
  if (TryGet<DenseTensor>()) return VariableKind::kDense;
  if (TryGet<SelectedRows>()) return VariableKind::kSelectedRows;
  if (TryGet<TensorArray>()) return VariableKind::kDenseArray;
  if (TryGet<SparseCooTensor>()) return VariableKind::kSparseCoo;
  if (TryGet<SparseCsrTensor>()) return VariableKind::kSparseCsr;
  return VariableKind::kOther;
}

}  // namespace phi
