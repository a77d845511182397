// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "core/channels_last.h"
#include "core/meta_tensor.h"
#include "infermeta/given.h"
#include "infermeta/interp_size.h"
#include "infermeta/pooling.h"

namespace phi {

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

// The axes of images of 3 to 5 dimensions that are interpolated, as messages name them.
inline const char* InterpAxisNames(int spatial) {
  constexpr const char* kNames[] = {"width", "height, width", "depth, height, width"};
  return kNames[spatial - 1];
}

// The tensors that say a size; whether there is one.
template <class Dim>
bool CheckInterpTensors(int spatial,
                        const MetaTensor<Dim>& out_size,
                        const std::vector<const MetaTensor<Dim>*>& size_tensor,
                        const MetaTensor<Dim>& scale_tensor) {
  if (!size_tensor.empty()) {
    PADDLE_ENFORCE(size_tensor.size() == static_cast<size_t>(spatial),
                   errors::InvalidArgument("argument 'size_tensor': expected %d tensors (%s), got %d",
                                           spatial,
                                           InterpAxisNames(spatial),
                                           size_tensor.size()));
    for (const MetaTensor<Dim>* size : size_tensor) CheckInterpInts("size_tensor", *size, 1);
  }
  if (out_size) CheckInterpInts("out_size", out_size, spatial);
  PADDLE_ENFORCE(!scale_tensor || (scale_tensor.dtype() == DataType::FLOAT32 &&
                                   (scale_tensor.numel() == 1 || scale_tensor.numel() == spatial)),
                 errors::InvalidArgument("argument 'scale_tensor': expected 1 or %d elements of float32", spatial));
  return out_size || !size_tensor.empty() || scale_tensor;
}

// What is wrong in any case; whether tensors decide on the size of the output. `methods`: the one for images of 3, 4
// and 5 dimensions.
template <class Dim>
bool CheckInterpolation(const MetaTensor<Dim>& x,
                        const MetaTensor<Dim>& out_size,
                        const std::vector<const MetaTensor<Dim>*>& size_tensor,
                        const MetaTensor<Dim>& scale_tensor,
                        const std::vector<double>& scale,
                        const std::string& interp_method,
                        const char* const (&methods)[3],
                        int64_t align_mode) {
  const int spatial = x.dims().size() - 2;
  PADDLE_ENFORCE(spatial >= 1 && spatial <= 3,
                 errors::InvalidArgument("argument 'x': expected 3, 4 or 5 dimensions, got the shape %s", x.dims()));
  PADDLE_ENFORCE(interp_method == methods[spatial - 1],
                 errors::InvalidArgument("argument 'interp_method': expected \"%s\" for %d dimensions, got \"%s\"",
                                         methods[spatial - 1],
                                         x.dims().size(),
                                         interp_method));
  PADDLE_ENFORCE(align_mode == 0 || align_mode == 1,
                 errors::InvalidArgument("argument 'align_mode': expected 0 (half pixels) or 1 (whole pixels), got %d",
                                         align_mode));
  PADDLE_ENFORCE(
      scale.empty() || scale_tensor || scale.size() == static_cast<size_t>(spatial),
      errors::InvalidArgument(
          "argument 'scale': expected %d numbers (%s), got %d", spatial, InterpAxisNames(spatial), scale.size()));
  for (const double s : scale) {
    PADDLE_ENFORCE(s > 0 && std::isfinite(s),
                   errors::InvalidArgument("argument 'scale': expected positive numbers, got %g", s));
  }
  return CheckInterpTensors(spatial, out_size, size_tensor, scale_tensor);
}

// Of nothing there is nothing to read, whoever says the size of the output.
template <class Dim>
void ExpectImages(const BasicDDim<Dim>& x, bool channels_last) {
  for (int i = 0; i < x.size() - 2; ++i) {
    PADDLE_ENFORCE(x[channels_last ? 1 + i : 2 + i] > 0,
                   errors::InvalidArgument("argument 'x': expected images, got the shape %s", x));
  }
}

// The shape of the output by numbers alone.
template <class Dim>
BasicDDim<Dim> InterpolatedDims(const BasicDDim<Dim>& x,
                                bool channels_last,
                                const int64_t (&numbers)[3],
                                const std::vector<double>& scale) {
  BasicDDim<Dim> dims = x;
  const int spatial = x.size() - 2;
  constexpr const char* kNames[] = {"out_d", "out_h", "out_w"};
  for (int i = 0; i < spatial; ++i) {
    const int axis = channels_last ? 1 + i : 2 + i;
    const int from = 3 - spatial + i;
    if (scale.empty()) CheckInterpSize(numbers[from], kNames[from]);
    dims[axis] = scale.empty() ? Dim(numbers[from]) : ScaledSize(x[axis], scale[i], "scale");
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
                          const int64_t (&numbers)[3],
                          const std::vector<double>& scale,
                          const std::string& interp_method,
                          int64_t align_mode,
                          const char* const (&methods)[3],
                          MetaTensor<Dim>* output) {
  const bool channels_last = IsChannelLast(data_format);
  const bool by_tensors =
      CheckInterpolation(x, out_size, size_tensor, scale_tensor, scale, interp_method, methods, align_mode);
  ExpectImages(x.dims(), channels_last);
  if (!by_tensors) {
    return SetImages(InterpolatedDims(x.dims(), channels_last, numbers, scale), x.dtype(), x, output);
  }
  if constexpr (std::is_same_v<Dim, int64_t>) {
    BasicDDim<Dim> dims = x.dims();  // the kernel, which reads the tensors, sets the rest
    dims[channels_last ? 1 : 2] = 0;
    SetImages(dims, x.dtype(), x, output);
  } else {
    PADDLE_THROW(errors::Unavailable(
        "argument '%s': expected no tensor in a trace, since its values would decide on the shape of the result; pass "
        "'out_h' and 'out_w' (and 'out_d'), or 'scale'",
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
                            int64_t out_d,
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
                       {out_d, out_h, out_w},
                       scale,
                       interp_method,
                       align_mode,
                       {"nearest", "nearest", "nearest"},
                       output);
}

template <class Dim>
void BilinearInterpInferMeta(const MetaTensor<Dim>& x,
                             const MetaTensor<Dim>& out_size,
                             const std::vector<const MetaTensor<Dim>*>& size_tensor,
                             const MetaTensor<Dim>& scale_tensor,
                             const std::string& data_format,
                             int64_t out_d,
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
                       {out_d, out_h, out_w},
                       scale,
                       interp_method,
                       align_mode,
                       {"linear", "bilinear", "trilinear"},
                       output);
}

template <class Dim>
void BicubicInterpInferMeta(const MetaTensor<Dim>& x,
                            const MetaTensor<Dim>& out_size,
                            const std::vector<const MetaTensor<Dim>*>& size_tensor,
                            const MetaTensor<Dim>& scale_tensor,
                            const std::string& data_format,
                            int64_t out_d,
                            int64_t out_h,
                            int64_t out_w,
                            const std::vector<double>& scale,
                            const std::string& interp_method,
                            int64_t align_mode,
                            MetaTensor<Dim>* output) {
  PADDLE_ENFORCE(x.dims().size() == 4,
                 errors::InvalidArgument("argument 'x': expected 4 dimensions, got the shape %s", x.dims()));
  InterpolateInferMeta(x,
                       out_size,
                       size_tensor,
                       scale_tensor,
                       data_format,
                       {out_d, out_h, out_w},
                       scale,
                       interp_method,
                       align_mode,
                       {"bicubic", "bicubic", "bicubic"},
                       output);
}

template <class Dim>
void InterpolateGradInferMeta(const MetaTensor<Dim>& x,
                              const MetaTensor<Dim>& out_size,
                              const std::vector<const MetaTensor<Dim>*>& size_tensor,
                              const MetaTensor<Dim>& scale_tensor,
                              const MetaTensor<Dim>& output_grad,
                              const std::string& data_format,
                              MetaTensor<Dim>* x_grad) {
  const int rank = x.dims().size();
  const int channel = IsChannelLast(data_format) ? rank - 1 : 1;
  PADDLE_ENFORCE(
      rank >= 3 && rank <= 5 && output_grad.dims().size() == rank && output_grad.dims(0) == x.dims(0) &&
          output_grad.dims(channel) == x.dims(channel),
      errors::InvalidArgument("argument 'output_grad': expected the batch and channels of 'x' (shape %s, %s), "
                              "got the shape %s",
                              x.dims(),
                              data_format,
                              output_grad.dims()));
  ExpectImages(x.dims(), IsChannelLast(data_format));
  CheckOneType<Dim>("output_grad", output_grad, "x", x);
  CheckInterpTensors(rank - 2, out_size, size_tensor, scale_tensor);
  SetImages(x.dims(), x.dtype(), output_grad, x_grad);
}

}  // namespace phi
