// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/channel_sums.cuh"
#include "primitive/gpu/fast_divide.h"

namespace phi::funcs {

namespace detail {

// element -> channel, without a 64-bit division if there are fewer than 2^31 elements
struct ChannelOf {
  primitive::FastDivide inner;
  primitive::FastDivide channels;
  __device__ int64_t operator()(int64_t i) const {
    const uint32_t outer = inner.Divide(static_cast<uint32_t>(i));
    return outer - channels.Divide(outer) * channels.divisor;
  }
};
struct WideChannelOf {
  int64_t inner;
  int64_t channels;
  __device__ int64_t operator()(int64_t i) const { return i / inner % channels; }
};

template <typename Of, typename F>
struct WithChannel {
  Of channel_of;
  F f;
  __device__ void operator()(int64_t i) const { f(i, channel_of(i)); }
};

}  // namespace detail

// f(element, channel) for each element of [outer, channels, inner], on the GPU.
template <typename F>
void ChannelMap(const GPUContext& dev_ctx, const ChannelShape& shape, const F& f) {
  const int64_t n = shape.outer * shape.channels * shape.inner;
  if (n == 0) return;
  if (n < (int64_t{1} << 31)) {
    const detail::ChannelOf of{primitive::FastDivide(static_cast<uint32_t>(shape.inner)),
                               primitive::FastDivide(static_cast<uint32_t>(shape.channels))};
    primitive::detail::RunForEach(dev_ctx, n, detail::WithChannel<detail::ChannelOf, F>{of, f});
  } else {
    const detail::WideChannelOf of{shape.inner, shape.channels};
    primitive::detail::RunForEach(dev_ctx, n, detail::WithChannel<detail::WideChannelOf, F>{of, f});
  }
}

}  // namespace phi::funcs
