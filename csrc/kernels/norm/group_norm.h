// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "infermeta/pooling.h"
#include "kernels/layer_norm_grad_kernel.h"
#include "kernels/layer_norm_kernel.h"
#include "primitive/cast.h"
#include "primitive/copy_nd.h"
#include "primitive/elementwise.h"
#include "primitive/fill.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/reduction.h"
#ifndef PHI_DEVICE_CODE
#include "kernels/funcs/group_norm_cpu.h"
#endif

namespace phi {
namespace funcs {

struct ScaleShiftFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V scale, V bias) const {
    return x * scale + bias;
  }
};

struct ProductFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return x * y;
  }
};

template <typename C>
struct HatGradFunctor {  // (x - mean) / std times the gradient
  C epsilon;
  template <typename V>
  HOSTDEVICE V operator()(V x, V mean, V variance, V grad) const {
    return (x - mean) / math::Sqrt(variance + V(epsilon)) * grad;
  }
};

// Images as [batch, groups, channels of a group, pixels], where the normalization is that of the rows of a matrix.
template <typename T, typename Context>
class Groups {
 public:
  using C = primitive::ComputeType<T>;

  Groups(const Context& dev_ctx, const DDim& dims, int groups, const std::string& data_format)
      : dev_ctx_(dev_ctx), last_(IsChannelLast(data_format)) {
    const int rank = dims.size();
    const int64_t channels = dims[last_ ? rank - 1 : 1], batch = dims[0];
    const int64_t pixels = product(slice_ddim(dims, last_ ? 1 : 2, last_ ? rank - 1 : rank));
    split_ = {batch, groups, channels / groups, pixels};
    matrix_ = {batch * groups, channels / groups * pixels};
  }

  const DDim& split() const { return split_; }
  bool last() const { return last_; }
  DenseTensor Matrix(const DenseTensor& x) const { return primitive::ViewOf(x, matrix_); }
  // Statistics of a row, as they broadcast.
  DenseTensor OfGroups(const DenseTensor& x) const { return primitive::ViewOf(x, {split_[0], split_[1], 1, 1}); }

  // The channels before the pixels.
  DenseTensor First(const DenseTensor& x) const {
    if (!last_) return primitive::ViewOf(x, split_);
    DenseTensor out = Empty();
    primitive::Copy(dev_ctx_, primitive::ViewOf(x, split_, Strides()), &out);
    return out;
  }
  // Where a result that is to be in the order of `out` is computed.
  DenseTensor Result(DenseTensor* out) const {
    dev_ctx_.template Alloc<T>(out);
    return last_ ? Empty() : primitive::ViewOf(*out, split_);
  }
  void Finish(const DenseTensor& result, DenseTensor* out) const {
    if (!last_ || result.numel() == 0) return;
    DenseTensor view = primitive::ViewOf(*out, split_, Strides());
    primitive::Copy(dev_ctx_, result, &view);
  }
  // A parameter of each channel in x's type, or `value` without one.
  DenseTensor OfChannels(const paddle::optional<DenseTensor>& param, double value) const {
    DenseTensor out;
    out.Resize({1, split_[1], split_[2], 1});
    if (!param) {
      dev_ctx_.template Alloc<T>(&out);
      if (out.numel() > 0) primitive::FillWith(dev_ctx_, Scalar(value), &out);
      return out;
    }
    primitive::CastTo(dev_ctx_, primitive::ViewOf(*param, out.dims()), CppTypeToDataType<T>::Type(), &out);
    return out;
  }
  DenseTensor Empty() const { return primitive::EmptyTensor<T>(dev_ctx_, split_); }
  // Sums over batch and pixels.
  void SumChannels(const DenseTensor& x, DenseTensor* out) const {
    primitive::AxisSet axes;
    for (int axis : {0, 3}) axes.Add(axis);
    dev_ctx_.Alloc(out, out->dtype());
    DenseTensor sums = primitive::ViewOf(*out, {split_[1], split_[2]});
    primitive::Reduce(dev_ctx_, primitive::ReduceOp::kSum, x, axes, out->dtype(), &sums);
  }

 private:
  // Those of split() in memory with the channels last.
  DDim Strides() const {
    const int64_t channels = split_[1] * split_[2];
    return {split_[3] * channels, split_[2], 1, channels};
  }

  const Context& dev_ctx_;
  bool last_;
  DDim split_, matrix_;
};

}  // namespace funcs

