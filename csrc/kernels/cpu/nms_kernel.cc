// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"

namespace phi {

namespace {

// Whether two boxes have more than this part of what they cover together in common.
template <typename T>
bool Covers(const T* a, const T* b, T threshold) {
  const auto area = [](T left, T top, T right, T bottom) { return (right - left) * (bottom - top); };
  const T width = std::max(std::min(a[2], b[2]) - std::max(a[0], b[0]), T(0));
  const T height = std::max(std::min(a[3], b[3]) - std::max(a[1], b[1]), T(0));
  const T common = width * height;
  return common / (area(a[0], a[1], a[2], a[3]) + area(b[0], b[1], b[2], b[3]) - common) > threshold;
}

}  // namespace

// The boxes that none before covers.
template <typename T, typename Context>
void NMSKernel(const Context& dev_ctx, const DenseTensor& x, float threshold, DenseTensor* out) {
  const T* boxes = x.data<T>();
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < x.dims()[0]; ++i) {
    const auto covers = [&](int64_t k) { return Covers(boxes + k * 4, boxes + i * 4, T(threshold)); };
    if (std::none_of(kept.begin(), kept.end(), covers)) kept.push_back(i);
  }
  out->Resize({static_cast<int64_t>(kept.size())});
  std::copy(kept.begin(), kept.end(), dev_ctx.template Alloc<int64_t>(out));
}

}  // namespace phi

PD_REGISTER_KERNEL(nms, CPU, ALL_LAYOUT, phi::NMSKernel, float, double) {
  kernel->OutputAt(0).SetDataType(phi::DataType::INT64);
}
