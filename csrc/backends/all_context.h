// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_context.h"
#include "backends/gpu/gpu_context.h"

namespace phi {

// The context class that the kernels of a backend take.
template <Backend backend>
struct BackendContext;
template <>
struct BackendContext<Backend::CPU> {
  using Type = CPUContext;
};
template <>
struct BackendContext<Backend::ONEDNN> {
  using Type = OneDNNContext;
};
template <>
struct BackendContext<Backend::GPU> {
  using Type = GPUContext;
};
template <>
struct BackendContext<Backend::GPUDNN> {
  using Type = GPUContext;
};
template <>
struct BackendContext<Backend::KPS> {
  using Type = GPUContext;
};

}  // namespace phi
