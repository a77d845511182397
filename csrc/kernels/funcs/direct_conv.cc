// SPDX-License-Identifier: Apache-2.0
#include "kernels/funcs/direct_conv.h"

#include <algorithm>

#include "core/parallel.h"
#include "kernels/funcs/conv_planes.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/loop/vec_loop.h"

namespace phi::funcs {

namespace {

using V = primitive::Vec<float>;
constexpr int64_t kLanes = V::size();
constexpr int64_t kMostRows = 4;          // filters of one tile, whose sums stay in registers
constexpr int kMostVectors = 3;           // of one tile, in each row
constexpr int64_t kStrip = 1024;          // pixels of a row that are computed before they are written
constexpr int64_t kGrain = 1 << 17;       // multiplications that are worth a thread
constexpr int64_t kMostPlanes = 1 << 18;  // elements of an image that stay in the second cache
// Multiplications up to which the library takes longer, which has instructions that ours may be compiled without.
#if defined(CPU_CAPABILITY_AVX512) || defined(CPU_CAPABILITY_AVX2)
constexpr int64_t kMostWork = int64_t{3} << 23;
#else
constexpr int64_t kMostWork = int64_t{1} << 20;
#endif

// out[m][0, N vectors) = init[m] + the sum over taps of weights[m][tap] * planes[offsets[tap]...].
template <int M, int N>
void Tile(int64_t taps,
          const float* planes,
          const int64_t* offsets,
          const float* weights,
          const float* init,
          float* out,
          int64_t out_stride) {
  V sums[M][N];
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) sums[m][n] = V(init[m]);
  }
  for (int64_t tap = 0; tap < taps; ++tap) {
    const float* from = planes + offsets[tap];
    V x[N];
    for (int n = 0; n < N; ++n) x[n] = V::loadu(from + n * kLanes);
    for (int m = 0; m < M; ++m) {
      const V weight(weights[m * taps + tap]);
      for (int n = 0; n < N; ++n) sums[m][n] = at::vec::fmadd(weight, x[n], sums[m][n]);
    }
  }
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) sums[m][n].store(out + m * out_stride + n * kLanes);
  }
}

using TileFn = decltype(&Tile<1, 1>);
template <int M>
constexpr TileFn kTilesOf[] = {&Tile<M, 1>, &Tile<M, 2>, &Tile<M, 3>};
constexpr const TileFn* kTiles[] = {kTilesOf<1>, kTilesOf<2>, kTilesOf<3>, kTilesOf<4>};

class Convolver {
 public:
  Convolver(const ConvPlanes& g, const float* planes, const int64_t* offsets, const float* filter)
      : g_(g), planes_(planes), offsets_(offsets), filter_(filter) {}

  // `count` filters of one group from `first` on, for one image.
  void Run(int64_t image, int64_t first, int64_t count, const ConvEpilogue& epilogue, float* out) const {
    const int64_t pixels = g_.windows[0] * g_.windows[1], per_group = g_.channels / g_.groups;
    const float* planes =
        planes_ + image * g_.image() + first / (g_.filters / g_.groups) * per_group * g_.phases() * g_.plane();
    float init[kMostRows] = {};
    if (epilogue.bias) std::copy_n(epilogue.bias->data<float>() + first, count, init);
    float strip[kMostRows][kStrip + kLanes];
    const int64_t rows = std::max<int64_t>(1, kStrip / g_.width), at = (image * g_.filters + first) * pixels;
    for (int64_t row = 0; row < g_.windows[0]; row += rows) {
      const int64_t height = std::min(rows, g_.windows[0] - row);
      Strip(planes + row * g_.width, height * g_.width, filter_ + first * g_.taps(), count, init, strip[0]);
      for (int64_t m = 0; m < count; ++m) {
        float* to = out + at + m * pixels + row * g_.windows[1];
        for (int64_t y = 0; y < height; ++y) {
          std::copy_n(strip[m] + y * g_.width, g_.windows[1], to + y * g_.windows[1]);
        }
      }
    }
    const bool is_identity = epilogue.activation.kind == Activation::Kind::kIdentity;
    if (epilogue.residual) {
      const AddActivate last{epilogue.activation};
      const auto add = [&](const V& x, const V& y) { return last(x, y); };
      primitive::VecMap(count * pixels, out + at, add, out + at, epilogue.residual->data<float>() + at);
    } else if (!is_identity) {
      primitive::VecMap(count * pixels, out + at, epilogue.activation, out + at);
    }
  }

