// SPDX-License-Identifier: Apache-2.0
#include "torch/emulated/allocators.h"

#include "backends/emulated/devices.h"
#include "backends/emulated/memory.h"

namespace phi::torch_bridge {

namespace {

class HostMemory final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t size) override {
    void* data = emulated::Allocate(emulated::kHost, size);
    return {data, data, &emulated::Free, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &emulated::Free; }
  void copy_data(void* to, const void* from, size_t size) const override { default_copy_data(to, from, size); }
};

class DeviceMemory final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t size) override {
    const int device = emulated::CurrentDevice();
    void* data = emulated::Allocate(device, size);
    return {data, data, &emulated::Free, c10::Device(c10::kPrivateUse1, static_cast<c10::DeviceIndex>(device))};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &emulated::Free; }
  void copy_data(void* to, const void* from, size_t size) const override {
    const emulated::AccessToAll access;
    default_copy_data(to, from, size);
  }
};

}  // namespace

// never destroyed: memory may be freed while the process ends
c10::Allocator* FencedHostMemory() {
  static auto* const allocator = new HostMemory;
  return allocator;
}

c10::Allocator* EmulatedDeviceMemory() {
  static auto* const allocator = new DeviceMemory;
  return allocator;
}

}  // namespace phi::torch_bridge
