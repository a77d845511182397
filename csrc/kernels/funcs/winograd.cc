// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "backends/cpu/cpu_context.h"
#include "common/ceil_div.h"
#include "core/channels_last.h"
#include "core/parallel.h"
#include "kernels/funcs/activation.h"
#include "kernels/funcs/winograd_tiles.h"
#include "primitive/copy_nd.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/matmul.h"
#include "primitive/packed_convolution.h"

// Winograd's convolution: of each tile of the images 36 coefficients, whose products with those of the filter, one
// matrix for each of them, are the coefficients of the result. A quarter of the multiplications.
namespace phi::funcs {

namespace {

constexpr int64_t kChunkBytes = 1 << 20;  // coefficients that stay in the second cache
constexpr int64_t kLeastTiles = 16;       // of a chunk, so that a product is worth its matrix of the filter

// A filter is [36, channels, filters].
std::shared_ptr<void> TransformFilter(const DeviceContext& dev_ctx,
                                      const DenseTensor& filter,
                                      const primitive::ConvParams& params,
                                      const DDim&) {
  const auto is_one = [](int64_t value) { return value == 1; };
  PADDLE_ENFORCE(filter.dims()[2] == 3 && filter.dims()[3] == 3 && params.groups == 1 &&
                     std::ranges::all_of(params.strides, is_one) && std::ranges::all_of(params.dilations, is_one),
                 errors::InvalidArgument("argument 'filter': expected 3x3, groups = 1, strides and dilations of 1, got "
                                         "the filter %s, groups = %d, strides %s, dilations %s; run it by conv2d",
                                         filter.dims(),
                                         params.groups,
                                         DDim(params.strides),
                                         DDim(params.dilations)));
  const int64_t filters = filter.dims()[0], channels = filter.dims()[1];
  const auto& cpu = static_cast<const CPUContext&>(dev_ctx);
  auto packed = std::make_shared<DenseTensor>(primitive::EmptyTensor<float>(cpu, {kProducts, channels, filters}));
  const DDim& strides = filter.strides();
  const auto* weights = filter.data<float>();
  auto* out = packed->data<float>();
  ParallelFor(channels, primitive::RowGrain(kProducts * filters), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * filters; i < end * filters; ++i) {
      const int64_t channel = i / filters, k = i % filters;
      double taps[9], columns[3][kTile], line[kTile];
      for (int j = 0; j < 9; ++j) {
        taps[j] = weights[k * strides[0] + channel * strides[1] + j / 3 * strides[2] + j % 3 * strides[3]];
      }
      for (int x = 0; x < 3; ++x) FilterLine(taps + x, 3, columns[x]);
      for (int y = 0; y < kTile; ++y) {
        FilterLine(columns[0] + y, kTile, line);
        for (int x = 0; x < kTile; ++x) {
          out[((y * kTile + x) * channels + channel) * filters + k] = static_cast<float>(line[x]);
        }
      }
    }
  });
  return packed;
}

// The images with their channels last in memory, a copy if they are not.
DenseTensor ChannelsLast(const DeviceContext& dev_ctx, const DenseTensor& images) {
  if (IsChannelsLast(images.meta())) return images;
  DenseTensor out;
  MetaTensor<int64_t> meta(&out);
  SetChannelsLast(DDim(images.dims()), &meta);
  primitive::Copy(dev_ctx, images, &out);
  return out;
}

// One convolution; tensors have their channels last.
struct Winograd {
  Winograd(const DDim& images, const DDim& out, const primitive::ConvParams& params)
      : channels(images[1]),
        filters(out[1]),
        top(params.paddings[0]),
        left(params.paddings[2]),
        height(images[2]),
        width(images[3]),
        out_height(out[2]),
        out_width(out[3]),
        rows(CeilDiv(out[2], kPixels)),
        columns(CeilDiv(out[3], kPixels)),
        tiles(images[0] * rows * columns) {}

