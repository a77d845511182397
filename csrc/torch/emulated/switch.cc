// SPDX-License-Identifier: Apache-2.0
#include <c10/core/Allocator.h>

#include <cstdint>
#include <memory>

#include "backends/emulated/settings.h"
#include "torch/emulated/allocators.h"
#include "torch/emulated/stand_in.h"

namespace phi::torch_bridge {

namespace {

// The emulated GPU in the place of the CPU, and its memory in that of torch's.
struct Emulation {
  GpuForCpu gpu;
  c10::Allocator* torch_allocator = c10::GetAllocator(c10::kCPU);

  Emulation() { c10::SetAllocator(c10::kCPU, FencedHostMemory()); }
  ~Emulation() { c10::SetAllocator(c10::kCPU, torch_allocator); }
};

std::unique_ptr<Emulation>& Current() {
  static auto& current = *new std::unique_ptr<Emulation>;  // never destroyed: the process may end while there is one
  return current;
}

}  // namespace

}  // namespace phi::torch_bridge

// What tests/emulated/device.py calls.
extern "C" {

void phi_emulate_nothing() { phi::torch_bridge::Current().reset(); }

// `order` is one of phi::emulated::Order.
void phi_emulate_gpu(int order, uint64_t seed, int processors) {
  phi::emulated::CurrentSettings() = {static_cast<phi::emulated::Order>(order), seed, processors};
  phi_emulate_nothing();
  phi::torch_bridge::Current() = std::make_unique<phi::torch_bridge::Emulation>();
}
}
