// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace phi
