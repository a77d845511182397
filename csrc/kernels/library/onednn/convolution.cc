// SPDX-License-Identifier: Apache-2.0
#include "kernels/library/convolution.h"

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/fusion/fused_conv2d_add_act.h"
#include "kernels/library/conv_transpose.h"

namespace phi {

template <typename T, typename Context>
void FusedConv2dAddActLibraryKernel(const Context& dev_ctx,
                                    const DenseTensor& input,
                                    const DenseTensor& filter,
                                    const paddle::optional<DenseTensor>& bias,
                                    const paddle::optional<DenseTensor>& residual_data,
                                    const std::vector<int>& strides,
                                    const std::vector<int>& paddings,
                                    const std::string& padding_algorithm,
                                    const std::vector<int>& dilations,
                                    int groups,
                                    const std::string& data_format,
                                    const std::string& activation,
                                    const std::vector<int>& split_channels,
                                    bool exhaustive_search,
                                    int workspace_size_MB,
                                    float fuse_alpha,
                                    DenseTensor* output,
                                    std::vector<DenseTensor*> outputs) {
  const CPUContext& cpu = dev_ctx;  // what the functions below are compiled for
  const funcs::ConvEpilogue epilogue{
      bias.get_ptr(), residual_data.get_ptr(), funcs::MakeActivation(activation, fuse_alpha)};
  const primitive::ConvParams params = funcs::MakeConvParams(
      input.dims(), filter.dims(), strides, paddings, padding_algorithm, dilations, groups, data_format);
  const bool is_empty = detail::ConvolveNothing<T>(cpu, input, filter, *output, {output});
  if (is_empty || !detail::Convolve(cpu, input, filter, params, epilogue, output)) {
    fusion::AddActivate<T>(cpu, bias, residual_data, epilogue.activation, params.channels_last, output);
  }
  fusion::CutChannels(cpu, *output, params.channels_last, outputs);
}

template <typename T, typename Context>
void FusedConv2dAddActGradLibraryKernel(const Context& dev_ctx,
                                        const DenseTensor& input,
                                        const DenseTensor& filter,
                                        const paddle::optional<DenseTensor>& bias,
                                        const paddle::optional<DenseTensor>& residual_data,
                                        const DenseTensor& output,
                                        const DenseTensor& output_grad,
                                        const std::vector<const DenseTensor*>& outputs_grad,
                                        const std::vector<int>& strides,
                                        const std::vector<int>& paddings,
                                        const std::string& padding_algorithm,
                                        const std::vector<int>& dilations,
                                        int groups,
                                        const std::string& data_format,
                                        const std::string& activation,
                                        const std::vector<int>& split_channels,
                                        float fuse_alpha,
                                        DenseTensor* input_grad,
                                        DenseTensor* filter_grad,
                                        DenseTensor* bias_grad,
                                        DenseTensor* residual_data_grad) {
  const CPUContext& cpu = dev_ctx;
  const auto convolve = [&](DenseTensor* before) {
    FusedConv2dAddActLibraryKernel<T>(dev_ctx,
                                      input,
                                      filter,
                                      bias,
                                      residual_data,
                                      strides,
                                      paddings,
                                      padding_algorithm,
                                      dilations,
                                      groups,
                                      data_format,
                                      "identity",
                                      {},
                                      false,
                                      0,
                                      0,
                                      before,
                                      {});
  };
  const DenseTensor grad = fusion::AddActivateGrad<T>(cpu,
                                                      output,
                                                      output_grad,
                                                      outputs_grad,
                                                      funcs::MakeActivation(activation, fuse_alpha),
                                                      data_format == "NHWC",
                                                      convolve,
                                                      bias_grad,
                                                      residual_data_grad);
  if (!input_grad && !filter_grad) return;
  Conv2dGradLibraryKernel<T>(dev_ctx,
                             input,
                             filter,
                             grad,
                             strides,
                             paddings,
                             padding_algorithm,
                             dilations,
                             groups,
                             data_format,
                             input_grad,
                             filter_grad);
}

}  // namespace phi

PD_REGISTER_KERNEL(
    conv2d, ONEDNN, ALL_LAYOUT, phi::Conv2dLibraryKernel, float, phi::dtype::float16, phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(
    conv2d_grad, ONEDNN, ALL_LAYOUT, phi::Conv2dGradLibraryKernel, float, phi::dtype::float16, phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(conv2d_transpose,
                   ONEDNN,
                   ALL_LAYOUT,
                   phi::Conv2dTransposeLibraryKernel,
                   float,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(conv2d_transpose_grad,
                   ONEDNN,
                   ALL_LAYOUT,
                   phi::Conv2dTransposeGradLibraryKernel,
                   float,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(
    conv3d, ONEDNN, ALL_LAYOUT, phi::Conv3dLibraryKernel, float, phi::dtype::float16, phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(conv3d_transpose,
                   ONEDNN,
                   ALL_LAYOUT,
                   phi::Conv3dTransposeLibraryKernel,
                   float,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(
    conv3d_grad, ONEDNN, ALL_LAYOUT, phi::Conv3dGradLibraryKernel, float, phi::dtype::float16, phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(conv3d_transpose_grad,
                   ONEDNN,
                   ALL_LAYOUT,
                   phi::Conv3dTransposeGradLibraryKernel,
                   float,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
// images with the channels last, as they are
PD_REGISTER_KERNEL(conv2d, ONEDNN, NHWC, phi::Conv2dLibraryKernel, float, phi::dtype::float16, phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(
    conv2d_grad, ONEDNN, NHWC, phi::Conv2dGradLibraryKernel, float, phi::dtype::float16, phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(conv2d_transpose,
                   ONEDNN,
                   NHWC,
                   phi::Conv2dTransposeLibraryKernel,
                   float,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(conv2d_transpose_grad,
                   ONEDNN,
                   NHWC,
                   phi::Conv2dTransposeGradLibraryKernel,
                   float,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(fused_conv2d_add_act,
                   ONEDNN,
                   ALL_LAYOUT,
                   phi::FusedConv2dAddActLibraryKernel,
                   float,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(fused_conv2d_add_act,
                   ONEDNN,
                   NHWC,
                   phi::FusedConv2dAddActLibraryKernel,
                   float,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(fused_conv2d_add_act_grad,
                   ONEDNN,
                   ALL_LAYOUT,
                   phi::FusedConv2dAddActGradLibraryKernel,
                   float,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(fused_conv2d_add_act_grad,
                   ONEDNN,
                   NHWC,
                   phi::FusedConv2dAddActGradLibraryKernel,
                   float,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
