// SPDX-License-Identifier: Apache-2.0
#include "torch/view_ops.h"

#include "common/enforce.h"
#include "torch/errors.h"

namespace phi::torch_bridge {

namespace {

// Copies the dimensions written as 0; -1 stays for ATen to infer.
std::vector<c10::SymInt> ResolveShape(const at::Tensor& x, c10::SymIntArrayRef shape) {
  std::vector<c10::SymInt> resolved(shape.begin(), shape.end());
  for (size_t i = 0; i < resolved.size(); ++i) {
    // a size that is 0 because the tensor is empty stays 0
    if (resolved[i].maybe_as_int() != 0) continue;
    PADDLE_ENFORCE(static_cast<int64_t>(i) < x.dim(),
                   errors::InvalidArgument("argument 'shape': 0 at position %d copies that dimension of 'x', which has only %d "
                                           "dimensions",
                                           i, x.dim()));
    resolved[i] = x.sym_size(static_cast<int64_t>(i));
  }
  return resolved;
}

}  // namespace

at::Tensor reshape(const at::Tensor& x, c10::SymIntArrayRef shape) {
  PHI_OP_TRY
  return x.reshape_symint(ResolveShape(x, shape));
  PHI_OP_CATCH("reshape")
}

at::Tensor& reshape_(at::Tensor& x, c10::SymIntArrayRef shape) {
  PHI_OP_TRY
  const at::Tensor view = x.view_symint(ResolveShape(x, shape));
  x.as_strided__symint(view.sym_sizes(), view.sym_strides(), view.sym_storage_offset());
  return x;
  PHI_OP_CATCH("reshape_")
}

at::Tensor transpose(const at::Tensor& x, at::IntArrayRef perm) { return x.permute(perm); }

at::Tensor& transpose_(at::Tensor& x, at::IntArrayRef perm) {
  const at::Tensor view = x.permute(perm);
  x.as_strided__symint(view.sym_sizes(), view.sym_strides(), view.sym_storage_offset());
  return x;
}

}  // namespace phi::torch_bridge
