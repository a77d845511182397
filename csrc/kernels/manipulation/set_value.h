// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "kernels/funcs/assign_part.h"
#include "primitive/memcpy.h"

namespace phi {

// x with `values`, of the shape `shape`, in a part of it.
template <typename T, typename Context>
void SetValueKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const IntArray& starts,
                    const IntArray& ends,
                    const IntArray& steps,
                    const std::vector<int64_t>& axes,
                    const std::vector<int64_t>& decrease_axes,
                    const std::vector<int64_t>& none_axes,
                    const std::vector<int64_t>& shape,
                    const std::vector<Scalar>& values,
                    DenseTensor* out) {
  primitive::Copy(dev_ctx, x, out);
  if (values.empty()) return;
  const auto numbers = std::make_unique<T[]>(values.size());
  for (size_t i = 0; i < values.size(); ++i) numbers[i] = values[i].to<T>();
  DenseTensor given = primitive::EmptyTensor<T>(dev_ctx, make_ddim(shape));
  const auto copy = GetPrimitive<primitive::Memcpy>(dev_ctx, primitive::MemcpyKind::kHostToDevice);
  copy(dev_ctx, given.data(), numbers.get(), values.size() * sizeof(T));
  const auto at = MakeAssignedPart(x.dims(), starts, ends, steps, axes, decrease_axes, none_axes);
  funcs::AssignPart<T>(dev_ctx, at, given, out);
  dev_ctx.Wait();  // for the copy from the host
}

// out_grad without the part.
template <typename T, typename Context>
void SetValueGradKernel(const Context& dev_ctx,
                        const DenseTensor& out_grad,
                        const IntArray& starts,
                        const IntArray& ends,
                        const IntArray& steps,
                        const std::vector<int64_t>& axes,
                        DenseTensor* x_grad) {
  const auto part = MakeSteppedPart(out_grad.dims(), axes, starts, ends, steps, "steps");
  funcs::ClearPart<T>(dev_ctx, part, out_grad, x_grad);
}

}  // namespace phi