// Each group of channels of an image is a row of layer_norm; scale and bias come after it.
template <typename T, typename Context>
void GroupNormKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const paddle::optional<DenseTensor>& scale,
                     const paddle::optional<DenseTensor>& bias,
                     double epsilon,
                     int groups,
                     const std::string& data_format,
                     DenseTensor* y,
                     DenseTensor* mean,
                     DenseTensor* variance) {
  const funcs::Groups<T, Context> images(dev_ctx, x.dims(), groups, data_format);
#ifndef PHI_DEVICE_CODE
  using Acc = primitive::Acc<T>;
  if (const funcs::GroupShape shape(images.split()); !images.last() && shape.HasLongRows() && x.numel() > 0) {
    Acc* means = mean ? dev_ctx.template Alloc<Acc>(mean) : nullptr;
    Acc* variances = variance ? dev_ctx.template Alloc<Acc>(variance) : nullptr;
    T* result = dev_ctx.template Alloc<T>(y);
    return funcs::GroupNormOnCpu(
        dev_ctx, shape, x.data<T>(), scale.get_ptr(), bias.get_ptr(), epsilon, result, means, variances);
  }
#endif
  const DenseTensor from = images.First(x);
  DenseTensor result = images.Result(y);
  DenseTensor rows = images.Matrix(result);
  LayerNormKernel<T, Context>(
      dev_ctx, images.Matrix(from), paddle::none, paddle::none, epsilon, 1, &rows, mean, variance);
  if (scale || bias) {
    primitive::ElementwiseTernary<T>(
        dev_ctx, result, images.OfChannels(scale, 1), images.OfChannels(bias, 0), &result, funcs::ScaleShiftFunctor());
  }
  images.Finish(result, y);
}

// A null gradient is not computed.
template <typename T, typename Context>
void GroupNormGradKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const paddle::optional<DenseTensor>& scale,
                         const paddle::optional<DenseTensor>& bias,
                         const DenseTensor& mean,
                         const DenseTensor& variance,
                         const DenseTensor& y_grad,
                         double epsilon,
                         int groups,
                         const std::string& data_format,
                         DenseTensor* x_grad,
                         DenseTensor* scale_grad,
                         DenseTensor* bias_grad) {
  using C = primitive::ComputeType<T>;
  const funcs::Groups<T, Context> images(dev_ctx, x.dims(), groups, data_format);
#ifndef PHI_DEVICE_CODE
  using Acc = primitive::Acc<T>;
  if (const funcs::GroupShape shape(images.split()); !images.last() && shape.HasLongRows() && x.numel() > 0) {
    T* result = x_grad ? dev_ctx.template Alloc<T>(x_grad) : nullptr;
    return funcs::GroupNormGradOnCpu(dev_ctx,
                                     shape,
                                     x.data<T>(),
                                     y_grad.data<T>(),
                                     scale.get_ptr(),
                                     mean.data<Acc>(),
                                     variance.data<Acc>(),
                                     epsilon,
                                     result,
                                     scale_grad,
                                     bias_grad);
  }
#endif
  const DenseTensor from = images.First(x), grad = images.First(y_grad);
  if (x_grad) {
    DenseTensor weighted = grad, result = images.Result(x_grad);
    if (scale) {
      weighted = images.Empty();
      primitive::ElementwiseBinary<T>(dev_ctx, grad, images.OfChannels(scale, 1), &weighted, funcs::ProductFunctor());
    }
    DenseTensor rows = images.Matrix(result);
    LayerNormGradKernel<T, Context>(dev_ctx,
                                    images.Matrix(from),
                                    paddle::none,
                                    paddle::none,
                                    primitive::ViewOf(mean, {mean.numel()}),
                                    primitive::ViewOf(variance, {mean.numel()}),
                                    images.Matrix(weighted),
                                    epsilon,
                                    1,
                                    &rows,
                                    nullptr,
                                    nullptr);
    images.Finish(result, x_grad);
  }
  if (scale_grad) {
    DenseTensor products = primitive::EmptyTensor<C>(dev_ctx, images.split());
    primitive::Elementwise<C, T, C, C, T>(dev_ctx,
                                          &products,
                                          funcs::HatGradFunctor<C>{static_cast<C>(epsilon)},
                                          from,
                                          images.OfGroups(mean),
                                          images.OfGroups(variance),
                                          grad);
    images.SumChannels(products, scale_grad);
  }
  if (bias_grad) images.SumChannels(grad, bias_grad);
}

}  // namespace phi
