// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/dense_tensor.h"
#include "core/device_context.h"

namespace phi::primitive::detail {

// Allocates the output, of types[0], and checks that the inputs are of the types after it; whether there are elements.
// It is apart from the loops, which are compiled for each type.
bool PrepareElementwise(const DeviceContext& dev_ctx,
                        DenseTensor* out,
                        const DataType* types,
                        std::span<const DenseTensor* const> inputs);

}  // namespace phi::primitive::detail
