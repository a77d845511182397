// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "primitive/elementwise.h"

namespace phi {

// dst = src, in new memory if dst has none that fits. Both are on the context's device: what is needed elsewhere is
// said in the registration (kernel->InputAt(i).SetBackend), and brought there before the kernel runs.
template <typename Context>
void Copy(const Context& dev_ctx, const DenseTensor& src, const Place& place, bool blocking, DenseTensor* dst) {
  PADDLE_ENFORCE(src.place() == place && place == dev_ctx.GetPlace(),
                 errors::Unimplemented("a kernel copies on its own device %s, not from %s to %s; let the registration "
                                       "ask for the tensor where it is needed",
                                       dev_ctx.GetPlace(),
                                       src.place(),
                                       place));
  dst->Resize(src.dims());
  primitive::Copy(dev_ctx, src, dst);
  if (blocking) dev_ctx.Wait();
}

inline void CheckOnCpu(const char* function, const Place& place) {
  PADDLE_ENFORCE(
      place.GetType() == AllocationType::CPU,
      errors::Unimplemented("%s: expected a tensor on the CPU, got one on %s; let the registration ask for it "
                            "there (kernel->InputAt(i).SetBackend)",
                            function,
                            place));
}

// The elements of a tensor on the CPU.
template <typename T>
void TensorToVector(const DenseTensor& src, std::vector<T>* dst) {
  CheckOnCpu("TensorToVector", src.place());
  const T* data = src.data<T>();
  dst->assign(data, data + src.numel());
}

template <typename T, typename Context>
void TensorToVector(const DenseTensor& src, const Context&, std::vector<T>* dst) {
  TensorToVector(src, dst);
}

// A vector as a tensor with one dimension.
template <typename T, typename Context>
void TensorFromVector(const std::vector<T>& src, const Context& dev_ctx, DenseTensor* dst) {
  CheckOnCpu("TensorFromVector", dev_ctx.GetPlace());
  dst->Resize({static_cast<int64_t>(src.size())});
  std::copy(src.begin(), src.end(), dev_ctx.template Alloc<T>(dst));
}

}  // namespace phi
