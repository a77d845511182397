// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_context.h"
#include "kernels/funcs/activation.h"
#include "primitive/convolution.h"

// Convolutions of small images on the CPU, without a library, which takes longer to begin than they take in all.
namespace phi::funcs {

// What is done to a result before it is written; null is left out.
struct ConvEpilogue {
  const DenseTensor* bias = nullptr;
  const DenseTensor* residual = nullptr;
  Activation activation{Activation::Kind::kIdentity, 0};
};

// Whether DirectConv takes these images, and less time than the library.
bool IsForDirectConv(const DenseTensor& images,
                     const DenseTensor& filter,
                     const DenseTensor& out,
                     const primitive::ConvParams& params,
                     const ConvEpilogue& epilogue);

// out = activation(convolution + bias + residual), of float32 and half types. Elements of the padding count as zeros.
void DirectConv(const CPUContext& dev_ctx,
                const DenseTensor& images,
                const DenseTensor& filter,
                const primitive::ConvParams& params,
                const ConvEpilogue& epilogue,
                DenseTensor* out);

}  // namespace phi::funcs
