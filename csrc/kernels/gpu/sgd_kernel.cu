// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/sgd_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(sgd, GPU, ALL_LAYOUT, phi::SgdKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
