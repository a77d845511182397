// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/int_array.h"
#include "common/scalar.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/given.h"
#include "infermeta/list_size.h"
#include "infermeta/parts.h"

// InferMeta of the ops that put the elements of one tensor, or of several, into another order.
namespace phi {

// The axes of a list, each once.
template <class Dim, typename Int>
AxisFlags<Dim> DistinctAxes(const std::vector<Int>& axes, int rank) {
  AxisFlags<Dim> seen = {};
  for (const int64_t given : axes) {
    PADDLE_ENFORCE(rank > 0, errors::OutOfRange("argument 'axis': x has no dimension, got %d", given));
    const int axis = CanonicalAxis(given, rank);
    PADDLE_ENFORCE(!seen[axis],
                   errors::InvalidArgument("argument 'axis': expected each axis once, got axis %d again", axis));
    seen[axis] = true;
  }
  return seen;
}

template <class Dim>
void FlipInferMeta(const MetaTensor<Dim>& x, const std::vector<int>& axis, MetaTensor<Dim>* out) {
  DistinctAxes<Dim>(axis, x.dims().size());
  out->share_dims(x);
  out->set_dtype(x.dtype());
}

template <class Dim>
void RollInferMeta(const MetaTensor<Dim>& x,
                   const IntArrayBase<Dim>& shifts,
                   const std::vector<int64_t>& axis,
                   MetaTensor<Dim>* out) {
  const size_t expected = axis.empty() ? 1 : axis.size();
  PADDLE_ENFORCE(
      shifts.size() == expected,
      errors::InvalidArgument(
          "argument 'shifts': expected as many as 'axis', %d (one without 'axis'), got %d", expected, shifts.size()));
  for (const int64_t given : axis) {
    PADDLE_ENFORCE(x.dims().size() > 0, errors::OutOfRange("argument 'axis': x has no dimension, got %d", given));
    CanonicalAxis(given, x.dims().size());
  }
  out->share_dims(x);
  out->set_dtype(x.dtype());
}

// Whether the channels of images are their last dimension.
inline bool ChannelsAreLast(const std::string& data_format) {
  PADDLE_ENFORCE(data_format == "NCHW" || data_format == "NHWC",
                 errors::InvalidArgument("argument 'data_format': expected NCHW or NHWC, got %s", data_format));
  return data_format == "NHWC";
}

template <class Dim>
void PixelShuffleInferMeta(const MetaTensor<Dim>& x,
                           int64_t upscale_factor,
                           const std::string& data_format,
                           MetaTensor<Dim>* out) {
  const bool last = ChannelsAreLast(data_format);
  PADDLE_ENFORCE(x.dims().size() == 4,
                 errors::InvalidArgument("argument 'x': expected images of 4 dimensions, got the shape %s", x.dims()));
  PADDLE_ENFORCE(upscale_factor > 0,
                 errors::InvalidArgument("argument 'upscale_factor': expected at least 1, got %d", upscale_factor));
  PADDLE_ENFORCE(
      upscale_factor < 1 << 15,
      errors::InvalidArgument("argument 'upscale_factor': expected less than 32768, got %d", upscale_factor));
  BasicDDim<Dim> dims = x.dims();
  const Dim parts = Dim(upscale_factor * upscale_factor);
  Dim& channels = dims[last ? 3 : 1];
  PADDLE_ENFORCE(
      channels == channels / parts * parts,
      errors::InvalidArgument(
          "argument 'x': expected a multiple of %d channels, the square of 'upscale_factor', got %s", parts, channels));
  channels = channels / parts;
  for (int i = last ? 1 : 2, n = i + 2; i < n; ++i) dims[i] = CheckedMultiply(dims[i], Dim(upscale_factor));
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

template <class Dim>
void PixelShuffleGradInferMeta(const MetaTensor<Dim>& out_grad,
                               int64_t upscale_factor,
                               const std::string& data_format,
                               MetaTensor<Dim>* x_grad) {
  const bool last = ChannelsAreLast(data_format);
  PADDLE_ENFORCE(upscale_factor > 0 && upscale_factor < 1 << 15,
                 errors::InvalidArgument("argument 'upscale_factor': expected 1 to 32767, got %d", upscale_factor));
  PADDLE_ENFORCE(
      out_grad.dims().size() == 4,
      errors::InvalidArgument("argument 'out_grad': expected 4 dimensions, got the shape %s", out_grad.dims()));
  BasicDDim<Dim> dims = out_grad.dims();
  for (int i = last ? 1 : 2, n = i + 2; i < n; ++i) {
    PADDLE_ENFORCE(dims[i] == dims[i] / Dim(upscale_factor) * Dim(upscale_factor),
                   errors::InvalidArgument("argument 'out_grad': expected multiples of 'upscale_factor', %d, got %s",
                                           upscale_factor,
                                           out_grad.dims()));
    dims[i] = dims[i] / Dim(upscale_factor);
  }
  dims[last ? 3 : 1] = CheckedMultiply(dims[last ? 3 : 1], Dim(upscale_factor * upscale_factor));
  x_grad->set_dims(dims);
  x_grad->set_dtype(out_grad.dtype());
}

template <class Dim>
void PadInferMeta(const MetaTensor<Dim>& x, const std::vector<int>& paddings, const Scalar&, MetaTensor<Dim>* out) {
  BasicDDim<Dim> dims = x.dims();
  PADDLE_ENFORCE(
      static_cast<int>(paddings.size()) == 2 * dims.size(),
      errors::InvalidArgument(
          "argument 'paddings': expected 2 for each of the %d dimensions of x, got %d", dims.size(), paddings.size()));
  for (size_t i = 0; i < paddings.size(); ++i) {
    PADDLE_ENFORCE(
        paddings[i] >= 0,
        errors::InvalidArgument("argument 'paddings': expected no negative number, got %d at %d", paddings[i], i));
    dims[static_cast<int>(i / 2)] = dims[static_cast<int>(i / 2)] + Dim(static_cast<int64_t>(paddings[i]));
  }
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

template <class Dim>
void Pad3dInferMeta(const MetaTensor<Dim>& x,
                    const IntArrayBase<Dim>& paddings,
                    const std::string& mode,
                    double,
                    const std::string& data_format,
                    MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(data_format == "NCDHW" || data_format == "NDHWC",
                 errors::InvalidArgument("argument 'data_format': expected NCDHW or NDHWC, got %s", data_format));
  const bool constant = mode == "constant";
  PADDLE_ENFORCE(
      constant || mode == "reflect" || mode == "replicate" || mode == "circular",
      errors::InvalidArgument("argument 'mode': expected constant, reflect, replicate or circular, got %s", mode));
  PADDLE_ENFORCE(x.dims().size() == 5,
                 errors::InvalidArgument("argument 'x': expected images of 5 dimensions, got the shape %s", x.dims()));
  PADDLE_ENFORCE(
      paddings.size() == 6,
      errors::InvalidArgument("argument 'paddings': expected 6, two for each axis of the image from the last "
                              "one on, got %d",
                              paddings.size()));
  BasicDDim<Dim> dims = x.dims();
  for (int i = 0; i < 3; ++i) {
    const int axis = (data_format == "NCDHW" ? 4 : 3) - i;
    const Dim size = dims[axis];
    for (int side = 0; side < 2; ++side) {
      const Dim& padding = paddings[2 * i + side];
      if (mode == "reflect") {
        PADDLE_ENFORCE(padding < size || padding == 0,
                       errors::InvalidArgument("argument 'paddings': expected less than %s for 'reflect', the size of "
                                               "the axis %d, got %s",
                                               size,
                                               axis,
                                               padding));
      }
      dims[axis] = dims[axis] + padding;
    }
    PADDLE_ENFORCE(dims[axis] >= 0,
                   errors::InvalidArgument(
                       "argument 'paddings': nothing is left of the axis %d, which has the size %s", axis, size));
    PADDLE_ENFORCE(
        constant || size > 0 || dims[axis] == 0,
        errors::InvalidArgument("argument 'x': expected elements for '%s', got the shape %s", mode, x.dims()));
  }
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

template <class Dim>
void StridedSliceInferMeta(const MetaTensor<Dim>& x,
                           const std::vector<int>& axes,
                           const IntArrayBase<Dim>& starts,
                           const IntArrayBase<Dim>& ends,
                           const IntArrayBase<Dim>& strides,
                           MetaTensor<Dim>* out) {
  out->set_dims(MakeSteppedPart(x.dims(), axes, starts, ends, strides, "strides").sizes);
  out->set_dtype(x.dtype());
}

template <class Dim>
void DiagInferMeta(const MetaTensor<Dim>& x, int64_t offset, double, MetaTensor<Dim>* out) {
  const BasicDDim<Dim>& dims = x.dims();
  PADDLE_ENFORCE(dims.size() <= 2,
                 errors::InvalidArgument("argument 'x': expected a vector or a matrix, got the shape %s", dims));
  const Dim shift = Dim(offset < 0 ? -offset : offset);
  if (dims.size() < 2) {
    const Dim size = x.numel() + shift;
    out->set_dims({size, size});
  } else {
    const Dim rows = offset < 0 ? dims[0] - shift : dims[0];
    const Dim columns = offset < 0 ? dims[1] : dims[1] - shift;
    const Dim length = rows < columns ? rows : columns;
    out->set_dims({length > 0 ? length : Dim(0)});
  }
  out->set_dtype(x.dtype());
}

// The op has an argument that its gradient lacks.
template <class Dim>
void DiagGradInferMeta(const MetaTensor<Dim>& x,
                       const MetaTensor<Dim>& out_grad,
                       int64_t offset,
                       MetaTensor<Dim>* x_grad) {
  Expected<Dim> out;
  DiagInferMeta(x, offset, 0.0, &out);
  CheckGiven("out_grad", out_grad, static_cast<const MetaTensor<Dim>&>(out));
  x_grad->share_dims(x);
  x_grad->set_dtype(x.dtype());
}

template <class Dim>
void MeshgridInferMeta(const std::vector<const MetaTensor<Dim>*>& inputs, std::vector<MetaTensor<Dim>*> out) {
  PADDLE_ENFORCE(!inputs.empty(), errors::InvalidArgument("argument 'inputs': expected at least one tensor, got none"));
  BasicDDim<Dim> dims;
  for (const MetaTensor<Dim>* input : inputs) {
    PADDLE_ENFORCE(input->dims().size() <= 1,
                   errors::InvalidArgument("argument 'inputs': expected vectors, got the shape %s", input->dims()));
    PADDLE_ENFORCE(input->dtype() == inputs[0]->dtype(),
                   errors::InvalidType("argument 'inputs': expected one data type, got %s and %s",
                                       DataTypeName(inputs[0]->dtype()),
                                       DataTypeName(input->dtype())));
    dims.push_back(input->numel());
  }
  ExpectOneForEach("out", out, inputs);
  for (MetaTensor<Dim>* grid : out) {
    if (grid == nullptr) continue;
    grid->set_dims(dims);
    grid->set_dtype(inputs[0]->dtype());
  }
}

}  // namespace phi
