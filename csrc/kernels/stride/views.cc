// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/stride/view.h"
#include "primitive/copy_nd.h"
#include "primitive/loop/tensor_view.h"

// The view operators without a copy, on any backend: their kernels of the layout STRIDED. The result shares the memory
// of the input.
namespace phi {

namespace {

void MakeView(const DenseTensor& x, const StridedView& view, DenseTensor* out) {
  const DenseTensor viewed = primitive::ViewOf(x, view.sizes, view.strides, view.offset);
  out->ShareBufferWith(x);  // its owner
  out->set_meta(viewed.meta());
  out->Borrow(x.place(), const_cast<void*>(viewed.data()));
}

void MakeReshaped(const DeviceContext& dev_ctx, const DenseTensor& x, const DDim& shape, DenseTensor* out) {
  if (const auto view = ReshapedView(x.dims(), x.strides(), shape)) return MakeView(x, *view, out);
  DenseTensor copy;
  copy.Resize(x.dims());
  primitive::Copy(dev_ctx, x, &copy);
  MakeView(copy, {shape, contiguous_strides(shape)}, out);
}

}  // namespace

template <typename Context>
void ExpandStridedKernel(const Context&, const DenseTensor& x, const IntArray& shape, DenseTensor* out) {
  MakeView(x, ExpandedView(x.dims(), x.strides(), shape), out);
}

template <typename Context>
void FlattenStridedKernel(
    const Context& dev_ctx, const DenseTensor& x, int start_axis, int stop_axis, DenseTensor* out) {
  MakeReshaped(dev_ctx, x, FlattenedDims(x.dims(), start_axis, stop_axis), out);
}

template <typename Context>
void ReshapeStridedKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& shape, DenseTensor* out) {
  MakeReshaped(dev_ctx, x, ReshapedDims(x.dims(), shape), out);
}

template <typename Context>
void SliceStridedKernel(const Context&,
                        const DenseTensor& input,
                        const std::vector<int64_t>& axes,
                        const IntArray& starts,
                        const IntArray& ends,
                        const std::vector<int64_t>& infer_flags,
                        const std::vector<int64_t>& decrease_axis,
                        DenseTensor* out) {
  MakeView(input, SlicedView(input.strides(), MakeSlicedPart(input.dims(), axes, starts, ends, decrease_axis)), out);
}

template <typename Context>
void SqueezeStridedKernel(const Context&, const DenseTensor& x, const IntArray& axis, DenseTensor* out) {
  MakeView(x, SqueezedView(x.dims(), x.strides(), axis), out);
}

template <typename Context>
void TransposeStridedKernel(const Context&, const DenseTensor& x, const std::vector<int>& perm, DenseTensor* out) {
  MakeView(x, TransposedView(x.dims(), x.strides(), CanonicalPermutation(perm, x.dims().size())), out);
}

template <typename Context>
void UnbindStridedKernel(const Context&, const DenseTensor& input, int axis, std::vector<DenseTensor*> out) {
  const int along = UnboundAxis(input.dims(), axis);
  StridedView view = UnboundView(input.dims(), input.strides(), along);
  for (DenseTensor* piece : out) {
    if (piece != nullptr) MakeView(input, view, piece);
    view.offset += input.strides()[along];
  }
}

template <typename Context>
void UnsqueezeStridedKernel(const Context&, const DenseTensor& x, const IntArray& axis, DenseTensor* out) {
  MakeView(x, UnsqueezedView(x.dims(), x.strides(), axis), out);
}

}  // namespace phi

PD_REGISTER_KERNEL_FOR_ALL_DTYPE(expand, ALL_BACKEND, STRIDED, phi::ExpandStridedKernel) {}
PD_REGISTER_KERNEL_FOR_ALL_DTYPE(flatten, ALL_BACKEND, STRIDED, phi::FlattenStridedKernel) {}
PD_REGISTER_KERNEL_FOR_ALL_DTYPE(reshape, ALL_BACKEND, STRIDED, phi::ReshapeStridedKernel) {}
PD_REGISTER_KERNEL_FOR_ALL_DTYPE(slice, ALL_BACKEND, STRIDED, phi::SliceStridedKernel) {}
PD_REGISTER_KERNEL_FOR_ALL_DTYPE(squeeze, ALL_BACKEND, STRIDED, phi::SqueezeStridedKernel) {}
PD_REGISTER_KERNEL_FOR_ALL_DTYPE(transpose, ALL_BACKEND, STRIDED, phi::TransposeStridedKernel) {}
PD_REGISTER_KERNEL_FOR_ALL_DTYPE(unbind, ALL_BACKEND, STRIDED, phi::UnbindStridedKernel) {}
PD_REGISTER_KERNEL_FOR_ALL_DTYPE(unsqueeze, ALL_BACKEND, STRIDED, phi::UnsqueezeStridedKernel) {}
