// SPDX-License-Identifier: Apache-2.0
#include "kernels/library/convolution.h"

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"

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
