// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "core/kernel_registry.h"
#include "kernels/funcs/runs_cpu.h"
#include "primitive/sort.h"

namespace phi {

namespace {

// The elements in order, and where each was.
template <typename T>
funcs::Runs RunsOfElements(const CPUContext& dev_ctx, const DenseTensor& x, DenseTensor* places) {
  const int64_t size = x.numel();
  DenseTensor sorted = primitive::EmptyTensor<T>(dev_ctx, {size});
  if (size > 0) {
    const primitive::AxisShape line({size}, 0);
    GetPrimitive<primitive::Sort>(dev_ctx, sorted.dtype())(dev_ctx, x, line, false, &sorted, places);
  }
  const funcs::Slices<T> elements(sorted.data<T>(), sorted.dims(), {});
  return funcs::Runs(dev_ctx, size, places->data<int64_t>(), [=](int64_t i) { return elements.Differ(i, i - 1); });
}

template <typename T>
funcs::Runs RunsOfSlices(const CPUContext& dev_ctx, const funcs::Slices<T>& slices, DenseTensor* places) {
  int64_t* place = places->data<int64_t>();
  std::iota(place, place + slices.size(), 0);
  std::stable_sort(place, place + slices.size(), [&](int64_t a, int64_t b) { return slices.IsLess(a, b); });
  return funcs::Runs(dev_ctx, slices.size(), place, [=](int64_t i) { return slices.Differ(place[i], place[i - 1]); });
}

// A bool is sorted as the number that it is in memory.
DenseTensor AsNumbers(const DenseTensor& x) {
  if (x.dtype() != DataType::BOOL) return x;
  DenseTensorMeta meta = x.meta();
  meta.dtype = DataType::UINT8;
  return DenseTensor(meta, x.place(), const_cast<void*>(x.data()));
}

}  // namespace

// By the places of the slices in their order.
template <typename T, typename Context>
void UniqueKernel(const Context& dev_ctx,
                  const DenseTensor& x,
                  bool return_index,
                  bool return_inverse,
                  bool return_counts,
                  const std::vector<int>& axis,
                  DataType dtype,
                  DenseTensor* out,
                  DenseTensor* indices,
                  DenseTensor* inverse,
                  DenseTensor* counts) {
  using Number = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;
  const DenseTensor numbers = AsNumbers(x);
  const funcs::Slices<Number> slices(numbers.data<Number>(), x.dims(), axis);
  DenseTensor places = primitive::EmptyTensor<int64_t>(dev_ctx, {slices.size()});
  const funcs::Runs runs = slices.are_elements() ? RunsOfElements<Number>(dev_ctx, numbers, &places)
                                                 : RunsOfSlices(dev_ctx, slices, &places);
  runs.TakeFirsts<T>(dev_ctx, slices.table(), x, axis, out);
  const auto tell = [&]<typename Index>(Index) {
    Index* first = dev_ctx.template Alloc<Index>(&indices->Resize({return_index ? runs.count() : 0}));
    Index* of = dev_ctx.template Alloc<Index>(inverse);
    Index* times = dev_ctx.template Alloc<Index>(&counts->Resize({return_counts ? runs.count() : 0}));
    if (return_index) runs.Firsts(first);
    if (return_inverse) runs.Inverse(of);
    if (return_counts) runs.Counts(times);
  };
  dtype == DataType::INT32 ? tell(int32_t()) : tell(int64_t());
}

}  // namespace phi

PD_REGISTER_KERNEL(unique,
                   CPU,
                   ALL_LAYOUT,
                   phi::UniqueKernel,
                   bool,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int32_t,
                   int64_t,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {
  for (int i : {1, 2, 3}) kernel->OutputAt(i).SetDataType(phi::DataType::UNDEFINED);
}
