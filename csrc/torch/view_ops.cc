// SPDX-License-Identifier: Apache-2.0
#include "torch/view_ops.h"

#include <ATen/TensorUtils.h>

#include "infermeta/all.h"
#include "torch/call.h"
#include "torch/errors.h"
#include "torch/plain_view.h"

// The shapes of the results, and all checks, come from the InferMeta functions of the ops. A plain tensor's view is
// made here, which takes half of the time; all others are made by ATen.
namespace phi::torch_bridge {

using c10::SymInt;

namespace {

BasicDDim<SymInt> Dims(const at::Tensor& x) { return BasicDDim<SymInt>(x.sym_sizes().data(), x.dim()); }

IntArrayBase<SymInt> Ints(c10::SymIntArrayRef values) { return IntArrayBase<SymInt>(values.data(), values.size()); }

c10::SymIntArrayRef Ref(const BasicDDim<SymInt>& dims) { return {dims.Get(), static_cast<size_t>(dims.size())}; }

void CheckPerm(const at::Tensor& x, at::IntArrayRef perm) {
  CanonicalPermutation(perm.data(), perm.size(), static_cast<int>(x.dim()));
}

// Gives `x` the sizes and strides of a view of itself.
at::Tensor& Become(at::Tensor& x, const at::Tensor& view) {
  x.as_strided__symint(view.sym_sizes(), view.sym_strides(), view.sym_storage_offset());
  return x;
}

// A contiguous tensor needs no torch call to find out that it is a view, and a plain one no ATen to be copied.
at::Tensor Reshaped(const at::Tensor& x, const BasicDDim<SymInt>& dims) {
  const bool is_view = !x.unsafeGetTensorImpl()->has_symbolic_sizes_strides() && x.is_contiguous();
  if (is_view) return x.view_symint(Ref(dims));
  if (!CopiesPlainly(x) || x.numel() == 0) return x.reshape_symint(Ref(dims));
  const c10::IntArrayRef sizes = C10_AS_INTARRAYREF_SLOW(Ref(dims));
  if (at::detail::computeStride(x.sizes(), x.strides(), sizes).has_value()) return x.view(sizes);
  at::Tensor copy = Contiguous(x);
  copy.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return copy;
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
  if (const PlainTensor plain(x, axis); plain) {
    const auto dropped = SqueezedAxes(plain.sizes(), plain.argument());
    return plain.View(WithoutAxes(plain.sizes(), dropped), WithoutAxes(plain.strides(), dropped));
  }
  return Drop(x, SqueezedAxes(Dims(x), Ints(axis)));
}

void Insert(DDim* dims, int place, int64_t value) {
  dims->push_back(value);
  for (int i = dims->size() - 1; i > place; --i) (*dims)[i] = (*dims)[i - 1];
  (*dims)[place] = value;
}

at::Tensor Unsqueezed(const at::Tensor& x, c10::SymIntArrayRef axis) {
  if (const PlainTensor plain(x, axis); plain) {
    DDim sizes = plain.sizes();
    DDim strides = plain.strides();
    for (const int64_t at : InsertedAxes(plain.argument(), sizes.size())) {
      const int place = static_cast<int>(at);
      Insert(&strides, place, place < sizes.size() ? sizes[place] * strides[place] : 1);
      Insert(&sizes, place, 1);
    }
    return plain.View(sizes, strides);
  }
  at::Tensor view = x;
  for (const int64_t place : InsertedAxes(Ints(axis), static_cast<int>(x.dim()))) view = view.unsqueeze(place);
  return axis.empty() ? x.alias() : view;
}

DDim ExpandedStrides(const PlainTensor& x, const DDim& sizes) {
  DDim strides = sizes;
  for (int i = sizes.size() - 1, own = x.sizes().size() - 1; i >= 0; --i, --own) {
    const bool repeats = sizes[i] != (own < 0 ? 1 : x.sizes()[own]);
    strides[i] = repeats ? 0 : own >= 0 ? x.strides()[own] : i + 1 < sizes.size() ? sizes[i + 1] * strides[i + 1] : 1;
  }
  return strides;
}

std::vector<at::Tensor> Unbound(const PlainTensor& x, int axis) {
  AxisFlags<int64_t> dropped = {};
  dropped[axis] = true;
  const DDim sizes = WithoutAxes(x.sizes(), dropped);
  const DDim strides = WithoutAxes(x.strides(), dropped);
  std::vector<at::Tensor> views;
  views.reserve(x.sizes()[axis]);
  for (int64_t i = 0; i < x.sizes()[axis]; ++i) views.push_back(x.View(sizes, strides, i * x.strides()[axis], true));
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
    const DDim sizes = ExpandedDims(plain.sizes(), plain.argument());
    return plain.View(sizes, ExpandedStrides(plain, sizes));
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

at::Tensor& flatten_(at::Tensor& x, int64_t start_axis, int64_t stop_axis) {
  PHI_OP_TRY
  return Become(x, x.view_symint(Ref(FlattenedDims(Dims(x), start_axis, stop_axis))));
  PHI_OP_CATCH("phi::flatten_")
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
  if (const PlainTensor plain(x); plain) {
    const DDim axes = CanonicalPermutation(perm.data(), perm.size(), plain.sizes().size());
    DDim sizes = axes;
    DDim strides = axes;
    for (int i = 0; i < axes.size(); ++i) {
      sizes[i] = plain.sizes()[axes[i]];
      strides[i] = plain.strides()[axes[i]];
    }
    return plain.View(sizes, strides);
  }
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
  if (const PlainTensor plain(input); plain) return Unbound(plain, UnboundAxis(plain.sizes(), axis));
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
