// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "infermeta/interpolate.h"
#include "kernels/bilinear_interp_grad_kernel.h"
#include "kernels/bilinear_interp_kernel.h"
#include "kernels/nearest_interp_grad_kernel.h"
#include "kernels/nearest_interp_kernel.h"
#include "primitive/elementwise.h"
#ifdef __CUDACC__
#include "kernels/funcs/interp_gpu.cuh"
#else
#include "kernels/funcs/interp_cpu.h"
#endif

namespace phi {
namespace funcs {

struct InterpSizes {
  int64_t out[2];            // height, width
  double scale[2] = {0, 0};  // 0: what the sizes say
};

inline int64_t IntegerAt(const DenseTensor& tensor, int64_t i) {
  return tensor.dtype() == DataType::INT64 ? tensor.data<int64_t>()[i] : tensor.data<int32_t>()[i];
}

// In Paddle's order: size_tensor, then out_size, then the scale, then the numbers. The tensors are on the CPU.
inline InterpSizes ReadInterpSizes(const DDim& x,
                                   bool channels_last,
                                   const paddle::optional<DenseTensor>& out_size,
                                   const paddle::optional<std::vector<const DenseTensor*>>& size_tensor,
                                   const paddle::optional<DenseTensor>& scale_tensor,
                                   int64_t out_h,
                                   int64_t out_w,
                                   const std::vector<double>& scale) {
  InterpSizes sizes{{out_h, out_w}};
  const bool has_list = size_tensor && !size_tensor->empty();
  for (int i = 0; i < 2; ++i) {
    if (has_list) {
      sizes.out[i] = IntegerAt(*(*size_tensor)[i], 0);
      CheckInterpSize(sizes.out[i], "size_tensor");
      continue;
    }
    if (scale_tensor) {
      sizes.scale[i] = scale_tensor->data<float>()[scale_tensor->numel() > 1 ? i : 0];
      PADDLE_ENFORCE(
          sizes.scale[i] > 0 && std::isfinite(sizes.scale[i]),
          errors::InvalidArgument("argument 'scale_tensor': expected positive numbers, got %f", sizes.scale[i]));
    } else if (!scale.empty()) {
      sizes.scale[i] = scale[i];
    }
    if (out_size) {
      sizes.out[i] = IntegerAt(*out_size, i);
      CheckInterpSize(sizes.out[i], "out_size");
    } else if (sizes.scale[i] > 0) {
      sizes.out[i] = ScaledSize(x[channels_last ? 1 + i : 2 + i], sizes.scale[i]);
      CheckInterpSize(sizes.out[i], scale_tensor ? "scale_tensor" : "scale");
    }
  }
  return sizes;
}

inline InterpShape MakeInterpShape(const DDim& x,
                                   const InterpSizes& sizes,
                                   const std::string& data_format,
                                   const std::string& interp_method,
                                   bool align_corners,
                                   int align_mode) {
  const bool channels_last = data_format == "NHWC";
  const auto axis = [&](int i) {
    const int64_t in = x[channels_last ? 1 + i : 2 + i];
    return InterpAxis(in, sizes.out[i], sizes.scale[i], interp_method == "nearest", align_corners, align_mode == 0);
  };
  return {channels_last ? x[0] : x[0] * x[1], channels_last ? x[3] : 1, axis(0), axis(1)};
}

template <typename T, typename Context>
void RunInterpolate(const Context& dev_ctx,
                    const DenseTensor& x,
                    const InterpSizes& sizes,
                    const std::string& data_format,
                    const std::string& interp_method,
                    bool align_corners,
                    int align_mode,
                    DenseTensor* output) {
  const InterpShape shape = MakeInterpShape(x.dims(), sizes, data_format, interp_method, align_corners, align_mode);
  DDim dims = x.dims();
  dims[data_format == "NHWC" ? 1 : 2] = shape.height.out;
  dims[data_format == "NHWC" ? 2 : 3] = shape.width.out;
  if (output->dims() != dims) output->Resize(dims);
  T* out = dev_ctx.template Alloc<T>(output);
  if (shape.IsCopy()) return primitive::Copy(dev_ctx, x, output);
  if (shape.OutSize() > 0) Interpolate(dev_ctx, shape, x.data<T>(), out);
}

template <typename T, typename Context>
void RunInterpolateGrad(const Context& dev_ctx,
                        const DenseTensor& x,
                        const DenseTensor& output_grad,
                        InterpSizes sizes,
                        const std::string& data_format,
                        const std::string& interp_method,
                        bool align_corners,
                        int align_mode,
                        DenseTensor* x_grad) {
  for (int i = 0; i < 2; ++i) sizes.out[i] = output_grad.dims()[data_format == "NHWC" ? 1 + i : 2 + i];
  const InterpShape shape = MakeInterpShape(x.dims(), sizes, data_format, interp_method, align_corners, align_mode);
  T* grad = dev_ctx.template Alloc<T>(x_grad);
  if (shape.IsCopy()) return primitive::Copy(dev_ctx, output_grad, x_grad);
  if (shape.InSize() > 0) InterpolateGrad(dev_ctx, shape, output_grad.data<T>(), grad);
}

}  // namespace funcs

template <typename T, typename Context>
void NearestInterpKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const paddle::optional<DenseTensor>& out_size,
                         const paddle::optional<std::vector<const DenseTensor*>>& size_tensor,
                         const paddle::optional<DenseTensor>& scale_tensor,
                         const std::string& data_format,
                         int out_d,
                         int out_h,
                         int out_w,
                         const std::vector<double>& scale,
                         const std::string& interp_method,
                         bool align_corners,
                         int align_mode,
                         DenseTensor* output) {
  const funcs::InterpSizes sizes =
      funcs::ReadInterpSizes(x.dims(), data_format == "NHWC", out_size, size_tensor, scale_tensor, out_h, out_w, scale);
  funcs::RunInterpolate<T>(dev_ctx, x, sizes, data_format, interp_method, align_corners, align_mode, output);
}

