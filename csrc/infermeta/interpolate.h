// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "infermeta/nn.h"

namespace phi {

struct Fraction {
  int64_t numerator;
  int64_t denominator;
};

// The simplest fraction that is `value` but for rounding, by its continued fraction.
inline Fraction ToFraction(double value) {
  Fraction last{0, 1};
  Fraction current{1, 0};
  for (double rest = value;; rest = 1 / (rest - std::floor(rest))) {
    const int64_t whole = static_cast<int64_t>(std::floor(rest));
    const Fraction next{whole * current.numerator + last.numerator, whole * current.denominator + last.denominator};
    last = current;
    current = next;
    const double error = value - static_cast<double>(next.numerator) / static_cast<double>(next.denominator);
    if (std::abs(error) <= 1e-12 * value || next.denominator > 1 << 24) return current;
  }
}

// size * scale, rounded down, in integers: a traced size stays symbolic, and 10 * 1.3 is 13.
template <class Dim>
Dim ScaledSize(const Dim& size, double scale) {
  const Fraction f = ToFraction(scale);
  return size * Dim(f.numerator) / Dim(f.denominator);
}

inline void CheckInterpSize(int64_t size, const char* argument) {
  PADDLE_ENFORCE(size > 0, errors::InvalidArgument("argument '%s': expected a positive size, got %d", argument, size));
}

template <class Dim>
void CheckInterpInts(const char* name, const MetaTensor<Dim>& tensor, int64_t count) {
  PADDLE_ENFORCE(
      tensor.numel() == count && (tensor.dtype() == DataType::INT32 || tensor.dtype() == DataType::INT64),
      errors::InvalidArgument("argument '%s': expected %d elements of int32 or int64, got the shape %s of %s",
                              name,
                              count,
                              tensor.dims(),
                              DataTypeName(tensor.dtype())));
}

// What is wrong in any case; whether tensors decide on the size of the output.
template <class Dim>
bool CheckInterpolation(const MetaTensor<Dim>& x,
                        const MetaTensor<Dim>& out_size,
                        const std::vector<const MetaTensor<Dim>*>& size_tensor,
                        const MetaTensor<Dim>& scale_tensor,
                        const std::vector<double>& scale,
                        const std::string& interp_method,
                        const char* expected_method,
                        int64_t align_mode) {
  PADDLE_ENFORCE(
      interp_method == expected_method,
      errors::InvalidArgument("argument 'interp_method': expected \"%s\", got \"%s\"", expected_method, interp_method));
  PADDLE_ENFORCE(align_mode == 0 || align_mode == 1,
                 errors::InvalidArgument("argument 'align_mode': expected 0 (half pixels) or 1 (whole pixels), got %d",
                                         align_mode));
  PADDLE_ENFORCE(x.dims().size() == 4,
                 errors::InvalidArgument("argument 'x': expected 4 dimensions, got the shape %s", x.dims()));
  PADDLE_ENFORCE(scale.empty() || scale.size() == 2,
                 errors::InvalidArgument("argument 'scale': expected 2 numbers (height, width), got %d", scale.size()));
  for (const double s : scale) {
    PADDLE_ENFORCE(s > 0 && std::isfinite(s),
                   errors::InvalidArgument("argument 'scale': expected positive numbers, got %f", s));
  }
  if (!size_tensor.empty()) {
    PADDLE_ENFORCE(size_tensor.size() == 2,
                   errors::InvalidArgument("argument 'size_tensor': expected 2 tensors (height, width), got %d",
                                           size_tensor.size()));
    for (const MetaTensor<Dim>* size : size_tensor) CheckInterpInts("size_tensor", *size, 1);
  }
  if (out_size) CheckInterpInts("out_size", out_size, 2);
  PADDLE_ENFORCE(!scale_tensor || (scale_tensor.dtype() == DataType::FLOAT32 &&
                                   (scale_tensor.numel() == 1 || scale_tensor.numel() == 2)),
                 errors::InvalidArgument("argument 'scale_tensor': expected 1 or 2 elements of float32"));
  return out_size || !size_tensor.empty() || scale_tensor;
}

// The shape of the output by numbers alone.
template <class Dim>
BasicDDim<Dim> InterpolatedDims(
    const BasicDDim<Dim>& x, bool channels_last, int64_t out_h, int64_t out_w, const std::vector<double>& scale) {
  BasicDDim<Dim> dims = x;
  const int64_t sizes[] = {out_h, out_w};
  const char* const names[] = {"out_h", "out_w"};
  for (int i = 0; i < 2; ++i) {
    const int axis = channels_last ? 1 + i : 2 + i;
    PADDLE_ENFORCE(x[axis] > 0, errors::InvalidArgument("argument 'x': expected images, got the shape %s", x));
    if (scale.empty()) CheckInterpSize(sizes[i], names[i]);
    dims[axis] = scale.empty() ? Dim(sizes[i]) : ScaledSize(x[axis], scale[i]);
    PADDLE_ENFORCE(dims[axis] > 0,
                   errors::InvalidArgument("argument 'scale': %f makes nothing of a size of %d", scale[i], x[axis]));
  }
  return dims;
}

template <class Dim>
void InterpolateInferMeta(const MetaTensor<Dim>& x,
                          const MetaTensor<Dim>& out_size,
                          const std::vector<const MetaTensor<Dim>*>& size_tensor,
                          const MetaTensor<Dim>& scale_tensor,
                          const std::string& data_format,
                          int64_t out_h,
                          int64_t out_w,
                          const std::vector<double>& scale,
                          const std::string& interp_method,
                          int64_t align_mode,
                          const char* expected_method,
                          MetaTensor<Dim>* output) {
  const bool channels_last = IsChannelLast(data_format);
  if (!CheckInterpolation(x, out_size, size_tensor, scale_tensor, scale, interp_method, expected_method, align_mode)) {
    return SetContiguous(InterpolatedDims(x.dims(), channels_last, out_h, out_w, scale), x.dtype(), output);
  }
  if constexpr (std::is_same_v<Dim, int64_t>) {
    BasicDDim<Dim> dims = x.dims();  // the kernel, which reads the tensors, sets the rest
    dims[channels_last ? 1 : 2] = 0;
    SetContiguous(dims, x.dtype(), output);
  } else {
    PADDLE_THROW(errors::InvalidArgument(
        "argument '%s': expected no tensor in a trace, since its values would decide on the shape of the result; pass "
        "'out_h' and 'out_w', or 'scale'",
        out_size              ? "out_size"
        : size_tensor.empty() ? "scale_tensor"
                              : "size_tensor"));
  }
}

template <class Dim>
void NearestInterpInferMeta(const MetaTensor<Dim>& x,
                            const MetaTensor<Dim>& out_size,
                            const std::vector<const MetaTensor<Dim>*>& size_tensor,
                            const MetaTensor<Dim>& scale_tensor,
                            const std::string& data_format,
                            int64_t out_h,
                            int64_t out_w,
                            const std::vector<double>& scale,
                            const std::string& interp_method,
                            int64_t align_mode,
                            MetaTensor<Dim>* output) {
  InterpolateInferMeta(x,
                       out_size,
                       size_tensor,
                       scale_tensor,
                       data_format,
                       out_h,
                       out_w,
                       scale,
                       interp_method,
                       align_mode,
                       "nearest",
                       output);
}

template <class Dim>
void BilinearInterpInferMeta(const MetaTensor<Dim>& x,
                             const MetaTensor<Dim>& out_size,
                             const std::vector<const MetaTensor<Dim>*>& size_tensor,
                             const MetaTensor<Dim>& scale_tensor,
                             const std::string& data_format,
                             int64_t out_h,
                             int64_t out_w,
                             const std::vector<double>& scale,
                             const std::string& interp_method,
                             int64_t align_mode,
                             MetaTensor<Dim>* output) {
  InterpolateInferMeta(x,
                       out_size,
                       size_tensor,
                       scale_tensor,
                       data_format,
                       out_h,
                       out_w,
                       scale,
                       interp_method,
                       align_mode,
                       "bilinear",
                       output);
}

template <class Dim>
void InterpolateGradInferMeta(const MetaTensor<Dim>& x,
                              const MetaTensor<Dim>& output_grad,
                              const std::string& data_format,
                              MetaTensor<Dim>* x_grad) {
  const int channel = IsChannelLast(data_format) ? 3 : 1;
  PADDLE_ENFORCE(
      x.dims().size() == 4 && output_grad.dims().size() == 4 && output_grad.dims(0) == x.dims(0) &&
          output_grad.dims(channel) == x.dims(channel),
      errors::InvalidArgument("argument 'output_grad': expected the batch and channels of 'x' (shape %s, %s), "
                              "got the shape %s",
                              x.dims(),
                              data_format,
                              output_grad.dims()));
  SetContiguous(x.dims(), x.dtype(), x_grad);
}

}  // namespace phi
