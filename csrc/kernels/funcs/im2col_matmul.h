// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/funcs/im2col.h"
#include "primitive/convolution.h"
#include "primitive/copy_nd.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/matmul.h"
#include "primitive/permute.h"

// Convolution and its gradients as products with the columns of Im2Col, a few images at a time.
namespace phi::funcs {

// A filter, which may have any strides, with its elements in order.
template <typename Context>
DenseTensor InOrder(const Context& dev_ctx, const DenseTensor& filter) {
  if (filter.is_contiguous()) return filter;
  DenseTensor copy;
  copy.Resize(filter.dims());
  primitive::Copy(dev_ctx, filter, &copy);
  return copy;
}

template <typename T, typename Context>
DenseTensor ToChannelsFirst(const Context& dev_ctx, const DenseTensor& tensor, bool is_channels_last) {
  if (!is_channels_last) return tensor;
  const DDim& d = tensor.dims();
  DenseTensor result = primitive::EmptyTensor<T>(dev_ctx, {d[0], d[3], d[1], d[2]});
  primitive::PermuteTo(dev_ctx, tensor, {0, 3, 1, 2}, &result);
  return result;
}

// Where the result for `out` is computed: in it, or in a temporary of the other layout.
template <typename T, typename Context>
DenseTensor ChannelsFirstResult(const Context& dev_ctx, const DenseTensor& out, bool is_channels_last) {
  const DDim& d = out.dims();
  return is_channels_last ? primitive::EmptyTensor<T>(dev_ctx, {d[0], d[3], d[1], d[2]}) : primitive::ViewOf(out, d);
}

template <typename Context>
void FromChannelsFirst(const Context& dev_ctx, const DenseTensor& result, bool is_channels_last, DenseTensor* out) {
  if (is_channels_last) primitive::PermuteTo(dev_ctx, result, {0, 2, 3, 1}, out);
}

inline WindowGeometry MakeWindowGeometry(const DDim& images,
                                         const DDim& filter,
                                         const DDim& out,
                                         const primitive::ConvParams& params) {
  WindowGeometry g;
  g.images = images[0];
  g.channels = images[1];
  for (int i = 0; i < 2; ++i) {
    g.size[i] = images[2 + i];
    g.kernel[i] = filter[2 + i];
    g.stride[i] = params.strides[i];
    g.padding[i] = params.paddings[2 * i];
    g.dilation[i] = params.dilations[i];
    g.windows[i] = out[2 + i];
  }
  return g;
}

// The images of one product: many on the GPU; on the CPU the columns should stay in the cache.
template <typename Context>
int64_t ImagesPerProduct(const WindowGeometry& g) {
  const int64_t elements = std::is_same_v<Context, GPUContext> ? int64_t(1) << 27 : int64_t(1) << 19;
  return std::clamp<int64_t>(
      elements / std::max<int64_t>(1, g.rows() * g.columns()), 1, std::max<int64_t>(1, g.images));
}

// Calls use(first, count, columns [count, groups, rows / groups, windows]) for all images.
template <typename T, typename Context, typename Use>
void ForEachColumns(
    const Context& dev_ctx, const DenseTensor& images, WindowGeometry g, int64_t groups, const Use& use) {
  const int64_t step = ImagesPerProduct<Context>(g);
  const int64_t total = g.images;
  const int64_t image_size = g.channels * g.size[0] * g.size[1];
  DenseTensor buffer;
  if (!g.is_identity()) buffer = primitive::EmptyTensor<T>(dev_ctx, {step, g.rows(), g.columns()});
  for (int64_t first = 0; first < total; first += step) {
    g.images = std::min(step, total - first);
    const DDim dims{g.images, groups, g.rows() / groups, g.columns()};
    if (g.is_identity()) {
      use(first, g.images, primitive::ViewOf(images, dims, first * image_size));
    } else {
      Im2Col(dev_ctx, g, images.data<T>() + first * image_size, buffer.data<T>());
      use(first, g.images, primitive::ViewOf(buffer, dims));
    }
  }
}

template <typename T, typename Context>
void ConvByMatMul(const Context& dev_ctx,
                  const DenseTensor& images,
                  const DenseTensor& filter,
                  const primitive::ConvParams& params,
                  DenseTensor* out) {
  const WindowGeometry g = MakeWindowGeometry(images.dims(), filter.dims(), out->dims(), params);
  const int64_t groups = params.groups;
  const int64_t filters = filter.dims()[0];
  const DenseTensor weight = primitive::ViewOf(filter, {groups, filters / groups, g.rows() / groups});
  ForEachColumns<T>(dev_ctx, images, g, groups, [&](int64_t first, int64_t count, const DenseTensor& columns) {
    DenseTensor part =
        primitive::ViewOf(*out, {count, groups, filters / groups, g.columns()}, first * filters * g.columns());
    primitive::MatMul(dev_ctx, weight, false, columns, false, &part);
  });
}

template <typename T, typename Context>
void ConvInputGradByMatMul(const Context& dev_ctx,
                           const DenseTensor& filter,
                           const DenseTensor& out_grad,
                           const primitive::ConvParams& params,
                           DenseTensor* images_grad) {
  WindowGeometry g = MakeWindowGeometry(images_grad->dims(), filter.dims(), out_grad.dims(), params);
  const int64_t groups = params.groups;
  const int64_t filters = filter.dims()[0];
  const int64_t total = g.images;
  const int64_t step = ImagesPerProduct<Context>(g);
  const int64_t image_size = g.channels * g.size[0] * g.size[1];
  const DenseTensor weight = primitive::ViewOf(filter, {groups, filters / groups, g.rows() / groups});
  DenseTensor buffer;
  if (!g.is_identity()) buffer = primitive::EmptyTensor<T>(dev_ctx, {step, g.rows(), g.columns()});
  for (int64_t first = 0; first < total; first += step) {
    g.images = std::min(step, total - first);
    const DenseTensor grad =
        primitive::ViewOf(out_grad, {g.images, groups, filters / groups, g.columns()}, first * filters * g.columns());
    const DDim dims{g.images, groups, g.rows() / groups, g.columns()};
    DenseTensor columns =
        g.is_identity() ? primitive::ViewOf(*images_grad, dims, first * image_size) : primitive::ViewOf(buffer, dims);
    primitive::MatMul(dev_ctx, weight, true, grad, false, &columns);
    if (!g.is_identity()) Col2Im(dev_ctx, g, columns.data<T>(), images_grad->data<T>() + first * image_size);
  }
}

}  // namespace phi::funcs
