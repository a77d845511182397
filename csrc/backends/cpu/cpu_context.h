// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backends/cpu/elementwise_loop.h"
#include "core/device_context.h"

namespace phi {

inline constexpr int64_t kLine = 64;               // bytes of a cache line
inline constexpr int64_t kStreamBytes = 24 << 20;  // of a result that no cache would hold until it is read

class CPUContext : public DeviceContext {
 public:
  CPUContext() : DeviceContext(CPUPlace()) {}

  // Where elementwise kernels note the loops that they run; nowhere, as a rule.
  void NoteLoopsIn(std::vector<ElementwiseLoop>* loops) { loops_ = loops; }
  bool notes_loops() const { return loops_ != nullptr; }
  [[gnu::noinline]] void NoteLoop(const ElementwiseLoop& loop) const { loops_->push_back(loop); }

 private:
  std::vector<ElementwiseLoop>* loops_ = nullptr;
};

// Kernels of the backend ONEDNN run on the CPU and call oneDNN.
class OneDNNContext : public CPUContext {};

template <>
struct BackendContext<Backend::CPU> {
  using Type = CPUContext;
};
template <>
struct BackendContext<Backend::ONEDNN> {
  using Type = OneDNNContext;
};

}  // namespace phi
