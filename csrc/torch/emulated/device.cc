// SPDX-License-Identifier: Apache-2.0
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <cstdint>

#include "backends/emulated/devices.h"
#include "backends/emulated/settings.h"
#include "torch/device_of_gpu.h"
#include "torch/emulated/allocators.h"
#include "torch/emulated/aten.h"
#include "torch/registration.h"

// The emulated GPUs as devices of torch's own, those of PrivateUse1.
namespace phi::torch_bridge {

namespace {

c10::Device At(int index) { return {c10::kPrivateUse1, static_cast<c10::DeviceIndex>(index)}; }

// A device has one stream.
class Guard final : public c10::impl::DeviceGuardImplInterface {
 public:
  c10::DeviceType type() const override { return c10::kPrivateUse1; }
  c10::Device exchangeDevice(c10::Device device) const override {
    return At(emulated::ExchangeDevice(device.has_index() ? device.index() : emulated::CurrentDevice()));
  }
  c10::Device getDevice() const override { return At(emulated::CurrentDevice()); }
  void setDevice(c10::Device device) const override { exchangeDevice(device); }
  void uncheckedSetDevice(c10::Device device) const noexcept override { exchangeDevice(device); }
  c10::Stream getStream(c10::Device device) const override { return c10::Stream(c10::Stream::DEFAULT, device); }
  c10::Stream exchangeStream(c10::Stream stream) const override { return stream; }
  c10::DeviceIndex deviceCount() const noexcept override { return emulated::kDevices; }
  bool queryStream(const c10::Stream&) const override { return true; }
  void synchronizeStream(const c10::Stream&) const override {}
};

// What the autograd engine asks for.
class Hooks final : public at::PrivateUse1HooksInterface {
 public:
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
};

}  // namespace

}  // namespace phi::torch_bridge

// What tests/emulated/two_devices.py calls.
extern "C" {

// Once in a process, before the autograd engine counts its devices. `order` is one of phi::emulated::Order.
void phi_emulate_devices(int order, uint64_t seed, int processors) {
  using namespace phi::torch_bridge;
  phi::emulated::CurrentSettings() = {static_cast<phi::emulated::Order>(order), seed, processors};
  static const c10::impl::DeviceGuardImplRegistrar guard(c10::kPrivateUse1, new Guard);
  at::RegisterPrivateUse1HooksInterface(new Hooks);
  c10::SetAllocator(c10::kPrivateUse1, EmulatedDeviceMemory());
  RegisterAtenOnDevice();
  SetDeviceOfGpu(c10::kPrivateUse1);
  RegisterOps(c10::kPrivateUse1);
}

int phi_current_device() { return phi::emulated::CurrentDevice(); }
void phi_set_device(int device) { phi::emulated::ExchangeDevice(device); }
}