  // The coefficients of the tiles [first, first + count), which are [36, count, channels].
  void Read(const float* images, const float* zeros, int64_t first, int64_t count, float* to) const {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t tile = first + i, image = tile / (rows * columns);
      const int64_t y = tile / columns % rows * kPixels - top, x = tile % columns * kPixels - left;
      const float* from[kTile][kTile];
      for (int dy = 0; dy < kTile; ++dy) {
        for (int dx = 0; dx < kTile; ++dx) {
          const bool is_inside = y + dy >= 0 && y + dy < height && x + dx >= 0 && x + dx < width;
          from[dy][dx] = is_inside ? images + ((image * height + y + dy) * width + x + dx) * channels : zeros;
        }
      }
      ImageTile(from, channels, to + i * channels, count * channels);
    }
  }

  // Their pixels, of coefficients that are [36, count, filters].
  template <typename Last>
  void Write(const float* from, int64_t first, int64_t count, const Last& last) const {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t tile = first + i, image = tile / (rows * columns);
      const int64_t y = tile / columns % rows * kPixels, x = tile % columns * kPixels;
      ResultTile(from + i * filters,
                 count * filters,
                 filters,
                 [&](int dy, int dx, int64_t channel, int64_t lanes, const V& pixel) {
                   if (y + dy >= out_height || x + dx >= out_width) return;
                   last(((image * out_height + y + dy) * out_width + x + dx) * filters, channel, lanes, pixel);
                 });
    }
  }

  const int64_t channels, filters, top, left, height, width, out_height, out_width, rows, columns, tiles;
};

void ConvolveTiles(const DeviceContext& dev_ctx,
                   const DenseTensor& images,
                   const void* filter,
                   const primitive::ConvParams& params,
                   const primitive::PixelSteps& steps,
                   DenseTensor* out) {
  const auto& cpu = static_cast<const CPUContext&>(dev_ctx);
  const auto& factors = *static_cast<const DenseTensor*>(filter);
  const DenseTensor in_order = ChannelsLast(dev_ctx, images);
  const DenseTensor added = steps.residual ? ChannelsLast(dev_ctx, *steps.residual) : DenseTensor();
  const Winograd g(images.dims(), out->dims(), params);
  const auto* pixels = in_order.data<float>();
  const auto* bias = steps.bias ? steps.bias->data<float>() : nullptr;
  const auto* residual = steps.residual ? added.data<float>() : nullptr;
  const AddActivate activate{MakeActivation(steps.activation, steps.alpha)};
  auto* result = cpu.Alloc<float>(out);
  const auto last = [&](int64_t at, int64_t channel, int64_t lanes, const V& pixel) {
    const V shift = bias ? V::loadu(bias + channel, lanes) : V(0.0f);
    const int64_t place = at + channel;
    const V value = residual ? activate(pixel, shift, V::loadu(residual + place, lanes)) : activate(pixel, shift);
    value.store(result + place, lanes);
  };
  const std::vector<float> zeros(g.channels);
  const int64_t of_tile = kProducts * (g.channels + g.filters), fit = kChunkBytes / 4 / of_tile;
  const int64_t of_thread = CeilDiv(g.tiles, ThreadPool::Current().size());
  const int64_t most = std::max<int64_t>(1, std::min(of_thread, std::max(kLeastTiles, fit)));
  const int64_t chunks = CeilDiv(g.tiles, most), chunk = CeilDiv(g.tiles, chunks);
  ParallelFor(chunks, 1, [&](int64_t begin, int64_t end) {
    const DenseTensor memory = primitive::EmptyTensor<float>(cpu, {chunk * of_tile});
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i * chunk, count = std::min(chunk, g.tiles - first);
      if (count <= 0) return;
      const DenseTensor x = primitive::ViewOf(memory, {kProducts, count, g.channels});
      DenseTensor y = primitive::ViewOf(memory, {kProducts, count, g.filters}, kProducts * count * g.channels);
      g.Read(pixels, zeros.data(), first, count, const_cast<float*>(x.data<float>()));
      primitive::MatMul(dev_ctx, x, false, factors, false, &y);
      g.Write(y.data<float>(), first, count, last);
    }
  });
}

[[maybe_unused]] const bool winograd_registered =
    RegisterPrimitive<primitive::WinogradFilter>(Backend::CPU, &TransformFilter, DataType::FLOAT32) &&
    RegisterPrimitive<primitive::WinogradConvolution>(Backend::CPU, &ConvolveTiles, DataType::FLOAT32);

}  // namespace

}  // namespace phi::funcs
