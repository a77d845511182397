// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device_context.h"
#include "torch/libraries/cpu_gemm.h"

namespace phi::primitive {

// out = x @ y for each of a batch of the shape `batch`, or added to it, in blocks of oneDNN; false, and nothing is
// done, if this is not the way: another device or type, a processor on which BLAS is as fast, or too small a product.
bool MatMulInBlocks(const DeviceContext& ctx,
                    const MatMulOperand& x,
                    const MatMulOperand& y,
                    const DDim& batch,
                    bool accumulate,
                    DenseTensor* out);

}  // namespace phi::primitive
