// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/conv/pool.h"

namespace phi {

// Max or average pooling over the last (NCHW) or the middle (NHWC) two dimensions. A window without elements gives
// -infinity or 0.
template <typename T, typename Context>
void Pool2dKernel(const Context& dev_ctx,
                  const DenseTensor& x,
                  const IntArray& kernel_size,
                  const std::vector<int64_t>& strides,
                  const std::vector<int64_t>& paddings,
                  bool,
                  bool exclusive,
                  const std::string& data_format,
                  const std::string& pooling_type,
                  bool global_pooling,
                  bool adaptive,
                  const std::string& padding_algorithm,
                  DenseTensor* out) {
  T* result = dev_ctx.template Alloc<T>(out);
  if (out->numel() == 0) return;
  const PoolShape shape(x.dims(),
                        out->dims(),
                        kernel_size,
                        strides,
                        paddings,
                        exclusive,
                        data_format,
                        pooling_type,
                        global_pooling,
                        adaptive,
                        padding_algorithm);
  funcs::RunPool(dev_ctx, shape, x.data<T>(), result);
}

// The gradient of Pool2dKernel. That of a maximum goes to its first element in the window.
template <typename T, typename Context>
void Pool2dGradKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      const DenseTensor& out,
                      const DenseTensor& out_grad,
                      const IntArray& kernel_size,
                      const std::vector<int64_t>& strides,
                      const std::vector<int64_t>& paddings,
                      bool,
                      bool exclusive,
                      const std::string& data_format,
                      const std::string& pooling_type,
                      bool global_pooling,
                      bool adaptive,
                      const std::string& padding_algorithm,
                      DenseTensor* x_grad) {
  T* result = dev_ctx.template Alloc<T>(x_grad);
  if (x.numel() == 0) return;
  const PoolShape shape(x.dims(),
                        out.dims(),
                        kernel_size,
                        strides,
                        paddings,
                        exclusive,
                        data_format,
                        pooling_type,
                        global_pooling,
                        adaptive,
                        padding_algorithm);
  funcs::RunPoolGrad(dev_ctx, shape, x.data<T>(), out.data<T>(), out_grad.data<T>(), result);
}

}  // namespace phi
