// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device_context.h"

struct CUstream_st;

namespace phi {

using gpuStream_t = CUstream_st*;  // cudaStream_t, without CUDA's headers

class GPUContext : public DeviceContext {
 public:
  using DeviceContext::DeviceContext;
  gpuStream_t stream() const { return stream_; }
  void SetStream(gpuStream_t stream) { stream_ = stream; }
  int GetSMCount() const { return sm_count_; }
  void SetSMCount(int count) { sm_count_ = count; }
  int GetMaxThreadsPerBlock() const { return 1024; }
  void Wait() const override;

 private:
  gpuStream_t stream_ = nullptr;
  int sm_count_ = 1;
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
