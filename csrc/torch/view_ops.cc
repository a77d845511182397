// SPDX-License-Identifier: Apache-2.0
#include "torch/view_ops.h"

#include "infermeta/all.h"
#include "torch/errors.h"

namespace phi::torch_bridge {

using c10::SymInt;

namespace {

// The shape of the result, and all checks, from the op's own InferMeta.
BasicDDim<SymInt> ReshapeDims(const at::Tensor& x, c10::SymIntArrayRef shape) {
  const c10::SymIntArrayRef sizes = x.sym_sizes();
  return ReshapedDims(BasicDDim<SymInt>(sizes.data(), x.dim()), IntArrayBase<SymInt>(shape.data(), shape.size()));
}

void CheckPerm(const at::Tensor& x, at::IntArrayRef perm) {
  CanonicalPermutation(std::vector<int>(perm.begin(), perm.end()), static_cast<int>(x.dim()));
}

c10::SymIntArrayRef Ref(const BasicDDim<SymInt>& dims) { return {dims.Get(), static_cast<size_t>(dims.size())}; }

// Gives `x` the sizes and strides of a view of itself.
at::Tensor& Become(at::Tensor& x, const at::Tensor& view) {
  x.as_strided__symint(view.sym_sizes(), view.sym_strides(), view.sym_storage_offset());
  return x;
}

}  // namespace

at::Tensor reshape(const at::Tensor& x, c10::SymIntArrayRef shape) {
  PHI_OP_TRY
  const BasicDDim<SymInt> dims = ReshapeDims(x, shape);
  // what reshape would find out, a call later
  const bool is_view = !x.unsafeGetTensorImpl()->has_symbolic_sizes_strides() && x.is_contiguous();
  return is_view ? x.view_symint(Ref(dims)) : x.reshape_symint(Ref(dims));
  PHI_OP_CATCH("reshape")
}

at::Tensor& reshape_(at::Tensor& x, c10::SymIntArrayRef shape) {
  PHI_OP_TRY
  return Become(x, x.view_symint(Ref(ReshapeDims(x, shape))));
  PHI_OP_CATCH("reshape_")
}

at::Tensor transpose(const at::Tensor& x, at::IntArrayRef perm) {
  PHI_OP_TRY
  CheckPerm(x, perm);
  return x.permute(perm);
  PHI_OP_CATCH("transpose")
}

at::Tensor& transpose_(at::Tensor& x, at::IntArrayRef perm) {
  PHI_OP_TRY
  CheckPerm(x, perm);
  return Become(x, x.permute(perm));
  PHI_OP_CATCH("transpose_")
}

}  // namespace phi::torch_bridge
