// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/interp_source.h"
#include "primitive/convert.h"
#include "primitive/copy_nd.h"
#include "primitive/for_each.h"
#include "primitive/loop/tensor_view.h"

namespace phi {
namespace funcs {

// The pixels next to a position, the first of which may be before the image, and what each of them weighs.
template <typename C>
struct CubicTaps {
  int64_t first;
  C weights[4];
};

// One axis of images [outer, in, inner].
struct CubicAxis {
  int64_t outer;
  int64_t in;
  int64_t out;
  int64_t inner;
  float ratio;
  bool align_corners;

  CubicAxis(const InterpAxis& axis, int64_t outer, int64_t inner)
      : outer(outer), in(axis.in), out(axis.out), inner(inner), ratio(axis.ratio), align_corners(axis.align_corners) {}

  HOSTDEVICE double Position(int64_t j) const {
    const double r = static_cast<double>(ratio), k = static_cast<double>(j);
    return align_corners ? static_cast<double>(static_cast<float>(r * k)) : r * (k + 0.5) - 0.5;  // as Paddle rounds it
  }
  HOSTDEVICE int64_t First(int64_t j) const { return static_cast<int64_t>(std::floor(Position(j))) - 1; }
  HOSTDEVICE int64_t Inside(int64_t i) const { return i < 0 ? 0 : i < in ? i : in - 1; }

  // Keys' kernel with a = -0.75.
  template <typename C>
  HOSTDEVICE CubicTaps<C> At(int64_t j) const {
    const double position = Position(j), t = position - std::floor(position);
    const double weights[4] = {Far(t + 1), Near(t), Near(1 - t), Far(2 - t)};
    CubicTaps<C> taps{First(j), {}};
    for (int k = 0; k < 4; ++k) taps.weights[k] = static_cast<C>(weights[k]);
    return taps;
  }

  HOSTDEVICE static double Near(double d) { return (1.25 * d - 2.25) * d * d + 1; }
  HOSTDEVICE static double Far(double d) { return ((-0.75 * d + 3.75) * d - 6) * d + 3; }

