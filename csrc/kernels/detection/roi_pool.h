// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/first_greater.h"
#include "kernels/funcs/roi_boxes.h"
#include "primitive/cast.h"
#include "primitive/convert.h"
#include "primitive/for_each.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

// The largest pixel of each cell, or 0 of a cell without one, and its place in the image, or -1.
template <typename T, typename Context>
void RoiPoolKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const DenseTensor& boxes,
                   const paddle::optional<DenseTensor>& boxes_num,
                   int pooled_height,
                   int pooled_width,
                   float spatial_scale,
                   DenseTensor* out,
                   DenseTensor* arg_max) {
  T* result = dev_ctx.template Alloc<T>(out);
  int64_t* places = dev_ctx.template Alloc<int64_t>(arg_max);
  const T* images = x.data<T>();
  const T* edges = boxes.data<T>();
  const int64_t batch = x.dims()[0], channels = x.dims()[1], height = x.dims()[2], width = x.dims()[3];
  const int64_t rows = pooled_height, columns = pooled_width;
  const DenseTensor numbers = primitive::ToInt64(dev_ctx, *boxes_num);
  const int64_t* counts = numbers.data<int64_t>();
  primitive::ForEach(dev_ctx, out->numel(), [=] HOSTDEVICE(int64_t i) {
    const int64_t column = i % columns, row = i / columns % rows;
    const int64_t channel = i / columns / rows % channels, box = i / columns / rows / channels;
    const int64_t image = funcs::ImageOf(counts, batch, box);
    const auto edge = [=](int k) { return static_cast<float>(edges[box * 4 + k]); };
    const auto y = funcs::CellPixels(edge(1), edge(3), spatial_scale, row, rows, height);
    const auto z = funcs::CellPixels(edge(0), edge(2), spatial_scale, column, columns, width);
    const T* pixels = images + (image * channels + channel) * height * width;
    int64_t best = -1;
    if (image < batch && y.begin < y.end && z.begin < z.end) {
      best = y.begin * width + z.begin;
      auto largest = primitive::ToCompute(pixels[best]);
      for (int64_t h = y.begin; h < y.end; ++h) {
        const int64_t row = h * width, end = row + z.end;
        for (int64_t at = row + z.begin; (at = funcs::FirstGreater(pixels, at, end, largest)) < end; ++at) {
          best = at;
          largest = primitive::ToCompute(pixels[at]);
        }
      }
    }
    result[i] = best < 0 ? T(0) : pixels[best];
    places[i] = best;
  });
}

// Adds for each channel of an image what its boxes give, in order: no two of them at once. Half types are added in
// `sums`, of which no more is used than the places of pixels that something comes to.
template <typename T, typename Context>
void RoiPoolGradKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const DenseTensor& boxes,
                       const paddle::optional<DenseTensor>& boxes_num,
                       const DenseTensor& arg_max,
                       const DenseTensor& out_grad,
                       int pooled_height,
                       int pooled_width,
                       float,
                       DenseTensor* x_grad) {
  using Compute = primitive::ComputeType<T>;
  constexpr bool kIsWide = !std::is_same_v<T, Compute>;
  T* to = dev_ctx.template Alloc<T>(x_grad);
  DenseTensor sums;
  if (kIsWide) sums = primitive::EmptyTensor<Compute>(dev_ctx, x.dims());
  Compute* sum = kIsWide ? sums.data<Compute>() : nullptr;
  const T* grad = out_grad.data<T>();
  const int64_t* places = arg_max.data<int64_t>();
  const int64_t batch = x.dims()[0], channels = x.dims()[1], size = x.dims()[2] * x.dims()[3];
  const int64_t count = boxes.dims()[0], cells = static_cast<int64_t>(pooled_height) * pooled_width;
  const DenseTensor numbers = primitive::ToInt64(dev_ctx, *boxes_num);
  const int64_t* counts = numbers.data<int64_t>();
  primitive::ForEach(dev_ctx, batch * channels, [=] HOSTDEVICE(int64_t i) {
    const int64_t image = i / channels, channel = i % channels;
    // use(place, k) for each cell k of the boxes of the image
    const auto each = [=](const auto& use) {
      for (int64_t box = 0; box < count; ++box) {
        if (funcs::ImageOf(counts, batch, box) != image) continue;
        const int64_t first = (box * channels + channel) * cells;
        for (int64_t k = first; k < first + cells; ++k) {
          const int64_t place = places[k];
          if (place >= 0 && place < size) use(place, k);
        }
      }
    };
    T* of_image = to + i * size;
    for (int64_t k = 0; k < size; ++k) of_image[k] = T(0);
    if (kIsWide) {
      Compute* wide = sum + i * size;
      each([=](int64_t place, int64_t) { wide[place] = Compute(0); });
      each([=](int64_t place, int64_t k) { wide[place] += primitive::ToCompute(grad[k]); });
      each([=](int64_t place, int64_t) { of_image[place] = primitive::Convert<T>(wide[place]); });
    } else {
      each([=](int64_t place, int64_t k) { of_image[place] += grad[k]; });
    }
  });
}

}  // namespace phi