 private:
  void Strip(const float* planes, int64_t n, const float* weights, int64_t count, const float* init, float* out) const {
    const int64_t vectors = (n + kLanes - 1) / kLanes;
    for (int64_t i = 0; i < vectors; i += kMostVectors) {
      const int64_t width = std::min<int64_t>(kMostVectors, vectors - i);
      kTiles[count - 1][width - 1](
          g_.taps(), planes + i * kLanes, offsets_, weights, init, out + i * kLanes, kStrip + kLanes);
    }
  }

  const ConvPlanes& g_;
  const float* const planes_;
  const int64_t* const offsets_;
  const float* const filter_;
};

}  // namespace

bool IsForDirectConv(const DenseTensor& images,
                     const DenseTensor& filter,
                     const DenseTensor& out,
                     const primitive::ConvParams& params,
                     const ConvEpilogue& epilogue) {
  if (params.channels_last || params.transposed || images.dtype() != DataType::FLOAT32) return false;
  const bool in_order = images.is_contiguous() && filter.is_contiguous() && out.is_contiguous();
  if (!in_order || (epilogue.residual && !epilogue.residual->is_contiguous())) return false;
  const ConvPlanes g(images.dims(), filter.dims(), out.dims(), params, kLanes);
  return g.width <= kStrip && g.phases() <= 4 && g.image() <= kMostPlanes && g.work() <= kMostWork;
}

void DirectConv(const CPUContext& dev_ctx,
                const DenseTensor& images,
                const DenseTensor& filter,
                const primitive::ConvParams& params,
                const ConvEpilogue& epilogue,
                DenseTensor* out) {
  const ConvPlanes g(images.dims(), filter.dims(), out->dims(), params, kLanes);
  float* result = dev_ctx.Alloc<float>(out);
  DenseTensor planes = primitive::EmptyTensor<float>(dev_ctx, {g.images * g.image() + g.reach});
  DenseTensor places = primitive::EmptyTensor<int64_t>(dev_ctx, {g.taps()});
  float* copied = planes.data<float>();
  const float* from = images.data<float>();
  const int64_t pixels = g.size[0] * g.size[1], copies = g.phases() * g.plane();
  ParallelFor(g.images * g.channels, primitive::RowGrain(copies), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) CopyChannel(g, from + i * pixels, copied + i * copies);
  });
  int64_t* offset = places.data<int64_t>();
  for (int64_t c = 0; c < g.channels / g.groups; ++c) {
    for (int64_t i = 0; i < g.kernel[0]; ++i) {
      for (int64_t j = 0; j < g.kernel[1]; ++j) {
        const int64_t y = i * g.dilation[0], x = j * g.dilation[1];
        const int64_t phase = y % g.stride[0] * g.stride[1] + x % g.stride[1];
        *offset++ = ((c * g.phases() + phase) * g.height + y / g.stride[0]) * g.width + x / g.stride[1];
      }
    }
  }
  const Convolver convolver(g, copied, places.data<int64_t>(), filter.data<float>());
  const int64_t of_group = g.filters / g.groups, blocks = (of_group + kMostRows - 1) / kMostRows;
  const int64_t work = kMostRows * g.taps() * g.windows[0] * g.width;
  ParallelFor(g.images * g.groups * blocks, std::max<int64_t>(1, kGrain / work), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t group = i / blocks % g.groups, first = i % blocks * kMostRows;
      const int64_t count = std::min(kMostRows, of_group - first);
      convolver.Run(i / blocks / g.groups, group * of_group + first, count, epilogue, result);
    }
  });
}

}  // namespace phi::funcs
