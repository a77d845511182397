// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "primitive/copy_nd.h"
#include "primitive/for_each.h"
#include "primitive/loop/copy_run.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/scatter.h"

namespace phi {

namespace detail {

enum class PadMode : uint8_t { kConstant, kReflect, kReplicate, kCircular };

// An axis of an image with `before` places in front of its `size` elements; a negative number of them cuts some off.
struct PaddedAxis {
  int64_t before = 0;
  int64_t size = 0;
  int64_t padded = 0;

  // The element that a place has, or -1 for the constant.
  HOSTDEVICE int64_t Source(PadMode mode, int64_t place) const {
    const int64_t i = place - before;
    if (i >= 0 && i < size) return i;
    if (mode == PadMode::kReflect) return i < 0 ? -i : 2 * (size - 1) - i;
    if (mode == PadMode::kReplicate) return i < 0 ? 0 : size - 1;
    return mode == PadMode::kConstant ? -1 : (i % size + size) % size;
  }
};

// Images [outer, depth, height, width, inner].
struct Padding3d {
  PadMode mode;
  PaddedAxis depth;
  PaddedAxis height;
  PaddedAxis width;
  int64_t outer;
  int64_t inner;

  Padding3d(const DDim& x, const IntArray& paddings, const std::string& name, const std::string& data_format)
      : mode(name == "constant"    ? PadMode::kConstant
             : name == "reflect"   ? PadMode::kReflect
             : name == "replicate" ? PadMode::kReplicate
                                   : PadMode::kCircular) {
    const int first = data_format == "NCDHW" ? 2 : 1;
    const auto axis = [&](int i) {
      const int64_t before = paddings[4 - 2 * i];
      return PaddedAxis{before, x[first + i], before + x[first + i] + paddings[5 - 2 * i]};
    };
    depth = axis(0);
    height = axis(1);
    width = axis(2);
    outer = product(slice_ddim(x, 0, first));
    inner = product(slice_ddim(x, first + 3, 5));
  }

  int64_t size() const { return depth.size * height.size * width.size; }
  int64_t padded() const { return depth.padded * height.padded * width.padded; }
  DDim dims() const { return {outer, depth.padded, height.padded, width.padded, inner}; }
};

constexpr int64_t kMostOfRun = 1 << 15;  // elements, less than are worth a thread

// The elements [begin, end) of a row whose source is `from`; null if it is of the constant.
template <typename T>
HOSTDEVICE void PadRow(const Padding3d& p, const T* from, int64_t begin, int64_t end, T constant, T* to) {
  if (from == nullptr) {
    for (int64_t i = begin; i < end; ++i) to[i] = constant;
    return;
  }
  const auto edge = [&](int64_t i) {
    const int64_t place = p.inner == 1 ? i : i / p.inner;
    const int64_t w = p.width.Source(p.mode, place);
    to[i] = w < 0 ? constant : from[w * p.inner + i - place * p.inner];
  };
  const int64_t shift = p.width.before * p.inner;
  const int64_t lo = shift < begin ? begin : shift < end ? shift : end;
  const int64_t size = shift + p.width.size * p.inner;
  const int64_t hi = size < lo ? lo : size < end ? size : end;
  for (int64_t i = begin; i < lo; ++i) edge(i);
  primitive::CopyRun(from + (lo - shift), to + lo, hi - lo);
  for (int64_t i = hi; i < end; ++i) edge(i);
}

}  // namespace detail

template <typename T, typename Context>
void Pad3dKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 const IntArray& paddings,
                 const std::string& mode,
                 double pad_value,
                 const std::string& data_format,
                 DenseTensor* out) {
  const detail::Padding3d p(x.dims(), paddings, mode, data_format);
  const T* data = x.data<T>();
  T* result = dev_ctx.template Alloc<T>(out);
  const T constant = static_cast<T>(pad_value);
  if (out->numel() == 0) return;
  const int64_t source_width = p.width.size * p.inner;
  const int64_t width = p.width.padded * p.inner;
  const int64_t slabs = p.outer * p.depth.padded;
  const int64_t together = p.height.padded * width > detail::kMostOfRun ? 1 : p.height.padded;  // rows of a run
  const int64_t runs = slabs * (p.height.padded / together);
  primitive::ForEachRun(dev_ctx, runs, together * width, [=] HOSTDEVICE(int64_t run, int64_t begin, int64_t end) {
    const int64_t slab = together == 1 ? run / p.height.padded : run;
    const int64_t image = p.depth.padded == 1 ? slab : slab / p.depth.padded;  // no division for images in a plane
    const int64_t d = p.depth.Source(p.mode, slab - image * p.depth.padded);
    const int64_t source = (image * p.depth.size + d) * p.height.size;  // the first row of the slab's source, if any
    const int64_t above = run * together - slab * p.height.padded;      // rows before the run in its slab
    for (int64_t row = begin / width; row * width < end; ++row) {
      const int64_t h = d < 0 ? -1 : p.height.Source(p.mode, above + row);
      const int64_t first = begin < row * width ? 0 : begin - row * width;
      const int64_t last = end - row * width < width ? end - row * width : width;
      T* const to = result + (run * together + row) * width;
      detail::PadRow(p, h < 0 ? nullptr : data + (source + h) * source_width, first, last, constant, to);
    }
  });
}

// For each element of x the sum of out_grad where it was put. Of x only the shape is read.
template <typename T, typename Context>
void Pad3dGradKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const DenseTensor& out_grad,
                     const IntArray& paddings,
                     const std::string& mode,
                     double,
                     const std::string& data_format,
                     DenseTensor* x_grad) {
  const detail::Padding3d p(x.dims(), paddings, mode, data_format);
  dev_ctx.template Alloc<T>(x_grad);
  if (x_grad->numel() == 0) return;
  if (p.mode == detail::PadMode::kConstant && *std::min_element(paddings.begin(), paddings.end()) >= 0) {
    const DDim strides = contiguous_strides(p.dims());
    const int64_t first = p.depth.before * strides[1] + p.height.before * strides[2] + p.width.before * strides[3];
    const DDim dims{p.outer, p.depth.size, p.height.size, p.width.size, p.inner};
    DenseTensor whole = primitive::ViewOf(*x_grad, dims);
    return primitive::Copy(dev_ctx, primitive::ViewOf(out_grad, dims, strides, first), &whole);
  }
  DenseTensor places = primitive::EmptyTensor<int64_t>(dev_ctx, {p.padded()});
  int64_t* to = places.data<int64_t>();
  const int64_t none = p.size();
  primitive::ForEach(dev_ctx, p.padded(), [=] HOSTDEVICE(int64_t i) {
    const int64_t row = i / p.width.padded;
    const int64_t slab = row / p.height.padded;
    const int64_t d = p.depth.Source(p.mode, slab);
    const int64_t h = p.height.Source(p.mode, row - slab * p.height.padded);
    const int64_t w = p.width.Source(p.mode, i - row * p.width.padded);
    to[i] = d < 0 || h < 0 || w < 0 ? none : (d * p.height.size + h) * p.width.size + w;
  });
  const primitive::LookupTable table{"paddings", p.outer, p.size(), p.inner, false, none};
  GetPrimitive<primitive::ScatterSum>(dev_ctx, out_grad.dtype())(dev_ctx, table, places, out_grad, x_grad);
}

}  // namespace phi
