// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/all_context.h"
#include "common/hostdevice.h"

namespace phi::funcs {

// How windows slide over images [images, channels, height, width].
struct WindowGeometry {
  int64_t images;
  int64_t channels;
  int64_t size[2];  // of an image: height, width
  int64_t kernel[2];
  int64_t stride[2];
  int64_t padding[2];  // before: top, left
  int64_t dilation[2];
  int64_t windows[2];  // their number along height and width: the size of the output

  int64_t columns() const { return windows[0] * windows[1]; }
  int64_t rows() const { return channels * kernel[0] * kernel[1]; }
  // whether the images are their own columns
  bool is_identity() const {
    return kernel[0] == 1 && kernel[1] == 1 && stride[0] == 1 && stride[1] == 1 && windows[0] == size[0] &&
           windows[1] == size[1];
  }
};

// columns [images, channels * kernel, windows]: the elements under each window, zero for padding. T is any number type
// that the convolution kernels are registered for.
template <typename T>
void Im2Col(const CPUContext& dev_ctx, const WindowGeometry& geometry, const T* images, T* columns);
template <typename T>
void Im2Col(const GPUContext& dev_ctx, const WindowGeometry& geometry, const T* images, T* columns);

// The adjoint: images = the sum of what all windows hold for an element.
template <typename T>
void Col2Im(const CPUContext& dev_ctx, const WindowGeometry& geometry, const T* columns, T* images);
template <typename T>
void Col2Im(const GPUContext& dev_ctx, const WindowGeometry& geometry, const T* columns, T* images);

// The window that holds `position` at `tap` of the kernel, or -1.
HOSTDEVICE inline int64_t WindowOf(
    int64_t position, int64_t tap, int64_t padding, int64_t stride, int64_t dilation, int64_t windows) {
  const int64_t shifted = position + padding - tap * dilation;
  if (shifted < 0 || shifted % stride != 0) return -1;
  const int64_t window = shifted / stride;
  return window < windows ? window : -1;
}

}  // namespace phi::funcs
