// SPDX-License-Identifier: Apache-2.0
#include "torch/registration.h"

#include <ATen/autocast_mode.h>
#include <c10/core/TensorOptions.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace phi::torch_bridge {

namespace {

struct Registration {
  const char* ns;
  c10::DispatchKey functionality;
  RegisterFn function;
};

c10::DispatchKey KeyOf(c10::DispatchKey functionality, c10::DeviceType device) {
  if (functionality == c10::DispatchKey::Autocast) {
    return at::autocast::get_autocast_dispatch_key_from_device_type(device);
  }
  const c10::DispatchKey dense = c10::computeDispatchKey(std::nullopt, std::nullopt, c10::Device(device));
  return c10::toRuntimePerBackendFunctionalityKey(functionality, c10::toBackendComponent(dense));
}

// What was registered, and for which devices. Never destroyed: the process may end while operators run.
class Registrations {
 public:
  static Registrations& Instance() {
    static Registrations& registrations = *new Registrations;
    return registrations;
  }

  void Add(const Registration& registration) {
    const std::lock_guard<std::mutex> lock(mutex_);
    registrations_.push_back(registration);
    for (const c10::DeviceType device : devices_) Run(registration, device);
  }
  void Add(c10::DeviceType device) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (std::find(devices_.begin(), devices_.end(), device) != devices_.end()) return;
    devices_.push_back(device);
    for (const Registration& registration : registrations_) Run(registration, device);
  }

 private:
  void Run(const Registration& registration, c10::DeviceType device) {
    const c10::DispatchKey key = KeyOf(registration.functionality, device);
    libraries_.emplace_back(torch::Library::IMPL, registration.ns, key, __FILE__, __LINE__);
    registration.function(libraries_.back(), device);
  }

  std::mutex mutex_;
  std::vector<c10::DeviceType> devices_{c10::kCPU, c10::kCUDA};
  std::vector<Registration> registrations_;
  std::vector<torch::Library> libraries_;
};

}  // namespace

bool RegisterForDevices(const char* ns, c10::DispatchKey functionality, RegisterFn function) {
  Registrations::Instance().Add({ns, functionality, function});
  return true;
}

void RegisterOps(c10::DeviceType device) { Registrations::Instance().Add(device); }

}  // namespace phi::torch_bridge
