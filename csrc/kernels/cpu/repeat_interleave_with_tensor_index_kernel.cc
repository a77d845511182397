// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/axis_utils.h"
#include "primitive/gather.h"
#include "primitive/loop/id_type.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

namespace {

// For each slice of the result the one of `count` slices that it is a copy of: each as often as `repeats`, which has a
// number for each, or one for all, says.
template <typename Id, typename Context>
DenseTensor Places(const Context& dev_ctx, const Id* repeats, bool is_one, int64_t count) {
  int64_t size = 0;
  for (int64_t i = 0; i < (is_one ? 1 : count); ++i) {
    PADDLE_ENFORCE(
        repeats[i] >= 0,
        errors::InvalidArgument("argument 'repeats': expected no negative number, got %d", int64_t{repeats[i]}));
    PADDLE_ENFORCE(
        !__builtin_add_overflow(size, repeats[i], &size) && (!is_one || !__builtin_mul_overflow(size, count, &size)),
        errors::InvalidArgument("argument 'repeats': expected a sum below 2^63"));
  }
  DenseTensor places = primitive::EmptyTensor<int64_t>(dev_ctx, {size});
  int64_t* place = places.template data<int64_t>();
  for (int64_t i = 0; i < count; ++i) place = std::fill_n(place, repeats[is_one ? 0 : i], i);
  return places;
}

}  // namespace

template <typename T, typename Context>
void RepeatInterleaveWithTensorIndexKernel(const Context& dev_ctx,
                                           const DenseTensor& x,
                                           const DenseTensor& repeats,
                                           int axis,
                                           int64_t output_size,
                                           DenseTensor* out) {
  const primitive::LookupTable table = primitive::TableAlong(x, axis);
  DenseTensor places;
  primitive::WithIds(repeats, [&](const auto* numbers) {
    // one number for a single slice is that of the slice
    places = Places(dev_ctx, numbers, repeats.numel() == 1 && table.rows != 1, table.rows);
  });
  PADDLE_ENFORCE(output_size == -1 || output_size == places.numel(),
                 errors::InvalidArgument(
                     "argument 'output_size': expected the sum of 'repeats', %d, got %d", places.numel(), output_size));
  DDim dims = x.dims();
  dims[funcs::CanonicalAxis(axis, dims.size())] = places.numel();
  out->Resize(dims);
  dev_ctx.template Alloc<T>(out);
  if (out->numel() > 0) GetPrimitive<primitive::Gather>(dev_ctx)(dev_ctx, table, places, x, out);
}

}  // namespace phi

PD_REGISTER_KERNEL(repeat_interleave_with_tensor_index,
                   CPU,
                   ALL_LAYOUT,
                   phi::RepeatInterleaveWithTensorIndexKernel,
                   bool,
                   uint8_t,
                   int8_t,
                   int16_t,
                   int32_t,
                   int64_t,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {
  kernel->InputAt(1).SetDataType(phi::DataType::UNDEFINED);
}
