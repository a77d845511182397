// SPDX-License-Identifier: Apache-2.0
#include "torch/views/view_ops.h"

#include <ATen/ops/empty.h>

#include "core/device_context_pool.h"
#include "infermeta/parts.h"
#include "infermeta/view_dims.h"
#include "kernels/stride/view.h"
#include "primitive/copy_nd.h"
#include "torch/convert.h"
#include "torch/errors.h"
#include "torch/tensor_adapter.h"
#include "torch/views/plain_view.h"
#include "torch/views/view_arguments.h"

// The shapes of the results, and all checks, come from the InferMeta functions of the ops. A plain tensor's view is
// made here, which takes half of the time; all others are made by ATen.
namespace phi::torch_bridge {

using c10::SymInt;
using view_arguments::ChosenAxes;
using view_arguments::Dims;
using view_arguments::Ints;
using view_arguments::Ref;

namespace {

void CheckPerm(const at::Tensor& x, at::IntArrayRef perm) {
  CanonicalPermutation(perm.data(), perm.size(), static_cast<int>(x.dim()));
}

at::Tensor ViewOf(const PlainTensor& x, const StridedView& view) {
  return x.View(view.sizes, view.strides, view.offset);
}

// Without ATen where a primitive copies tensors of this type.
at::Tensor Contiguous(const at::Tensor& x) {
  if (detail::kToPhi[static_cast<size_t>(x.scalar_type())] == DataType::UNDEFINED) return x.contiguous();
  const DeviceContext& context = *DeviceContextPool::Instance().Get(ToPhi(x.device()));
  const auto copy = FindPrimitive<primitive::CopyNd>(PlaceToBackend(context.GetPlace()), ToPhi(x.scalar_type()));
  if (copy == nullptr) return x.contiguous();
  at::Tensor result = at::empty(x.sizes(), x.options());
  DenseTensor out = Borrow(result);
  copy(context, Borrow(x), &out);
  return result;
}

// A contiguous tensor needs no torch call to find out that it is a view, and a plain one no ATen to be copied.
at::Tensor Reshaped(const at::Tensor& x, const BasicDDim<SymInt>& dims) {
  const bool is_view = !x.unsafeGetTensorImpl()->has_symbolic_sizes_strides() && x.is_contiguous();
  if (is_view) return x.view_symint(Ref(dims));
  if (!CopiesPlainly(x) || x.numel() == 0) return x.reshape_symint(Ref(dims));
  const c10::IntArrayRef sizes = C10_AS_INTARRAYREF_SLOW(Ref(dims));
  const DDim own(x.sizes().data(), x.dim());
  const DDim strides(x.strides().data(), x.dim());
  if (ReshapedView(own, strides, DDim(sizes.data(), static_cast<int64_t>(sizes.size())))) return x.view(sizes);
  at::Tensor copy = Contiguous(x);
  copy.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return copy;
}

// Without the axes, which are of size 1.
at::Tensor Drop(const at::Tensor& x, const AxisFlags<SymInt>& axes) { return x.squeeze(ChosenAxes(axes, x.dim())); }

std::vector<at::Tensor> Unbound(const PlainTensor& x, int axis) {
  StridedView view = UnboundView(x.sizes(), x.strides(), axis);
  std::vector<at::Tensor> views;
  views.reserve(x.sizes()[axis]);
  for (int64_t i = 0; i < x.sizes()[axis]; ++i, view.offset += x.strides()[axis]) {
    views.push_back(x.View(view.sizes, view.strides, view.offset, true));
  }
  return views;
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
  if (const PlainTensor plain(x, shape); plain) {
    return ViewOf(plain, ExpandedView(plain.sizes(), plain.strides(), plain.argument()));
  }
  return x.expand_symint(Ref(ExpandedDims(Dims(x), Ints(shape))));
  PHI_OP_CATCH("phi::expand")
}

at::Tensor flatten(const at::Tensor& x, int64_t start_axis, int64_t stop_axis) {
  PHI_OP_TRY
  if (const PlainTensor plain(x); plain && plain.is_contiguous()) {
    const DDim sizes = FlattenedDims(plain.sizes(), start_axis, stop_axis);
    return plain.View(sizes, contiguous_strides(sizes));
  }
  return Reshaped(x, FlattenedDims(Dims(x), start_axis, stop_axis));
  PHI_OP_CATCH("phi::flatten")
}

at::Tensor reshape(const at::Tensor& x, c10::SymIntArrayRef shape) {
  PHI_OP_TRY
  if (const PlainTensor plain(x, shape); plain && plain.is_contiguous()) {
    const DDim sizes = ReshapedDims(plain.sizes(), plain.argument());
    return plain.View(sizes, contiguous_strides(sizes));
  }
  return Reshaped(x, ReshapedDims(Dims(x), Ints(shape)));
  PHI_OP_CATCH("phi::reshape")
}

at::Tensor slice(const at::Tensor& input,
                 at::IntArrayRef axes,
                 c10::SymIntArrayRef starts,
                 c10::SymIntArrayRef ends,
                 at::IntArrayRef,
                 at::IntArrayRef decrease_axis) {
  PHI_OP_TRY
  const SlicedPart<SymInt> part =
      MakeSlicedPart(Dims(input), axes.vec(), Ints(starts), Ints(ends), decrease_axis.vec());
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
  if (const PlainTensor plain(x, axis); plain) {
    return ViewOf(plain, SqueezedView(plain.sizes(), plain.strides(), plain.argument()));
  }
  return Drop(x, SqueezedAxes(Dims(x), Ints(axis)));
  PHI_OP_CATCH("phi::squeeze")
}

std::vector<at::Tensor> stack_grad(at::TensorList, const at::Tensor& out_grad, int64_t axis) {
  return torch_bridge::unbind(out_grad, axis);
}

at::Tensor transpose(const at::Tensor& x, at::IntArrayRef perm) {
  PHI_OP_TRY
  if (const PlainTensor plain(x); plain) {
    const DDim axes = CanonicalPermutation(perm.data(), perm.size(), plain.sizes().size());
    return ViewOf(plain, TransposedView(plain.sizes(), plain.strides(), axes));
  }
  CheckPerm(x, perm);
  return x.permute(perm);
  PHI_OP_CATCH("phi::transpose")
}

std::vector<at::Tensor> unbind(const at::Tensor& input, int64_t axis) {
  PHI_OP_TRY
  if (const PlainTensor plain(input); plain) return Unbound(plain, UnboundAxis(plain.sizes(), axis));
  return input.unbind(UnboundAxis(Dims(input), axis));
  PHI_OP_CATCH("phi::unbind")
}

at::Tensor unsqueeze(const at::Tensor& x, c10::SymIntArrayRef axis) {
  PHI_OP_TRY
  if (const PlainTensor plain(x, axis); plain) {
    return ViewOf(plain, UnsqueezedView(plain.sizes(), plain.strides(), plain.argument()));
  }
  at::Tensor view = x;
  for (const int64_t place : InsertedAxes(Ints(axis), static_cast<int>(x.dim()))) view = view.unsqueeze(place);
  return axis.empty() ? x.alias() : view;
  PHI_OP_CATCH("phi::unsqueeze")
}

}  // namespace phi::torch_bridge
