// SPDX-License-Identifier: Apache-2.0
#include "torch/view_ops.h"

#include "infermeta/all.h"
#include "torch/errors.h"

// The shapes of the results, and all checks, come from the InferMeta functions of the ops.
namespace phi::torch_bridge {

using c10::SymInt;

namespace {

BasicDDim<SymInt> Dims(const at::Tensor& x) { return BasicDDim<SymInt>(x.sym_sizes().data(), x.dim()); }

IntArrayBase<SymInt> Ints(c10::SymIntArrayRef values) { return IntArrayBase<SymInt>(values.data(), values.size()); }

c10::SymIntArrayRef Ref(const BasicDDim<SymInt>& dims) { return {dims.Get(), static_cast<size_t>(dims.size())}; }

void CheckPerm(const at::Tensor& x, at::IntArrayRef perm) {
  CanonicalPermutation(std::vector<int>(perm.begin(), perm.end()), static_cast<int>(x.dim()));
}

// Gives `x` the sizes and strides of a view of itself.
at::Tensor& Become(at::Tensor& x, const at::Tensor& view) {
  x.as_strided__symint(view.sym_sizes(), view.sym_strides(), view.sym_storage_offset());
  return x;
}

// A contiguous tensor needs no torch call to find out that it is a view.
at::Tensor Reshaped(const at::Tensor& x, const BasicDDim<SymInt>& dims) {
  const bool is_view = !x.unsafeGetTensorImpl()->has_symbolic_sizes_strides() && x.is_contiguous();
  return is_view ? x.view_symint(Ref(dims)) : x.reshape_symint(Ref(dims));
}

// Without the axes, which are of size 1.
at::Tensor Drop(const at::Tensor& x, const AxisFlags<SymInt>& axes) {
  std::vector<int64_t> dropped;
  for (int64_t i = 0; i < x.dim(); ++i) {
    if (axes[i]) dropped.push_back(i);
  }
  return x.squeeze(dropped);
}

at::Tensor Squeezed(const at::Tensor& x, c10::SymIntArrayRef axis) {
  return Drop(x, SqueezedAxes(Dims(x), Ints(axis)));
}

at::Tensor Unsqueezed(const at::Tensor& x, c10::SymIntArrayRef axis) {
  at::Tensor view = x;
  for (const int place : InsertedAxes(Ints(axis), static_cast<int>(x.dim()))) view = view.unsqueeze(place);
  return axis.empty() ? x.alias() : view;
}

}  // namespace

std::vector<at::Tensor> concat_grad(at::TensorList x, const at::Tensor& out_grad, const at::Scalar& axis) {
  PHI_OP_TRY
  const int64_t dim = CanonicalAxis(axis.toLong(), out_grad.dim());
  std::vector<SymInt> sizes;
  SymInt total = 0;
  for (const at::Tensor& part : x) total += sizes.emplace_back(part.sym_size(dim));
  PADDLE_ENFORCE(total == out_grad.sym_size(dim),
                 errors::InvalidArgument("argument 'out_grad': expected the size %d, that of 'x' together, along axis "
                                         "%d, got the shape %s",
                                         total,
                                         dim,
                                         Dims(out_grad)));
  return out_grad.split_with_sizes_symint(sizes, dim);
  PHI_OP_CATCH("concat_grad")
}

at::Tensor expand(const at::Tensor& x, c10::SymIntArrayRef shape) {
  PHI_OP_TRY
  return x.expand_symint(Ref(ExpandedDims(Dims(x), Ints(shape))));
  PHI_OP_CATCH("phi::expand")
}

at::Tensor flatten(const at::Tensor& x, int64_t start_axis, int64_t stop_axis) {
  PHI_OP_TRY
  return Reshaped(x, FlattenedDims(Dims(x), start_axis, stop_axis));
  PHI_OP_CATCH("phi::flatten")
}

at::Tensor& flatten_(at::Tensor& x, int64_t start_axis, int64_t stop_axis) {
  PHI_OP_TRY
  return Become(x, x.view_symint(Ref(FlattenedDims(Dims(x), start_axis, stop_axis))));
  PHI_OP_CATCH("phi::flatten_")
}

at::Tensor reshape(const at::Tensor& x, c10::SymIntArrayRef shape) {
  PHI_OP_TRY
  return Reshaped(x, ReshapedDims(Dims(x), Ints(shape)));
  PHI_OP_CATCH("phi::reshape")
}

at::Tensor& reshape_(at::Tensor& x, c10::SymIntArrayRef shape) {
  PHI_OP_TRY
  return Become(x, x.view_symint(Ref(ReshapedDims(Dims(x), Ints(shape)))));
  PHI_OP_CATCH("phi::reshape_")
}

at::Tensor slice(const at::Tensor& input,
                 at::IntArrayRef axes,
                 c10::SymIntArrayRef starts,
                 c10::SymIntArrayRef ends,
                 at::IntArrayRef infer_flags,
                 at::IntArrayRef decrease_axis) {
  PHI_OP_TRY
  const SlicedPart<SymInt> part =
      MakeSlicedPart(Dims(input), axes.vec(), Ints(starts), Ints(ends), infer_flags.vec(), decrease_axis.vec());
  at::Tensor view = input;
  for (const int64_t given : axes) {
    const int axis = static_cast<int>(given < 0 ? given + input.dim() : given);
    view = view.slice_symint(axis, part.starts[axis], part.starts[axis] + part.sizes[axis]);
  }
  return axes.empty() || !decrease_axis.empty() ? Drop(view, part.dropped) : view;
  PHI_OP_CATCH("phi::slice")
}

at::Tensor squeeze(const at::Tensor& x, c10::SymIntArrayRef axis) {
  PHI_OP_TRY
  return Squeezed(x, axis);
  PHI_OP_CATCH("phi::squeeze")
}

at::Tensor& squeeze_(at::Tensor& x, c10::SymIntArrayRef axis) {
  PHI_OP_TRY
  return Become(x, Squeezed(x, axis));
  PHI_OP_CATCH("phi::squeeze_")
}

std::vector<at::Tensor> stack_grad(at::TensorList, const at::Tensor& out_grad, int64_t axis) {
  return torch_bridge::unbind(out_grad, axis);
}

at::Tensor transpose(const at::Tensor& x, at::IntArrayRef perm) {
  PHI_OP_TRY
  CheckPerm(x, perm);
  return x.permute(perm);
  PHI_OP_CATCH("phi::transpose")
}

at::Tensor& transpose_(at::Tensor& x, at::IntArrayRef perm) {
  PHI_OP_TRY
  CheckPerm(x, perm);
  return Become(x, x.permute(perm));
  PHI_OP_CATCH("phi::transpose_")
}

std::vector<at::Tensor> unbind(const at::Tensor& input, int64_t axis) {
  PHI_OP_TRY
  return input.unbind(UnboundAxis(Dims(input), axis));
  PHI_OP_CATCH("phi::unbind")
}

at::Tensor unsqueeze(const at::Tensor& x, c10::SymIntArrayRef axis) {
  PHI_OP_TRY
  return Unsqueezed(x, axis);
  PHI_OP_CATCH("phi::unsqueeze")
}

at::Tensor& unsqueeze_(at::Tensor& x, c10::SymIntArrayRef axis) {
  PHI_OP_TRY
  return Become(x, Unsqueezed(x, axis));
  PHI_OP_CATCH("phi::unsqueeze_")
}

}  // namespace phi::torch_bridge
