// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/data_types.h"

// InferMeta of Fourier transforms, and of signals cut into frames.
namespace phi {

// Checks `axes`, each named once and of at least one element, and returns the last one.
template <class Dim>
int CheckFft(const MetaTensor<Dim>& x, const std::vector<int64_t>& axes, const std::string& normalization) {
  PADDLE_ENFORCE(normalization == "backward" || normalization == "forward" || normalization == "ortho",
                 errors::InvalidArgument(
                     "argument 'normalization': expected 'backward', 'forward' or 'ortho', got '%s'", normalization));
  PADDLE_ENFORCE(!axes.empty(), errors::InvalidArgument("argument 'axes': expected at least one axis, got none"));
  PADDLE_ENFORCE(x.dims().size() > 0,
                 errors::InvalidArgument("argument 'x': expected at least one dimension, got none"));
  unsigned seen = 0;
  int last = 0;
  for (const int64_t axis : axes) {
    last = CanonicalAxis(axis, x.dims().size(), "axes");
    PADDLE_ENFORCE((seen >> last & 1) == 0,
                   errors::InvalidArgument("argument 'axes': expected every axis once, got axis %d again", last));
    PADDLE_ENFORCE(x.dims(last) >= 1,
                   errors::InvalidArgument(
                       "argument 'x': expected at least one element along axis %d, got the shape %s", last, x.dims()));
    seen |= 1u << last;
  }
  return last;
}

template <class Dim>
void FFTC2CInferMeta(const MetaTensor<Dim>& x,
                     const std::vector<int64_t>& axes,
                     const std::string& normalization,
                     bool,
                     MetaTensor<Dim>* out) {
  CheckComplex(x.dtype(), "x");
  CheckFft(x, axes, normalization);
  out->set_dims(x.dims());
  out->set_dtype(x.dtype());
}

template <class Dim>
void FFTR2CInferMeta(const MetaTensor<Dim>& x,
                     const std::vector<int64_t>& axes,
                     const std::string& normalization,
                     bool,
                     bool onesided,
                     MetaTensor<Dim>* out) {
  const int last = CheckFft(x, axes, normalization);
  BasicDDim<Dim> dims = x.dims();
  if (onesided) dims[last] = dims[last] / Dim(2) + Dim(1);
  out->set_dims(dims);
  out->set_dtype(ToComplex(x.dtype()));
}

template <class Dim>
void FFTC2RInferMeta(const MetaTensor<Dim>& x,
                     const std::vector<int64_t>& axes,
                     const std::string& normalization,
                     bool,
                     int64_t last_dim_size,
                     MetaTensor<Dim>* out) {
  CheckComplex(x.dtype(), "x");
  const int last = CheckFft(x, axes, normalization);
  PADDLE_ENFORCE(last_dim_size >= 0,
                 errors::InvalidArgument("argument 'last_dim_size': expected a size, or 0 for that of 'x', got %d",
                                         last_dim_size));
  BasicDDim<Dim> dims = x.dims();
  dims[last] = last_dim_size > 0 ? Dim(last_dim_size) : CheckedMultiply(dims[last] - Dim(1), Dim(2));
  out->set_dims(dims);
  out->set_dtype(ToReal(x.dtype()));
}

// Signals along `axis`, the first or the last one; returns whether it is the last.
template <class Dim>
bool IsLastAxis(const MetaTensor<Dim>& x, int64_t axis, int least) {
  PADDLE_ENFORCE(axis == 0 || axis == -1, errors::InvalidArgument("argument 'axis': expected 0 or -1, got %d", axis));
  PADDLE_ENFORCE(
      x.dims().size() >= least,
      errors::InvalidArgument("argument 'x': expected at least %d dimensions, got the shape %s", least, x.dims()));
  return axis == -1;
}

template <class Dim>
void FrameInferMeta(
    const MetaTensor<Dim>& x, int64_t frame_length, int64_t hop_length, int64_t axis, MetaTensor<Dim>* out) {
  const bool is_last = IsLastAxis(x, axis, 1);
  const Dim size = x.dims(is_last ? x.dims().size() - 1 : 0);
  PADDLE_ENFORCE(hop_length > 0,
                 errors::InvalidArgument("argument 'hop_length': expected at least 1, got %d", hop_length));
  PADDLE_ENFORCE(frame_length > 0 && size >= frame_length,
                 errors::InvalidArgument(
                     "argument 'frame_length': expected 1 to %s, the length of 'x', got %d", size, frame_length));
  const Dim count = (size - Dim(frame_length)) / Dim(hop_length) + Dim(1);
  BasicDDim<Dim> dims = is_last ? slice_ddim(x.dims(), 0, x.dims().size() - 1) : BasicDDim<Dim>{count};
  dims.push_back(Dim(frame_length));
  if (is_last) dims.push_back(count);
  for (int i = 1; i < x.dims().size() && !is_last; ++i) dims.push_back(x.dims(i));
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

template <class Dim>
void OverlapAddInferMeta(const MetaTensor<Dim>& x, int64_t hop_length, int64_t axis, MetaTensor<Dim>* out) {
  const bool is_last = IsLastAxis(x, axis, 2);
  const int rank = x.dims().size();
  PADDLE_ENFORCE(hop_length > 0,
                 errors::InvalidArgument("argument 'hop_length': expected at least 1, got %d", hop_length));
  const Dim count = x.dims(is_last ? rank - 1 : 0);
  const Dim length = x.dims(is_last ? rank - 2 : 1);
  PADDLE_ENFORCE(count >= 1, errors::InvalidArgument("argument 'x': expected frames, got the shape %s", x.dims()));
  BasicDDim<Dim> dims = is_last ? slice_ddim(x.dims(), 0, rank - 2) : BasicDDim<Dim>();
  dims.push_back((count - Dim(1)) * Dim(hop_length) + length);
  for (int i = 2; i < rank && !is_last; ++i) dims.push_back(x.dims(i));
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

template <class Dim>
void StftInferMeta(const MetaTensor<Dim>& x,
                   const MetaTensor<Dim>& window,
                   int64_t n_fft,
                   int64_t hop_length,
                   bool,
                   bool onesided,
                   MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(x.dims().size() == 2,
                 errors::InvalidArgument("argument 'x': expected the shape [batch, length], got %s", x.dims()));
  PADDLE_ENFORCE(window.dims().size() == 1 && window.dims(0) == n_fft && window.dtype() == x.dtype(),
                 errors::InvalidArgument("argument 'window': expected %s of the shape [%d], got %s%s",
                                         DataTypeName(x.dtype()),
                                         n_fft,
                                         DataTypeName(window.dtype()),
                                         window.dims()));
  PADDLE_ENFORCE(hop_length > 0,
                 errors::InvalidArgument("argument 'hop_length': expected at least 1, got %d", hop_length));
  PADDLE_ENFORCE(
      n_fft > 0 && x.dims(1) >= n_fft,
      errors::InvalidArgument("argument 'n_fft': expected 1 to %s, the length of 'x', got %d", x.dims(1), n_fft));
  const Dim count = (x.dims(1) - Dim(n_fft)) / Dim(hop_length) + Dim(1);
  out->set_dims(BasicDDim<Dim>{x.dims(0), Dim(onesided ? n_fft / 2 + 1 : n_fft), count});
  out->set_dtype(ToComplex(x.dtype()));
}

}  // namespace phi
