// SPDX-License-Identifier: Apache-2.0
#include "kernels/library/convolution.h"

#include "backends/gpu/gpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/library/conv_transpose.h"

PD_REGISTER_KERNEL(
    conv2d, GPUDNN, ALL_LAYOUT, phi::Conv2dLibraryKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(conv2d_grad,
                   GPUDNN,
                   ALL_LAYOUT,
                   phi::Conv2dGradLibraryKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(conv2d_transpose,
                   GPUDNN,
                   ALL_LAYOUT,
                   phi::Conv2dTransposeLibraryKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(conv2d_transpose_grad,
                   GPUDNN,
                   ALL_LAYOUT,
                   phi::Conv2dTransposeGradLibraryKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
// images with the channels last, as they are
PD_REGISTER_KERNEL(
    conv2d, GPUDNN, NHWC, phi::Conv2dLibraryKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(
    conv2d_grad, GPUDNN, NHWC, phi::Conv2dGradLibraryKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
}
PD_REGISTER_KERNEL(conv2d_transpose,
                   GPUDNN,
                   NHWC,
                   phi::Conv2dTransposeLibraryKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
PD_REGISTER_KERNEL(conv2d_transpose_grad,
                   GPUDNN,
                   NHWC,
                   phi::Conv2dTransposeGradLibraryKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