template <typename T, typename Context>
void NearestInterpGradKernel(const Context& dev_ctx,
                             const DenseTensor& x,
                             const paddle::optional<DenseTensor>& out_size,
                             const paddle::optional<std::vector<const DenseTensor*>>& size_tensor,
                             const paddle::optional<DenseTensor>& scale_tensor,
                             const DenseTensor& output_grad,
                             const std::string& data_format,
                             int out_d,
                             int out_h,
                             int out_w,
                             const std::vector<double>& scale,
                             const std::string& interp_method,
                             bool align_corners,
                             int align_mode,
                             DenseTensor* x_grad) {
  const funcs::InterpSizes sizes =
      funcs::ReadInterpSizes(x.dims(), data_format == "NHWC", out_size, size_tensor, scale_tensor, out_h, out_w, scale);
  funcs::RunInterpolateGrad<T>(
      dev_ctx, x, output_grad, sizes, data_format, interp_method, align_corners, align_mode, x_grad);
}

template <typename T, typename Context>
void BilinearInterpKernel(const Context& dev_ctx,
                          const DenseTensor& x,
                          const paddle::optional<DenseTensor>& out_size,
                          const paddle::optional<std::vector<const DenseTensor*>>& size_tensor,
                          const paddle::optional<DenseTensor>& scale_tensor,
                          const std::string& data_format,
                          int out_d,
                          int out_h,
                          int out_w,
                          const std::vector<double>& scale,
                          const std::string& interp_method,
                          bool align_corners,
                          int align_mode,
                          DenseTensor* output) {
  const funcs::InterpSizes sizes =
      funcs::ReadInterpSizes(x.dims(), data_format == "NHWC", out_size, size_tensor, scale_tensor, out_h, out_w, scale);
  funcs::RunInterpolate<T>(dev_ctx, x, sizes, data_format, interp_method, align_corners, align_mode, output);
}

template <typename T, typename Context>
void BilinearInterpGradKernel(const Context& dev_ctx,
                              const DenseTensor& x,
                              const paddle::optional<DenseTensor>& out_size,
                              const paddle::optional<std::vector<const DenseTensor*>>& size_tensor,
                              const paddle::optional<DenseTensor>& scale_tensor,
                              const DenseTensor& output_grad,
                              const std::string& data_format,
                              int out_d,
                              int out_h,
                              int out_w,
                              const std::vector<double>& scale,
                              const std::string& interp_method,
                              bool align_corners,
                              int align_mode,
                              DenseTensor* x_grad) {
  const funcs::InterpSizes sizes =
      funcs::ReadInterpSizes(x.dims(), data_format == "NHWC", out_size, size_tensor, scale_tensor, out_h, out_w, scale);
  funcs::RunInterpolateGrad<T>(
      dev_ctx, x, output_grad, sizes, data_format, interp_method, align_corners, align_mode, x_grad);
}

}  // namespace phi
