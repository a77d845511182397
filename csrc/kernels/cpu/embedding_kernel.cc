// SPDX-License-Identifier: Apache-2.0
#include "kernels/impl/embedding_kernel_impl.h"

#include "core/kernel_registry.h"

PD_REGISTER_KERNEL(embedding,
                   CPU,
                   ALL_LAYOUT,
                   phi::EmbeddingKernel,
                   int8_t,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
