// SPDX-License-Identifier: Apache-2.0
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/TensorUtils.h>

#include <algorithm>
#include <numeric>

#include "infermeta/parts.h"
#include "infermeta/view_dims.h"
#include "torch/errors.h"
#include "torch/views/view_arguments.h"
#include "torch/views/view_ops.h"

// The view operators in place: the tensor itself takes another shape.
namespace phi::torch_bridge {

using c10::SymInt;
using view_arguments::ChosenAxes;
using view_arguments::Dims;
using view_arguments::Ints;
using view_arguments::Ref;

namespace {

bool IsWhole(const at::Tensor& x) {
  return x.sym_storage_offset() == 0 && x.is_contiguous() && x.sym_numel() * x.itemsize() == x.storage().sym_nbytes();
}

// Gives `x` the shape of a view of itself, for which torch has no in-place operator but as_strided_.
at::Tensor& TakeShape(const char* op, at::Tensor& x, const BasicDDim<SymInt>& dims) {
  const c10::SymIntArrayRef sizes = Ref(dims);
  TORCH_CHECK(at::detail::computeStride(x.sym_sizes(), x.sym_strides(), c10::SymDimVector(sizes.begin(), sizes.end())),
              op,
              ": argument 'x': expected strides with which ",
              sizes,
              " is a shape of the same memory, got the shape ",
              x.sym_sizes(),
              " with the strides ",
              x.sym_strides(),
              ". Use the form that is not in place, which copies.");
  const at::Tensor view = x.view_symint(sizes);
  // When it is written later, functionalization scatters into memory that begins at the part and ends with it. Dynamo
  // takes a TypeError about an argument for an end of its graph, and runs the call by itself.
  const bool is_traced =
      x.unsafeGetTensorImpl()->is_python_dispatch() || at::functionalization::impl::isFunctionalTensor(x);
  TORCH_CHECK_TYPE(
      !is_traced || IsWhole(x),
      op,
      ": argument 'x' is a part of another tensor, whose shape cannot change in a traced graph. Use the form "
      "that is not in place.");
  x.as_strided__symint(view.sym_sizes(), view.sym_strides(), view.sym_storage_offset());
  return x;
}

// Written in place, with nothing changed: the version counts all the same, as in ATen's operators.
at::Tensor& Touched(at::Tensor& x) { return x.transpose_(0, 0); }

}  // namespace

at::Tensor& flatten_(at::Tensor& x, int64_t start_axis, int64_t stop_axis) {
  PHI_OP_TRY
  return TakeShape("phi::flatten_", x, FlattenedDims(Dims(x), start_axis, stop_axis));
  PHI_OP_CATCH("phi::flatten_")
}

at::Tensor& reshape_(at::Tensor& x, c10::SymIntArrayRef shape) {
  PHI_OP_TRY
  return TakeShape("phi::reshape_", x, ReshapedDims(Dims(x), Ints(shape)));
  PHI_OP_CATCH("phi::reshape_")
}

at::Tensor& squeeze_(at::Tensor& x, c10::SymIntArrayRef axis) {
  PHI_OP_TRY
  const std::vector<int64_t> axes = ChosenAxes(SqueezedAxes(Dims(x), Ints(axis)), x.dim());
  if (axes.empty()) return Touched(x);
  // One at a time, as ATen's squeeze_ of several copies what has the negative bit.
  for (auto i = axes.rbegin(); i != axes.rend(); ++i) x.squeeze_(*i);
  return x;
  PHI_OP_CATCH("phi::squeeze_")
}

at::Tensor& transpose_(at::Tensor& x, at::IntArrayRef perm) {
  PHI_OP_TRY
  const DDim wanted = CanonicalPermutation(perm.data(), perm.size(), static_cast<int>(x.dim()));
  std::vector<int64_t> axes(wanted.size());
  std::iota(axes.begin(), axes.end(), 0);
  bool changed = false;
  for (int i = 0; i < wanted.size(); ++i) {
    const auto found = std::find(axes.begin() + i, axes.end(), wanted[i]);
    if (found == axes.begin() + i) continue;
    x.transpose_(i, found - axes.begin());
    std::iter_swap(axes.begin() + i, found);
    changed = true;
  }
  return changed ? x : Touched(x);
  PHI_OP_CATCH("phi::transpose_")
}

at::Tensor& unsqueeze_(at::Tensor& x, c10::SymIntArrayRef axis) {
  PHI_OP_TRY
  if (axis.empty()) return Touched(x);
  for (const int64_t place : InsertedAxes(Ints(axis), static_cast<int>(x.dim()))) x.unsqueeze_(place);
  return x;
  PHI_OP_CATCH("phi::unsqueeze_")
}

}  // namespace phi::torch_bridge
