// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "core/string_tensor.h"

namespace phi::strings {

template <typename Context>
void MakeEmpty(const Context& dev_ctx, StringTensor* out) {
  const int64_t size = out->numel() + 1;
  std::fill_n(dev_ctx.template Alloc<int64_t>(&out->mutable_offsets()->Resize({size})), size, 0);
  dev_ctx.template Alloc<uint8_t>(&out->mutable_bytes()->Resize({0}));
}

template <typename T, typename Context>
void EmptyKernel(const Context& dev_ctx, const IntArray&, StringTensor* out) {
  MakeEmpty(dev_ctx, out);
}

template <typename T, typename Context>
void EmptyLikeKernel(const Context& dev_ctx, const StringTensor&, StringTensor* out) {
  MakeEmpty(dev_ctx, out);
}

}  // namespace phi::strings

PD_REGISTER_KERNEL(strings_empty, CPU, ALL_LAYOUT, phi::strings::EmptyKernel, phi::dtype::pstring) {}
PD_REGISTER_KERNEL(strings_empty_like, CPU, ALL_LAYOUT, phi::strings::EmptyLikeKernel, phi::dtype::pstring) {}