  // The first output whose taps begin at `first` or after it.
  HOSTDEVICE int64_t OutputFrom(int64_t first) const {
    int64_t low = 0, high = out;
    while (low < high) {
      const int64_t middle = (low + high) / 2;
      First(middle) < first ? low = middle + 1 : high = middle;
    }
    return low;
  }
};

// to [outer, out, inner], from [outer, in, inner].
template <typename From, typename To, typename Context>
void CubicAlong(const Context& dev_ctx, const CubicAxis& axis, const From* from, To* to) {
  using C = primitive::ComputeType<To>;
  primitive::ForEachRun(
      dev_ctx, axis.outer * axis.out, axis.inner, [=] HOSTDEVICE(int64_t row, int64_t begin, int64_t end) {
        const CubicTaps<C> taps = axis.template At<C>(row % axis.out);
        const From* image = from + row / axis.out * axis.in * axis.inner;
        const From* rows[4];
        for (int k = 0; k < 4; ++k) rows[k] = image + axis.Inside(taps.first + k) * axis.inner;
        for (int64_t i = begin; i < end; ++i) {
          C sum = 0;
          for (int k = 0; k < 4; ++k) sum += taps.weights[k] * static_cast<C>(primitive::ToCompute(rows[k][i]));
          to[row * axis.inner + i] = primitive::Convert<To>(sum);
        }
      });
}

// The adjoint: each pixel of `to` [outer, in, inner] collects from the outputs that it has a part in.
template <typename From, typename To, typename Context>
void CubicGradAlong(const Context& dev_ctx, const CubicAxis& axis, const From* from, To* to) {
  using C = primitive::ComputeType<To>;
  primitive::ForEachRun(
      dev_ctx, axis.outer * axis.in, axis.inner, [=] HOSTDEVICE(int64_t row, int64_t begin, int64_t end) {
        const int64_t pixel = row % axis.in;
        // what is outside of the image counts for its first or last pixel
        const int64_t low = pixel == 0 ? 0 : axis.OutputFrom(pixel - 3);
        const int64_t high = pixel == axis.in - 1 ? axis.out : axis.OutputFrom(pixel + 1);
        const From* grads = from + row / axis.in * axis.out * axis.inner;
        constexpr int64_t kBlock = 64;  // sums at a time, for which a weight is found once
        for (int64_t block = begin; block < end; block += kBlock) {
          const int64_t n = end - block < kBlock ? end - block : kBlock;
          C sums[kBlock] = {};
          for (int64_t j = low; j < high; ++j) {
            const CubicTaps<C> taps = axis.template At<C>(j);
            C weight = 0;
            for (int k = 0; k < 4; ++k) weight += axis.Inside(taps.first + k) == pixel ? taps.weights[k] : C(0);
            const From* some = grads + j * axis.inner + block;
            for (int64_t i = 0; i < n; ++i) sums[i] += weight * static_cast<C>(primitive::ToCompute(some[i]));
          }
          for (int64_t i = 0; i < n; ++i) to[row * axis.inner + block + i] = primitive::Convert<To>(sums[i]);
        }
      });
}

}  // namespace funcs

// Images of another size: each pixel is a sum of 16 of `x`. The size of `output` is set here where a tensor says it.
template <typename T, typename Context>
void BicubicInterpKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const paddle::optional<DenseTensor>& out_size,
                         const paddle::optional<std::vector<const DenseTensor*>>& size_tensor,
                         const paddle::optional<DenseTensor>& scale_tensor,
                         const std::string& data_format,
                         int out_d,
                         int out_h,
                         int out_w,
                         const std::vector<double>& scale,
                         const std::string& interp_method,
                         bool align_corners,
                         int align_mode,
                         DenseTensor* output) {
  using C = primitive::ComputeType<T>;
  const funcs::InterpSource source{out_size, size_tensor, scale_tensor, {out_d, out_h, out_w}, scale};
  const funcs::InterpMethod method{data_format, interp_method, align_corners, align_mode};
  const int first = method.first_axis();
  const funcs::InterpSizes sizes = source.Read(x.dims(), first);
  const funcs::InterpShape shape = method.Shape(x.dims(), sizes);
  DDim dims = x.dims();
  for (int i = 0; i < 2; ++i) dims[first + i] = sizes.out[i];
  if (output->dims() != dims) output->Resize(dims);
  T* out = dev_ctx.template Alloc<T>(output);
  if (shape.IsCopy()) return primitive::Copy(dev_ctx, x, output);
  if (shape.OutSize() == 0) return;
  DenseTensor wide = primitive::EmptyTensor<C>(dev_ctx, {shape.planes, shape.height.in, shape.width.out, shape.inner});
  const funcs::CubicAxis width(shape.width, shape.planes * shape.height.in, shape.inner);
  const funcs::CubicAxis height(shape.height, shape.planes, shape.width.out * shape.inner);
  funcs::CubicAlong(dev_ctx, width, x.data<T>(), wide.data<C>());
  funcs::CubicAlong(dev_ctx, height, wide.data<C>(), out);
}

template <typename T, typename Context>
void BicubicInterpGradKernel(const Context& dev_ctx,
                             const DenseTensor& x,
                             const paddle::optional<DenseTensor>& out_size,
                             const paddle::optional<std::vector<const DenseTensor*>>& size_tensor,
                             const paddle::optional<DenseTensor>& scale_tensor,
                             const DenseTensor& output_grad,
                             const std::string& data_format,
                             int out_d,
                             int out_h,
                             int out_w,
                             const std::vector<double>& scale,
                             const std::string& interp_method,
                             bool align_corners,
                             int align_mode,
                             DenseTensor* x_grad) {
  using C = primitive::ComputeType<T>;
  const funcs::InterpSource source{out_size, size_tensor, scale_tensor, {out_d, out_h, out_w}, scale};
  const funcs::InterpMethod method{data_format, interp_method, align_corners, align_mode};
  const int first = method.first_axis();
  funcs::InterpSizes sizes = source.Read(x.dims(), first);
  for (int i = 0; i < 2; ++i) sizes.out[i] = output_grad.dims()[first + i];
  const funcs::InterpShape shape = method.Shape(x.dims(), sizes);
  T* grad = dev_ctx.template Alloc<T>(x_grad);
  if (shape.IsCopy()) return primitive::Copy(dev_ctx, output_grad, x_grad);
  if (shape.InSize() == 0) return;
  DenseTensor low = primitive::EmptyTensor<C>(dev_ctx, {shape.planes, shape.height.in, shape.width.out, shape.inner});
  const funcs::CubicAxis width(shape.width, shape.planes * shape.height.in, shape.inner);
  const funcs::CubicAxis height(shape.height, shape.planes, shape.width.out * shape.inner);
  funcs::CubicGradAlong(dev_ctx, height, output_grad.data<T>(), low.data<C>());
  funcs::CubicGradAlong(dev_ctx, width, low.data<C>(), grad);
}

}  // namespace phi
