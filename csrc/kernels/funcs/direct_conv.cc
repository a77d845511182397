// SPDX-License-Identifier: Apache-2.0
#include "kernels/funcs/direct_conv.h"

#include <algorithm>
#include <array>

#include "common/ceil_div.h"
#include "core/parallel.h"
#include "kernels/funcs/conv_block.h"
#include "primitive/loop/tensor_view.h"

namespace phi::funcs {

namespace {

constexpr int64_t kGrain = 1 << 17;       // multiplications that are worth a thread
constexpr int64_t kMostPhases = 8;        // planes of a channel
constexpr int64_t kMostParts = 64;        // of a transposed convolution's result
constexpr int64_t kMostPlanes = 1 << 18;  // elements of an image that stay in the second cache
// Multiplications up to which the library takes longer, which has instructions that ours may be compiled without. With
// those of volumes and of several parts it takes longer up to twice as many, with those of bfloat16, which it has
// faster instructions for, up to an eighth.
#if defined(CPU_CAPABILITY_AVX512) || defined(CPU_CAPABILITY_AVX2)
constexpr int64_t kMostWork = int64_t{3} << 23;
#else
constexpr int64_t kMostWork = int64_t{1} << 20;
#endif

// Whether each axis is, so that products of their sizes are numbers of 64 bits.
bool IsShort(const ConvPlanes& g) {
  for (int i = 0; i < 3; ++i) {
    if (g.plane_size[i] > kMostPlanes || g.stride[i] > kMostPhases || g.PartsOf(i) > kMostParts) return false;
  }
  return g.plane() <= kMostPlanes && g.phases() <= kMostPhases && g.parts() <= kMostParts &&
         g.width() * g.together() <= kStrip;
}

// Multiplications, with those of what is thrown away: of whole vectors, and between the rows.
int64_t WorkOf(const ConvPlanes& g) {
  const ConvPart most(g, 0);
  const int64_t row = (most.windows[1] - 1) * g.width() + most.windows[2];
  return g.filters * g.taps() * most.windows[0] * RoundUp(row, kLanes);
}

template <typename T>
void Convolve(const CPUContext& dev_ctx,
              const DenseTensor& images,
              const DenseTensor& filter,
              const primitive::ConvParams& params,
              const ConvEpilogue& epilogue,
              DenseTensor* out) {
  const ConvPlanes g(images.dims(), filter.dims(), out->dims(), params);
  T* result = dev_ctx.Alloc<T>(out);
  // a vector reads behind the last plane what means nothing
  DenseTensor planes = primitive::EmptyTensor<float>(dev_ctx, {g.images * g.image() + g.width() + kLanes});
  DenseTensor places = primitive::EmptyTensor<int64_t>(dev_ctx, {2 * g.taps()});
  float* copied = planes.data<float>();
  const T* from = images.data<T>();
  const int64_t pixels = g.size[0] * g.size[1] * g.size[2], copies = g.phases() * g.plane();
  ParallelFor(g.images * g.channels, primitive::RowGrain(copies), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) CopyChannel(g, from + i * pixels, copied + i * copies);
  });
  auto* taps = reinterpret_cast<ConvTap*>(places.data<int64_t>());
  std::array<ConvPart, kMostParts> parts;
  int64_t written = 0;
  for (int64_t i = 0; i < g.parts(); ++i) {
    parts[i] = ConvPart(g, i);
    written = AddTaps(g, written, &parts[i], taps);
  }
  DenseTensor factors = filter;
  if constexpr (!std::is_same_v<T, float>) {
    factors = primitive::EmptyTensor<float>(dev_ctx, {filter.numel()});
    const auto keep = [](const V& v) { return v; };
    primitive::VecMap(filter.numel(), factors.data<float>(), keep, filter.data<T>());
  }
  const Convolver<T> convolver(g, copied, parts.data(), taps, factors.data<float>());
  const int64_t of_group = g.filters / g.groups, blocks = CeilDiv(of_group, kMostRows);
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, WorkOf(g) / (g.groups * blocks)));
  ParallelFor(g.images * g.groups * blocks, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t group = i / blocks % g.groups, first = i % blocks * kMostRows;
      const int64_t count = std::min(kMostRows, of_group - first);
      convolver.Run(i / blocks / g.groups, group * of_group + first, count, epilogue, result);
    }
  });
}

}  // namespace

bool IsForDirectConv(const DenseTensor& images,
                     const DenseTensor& filter,
                     const DenseTensor& out,
                     const primitive::ConvParams& params,
                     const ConvEpilogue& epilogue) {
  const DataType dtype = images.dtype();
  const bool is_bfloat16 = dtype == DataType::BFLOAT16;
  const bool is_float = is_bfloat16 || dtype == DataType::FLOAT16 || dtype == DataType::FLOAT32;
  if (params.channels_last || !is_float) return false;
  const bool in_order = images.is_contiguous() && filter.is_contiguous() && out.is_contiguous();
  if (!in_order || (epilogue.residual && !epilogue.residual->is_contiguous())) return false;
  const ConvPlanes g(images.dims(), filter.dims(), out.dims(), params);
  if (!IsShort(g)) return false;
  const int64_t most = g.parts() > 1 || images.dims().size() > 4 ? 2 * kMostWork : kMostWork;
  return g.image() <= kMostPlanes && g.images * WorkOf(g) <= (is_bfloat16 ? most / 8 : most);
}

void DirectConv(const CPUContext& dev_ctx,
                const DenseTensor& images,
                const DenseTensor& filter,
                const primitive::ConvParams& params,
                const ConvEpilogue& epilogue,
                DenseTensor* out) {
  const auto convolve = images.dtype() == DataType::FLOAT32   ? &Convolve<float>
                        : images.dtype() == DataType::FLOAT16 ? &Convolve<dtype::float16>
                                                              : &Convolve<dtype::bfloat16>;
  convolve(dev_ctx, images, filter, params, epilogue, out);
}

}  // namespace phi::funcs
