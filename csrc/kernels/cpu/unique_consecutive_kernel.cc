// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "kernels/funcs/runs_cpu.h"

namespace phi {

template <typename T, typename Context>
void UniqueConsecutiveKernel(const Context& dev_ctx,
                             const DenseTensor& x,
                             bool return_inverse,
                             bool return_counts,
                             const std::vector<int>& axis,
                             DataType,
                             DenseTensor* out,
                             DenseTensor* index,
                             DenseTensor* counts) {
  const funcs::Slices<T> slices(x.data<T>(), x.dims(), axis);
  if (!return_inverse && !return_counts && (axis.empty() || x.dims().size() == 1)) {
    dev_ctx.template Alloc<int64_t>(index);
    dev_ctx.template Alloc<int64_t>(&counts->Resize({0}));
    return funcs::TakeFirstElements(dev_ctx, x.data<T>(), slices.size(), out);
  }
  const funcs::Runs runs(dev_ctx, slices.size(), nullptr, [=](int64_t i) { return slices.Differ(i, i - 1); });
  runs.TakeFirsts<T>(dev_ctx, slices.table(), x, axis, out);
  const auto tell = [&]<typename Index>(Index) {
    Index* of = dev_ctx.template Alloc<Index>(index);
    Index* times = dev_ctx.template Alloc<Index>(&counts->Resize({return_counts ? runs.count() : 0}));
    if (return_inverse) runs.Inverse(of);
    if (return_counts) runs.Counts(times);
  };
  index->dtype() == DataType::INT32 ? tell(int32_t()) : tell(int64_t());
}

}  // namespace phi

PD_REGISTER_KERNEL(unique_consecutive, CPU, ALL_LAYOUT, phi::UniqueConsecutiveKernel, PHI_ALL_DTYPES) {
  for (int i : {1, 2}) kernel->OutputAt(i).SetDataType(phi::DataType::UNDEFINED);
}
