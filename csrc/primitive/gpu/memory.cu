// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/gpu_launch.cuh"
#include "primitive/memcpy.h"
#include "primitive/memset.h"

namespace phi::primitive {

namespace {

template <cudaMemcpyKind kind>
void CopyBytes(const DeviceContext& dev_ctx, void* to, const void* from, size_t bytes) {
  const cudaStream_t stream = static_cast<const GPUContext&>(dev_ctx).stream();
  backends::gpu::Check(cudaMemcpyAsync(to, from, bytes, kind, stream), "a copy of memory");
}

void SetBytes(const DeviceContext& dev_ctx, void* to, int value, size_t bytes) {
  const cudaStream_t stream = static_cast<const GPUContext&>(dev_ctx).stream();
  backends::gpu::Check(cudaMemsetAsync(to, value, bytes, stream), "setting memory");
}

[[maybe_unused]] const bool registered =
    RegisterPrimitive<Memcpy>(Backend::GPU, &CopyBytes<cudaMemcpyHostToDevice>, MemcpyKind::kHostToDevice) &&
    RegisterPrimitive<Memcpy>(Backend::GPU, &CopyBytes<cudaMemcpyDeviceToHost>, MemcpyKind::kDeviceToHost) &&
    RegisterPrimitive<Memcpy>(Backend::GPU, &CopyBytes<cudaMemcpyDeviceToDevice>, MemcpyKind::kDeviceToDevice) &&
    RegisterPrimitive<Memset>(Backend::GPU, &SetBytes);

}  // namespace

}  // namespace phi::primitive
