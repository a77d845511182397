// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// oneDNN's product of a block, inside torch, which has it for its attention: at::native::cpublas::brgemm. It begins at
// once, and neither orders the matrix anew in each call nor asks which implementation to take.
namespace phi::primitive {

inline constexpr int64_t kBlock = 64;             // rows, or columns
inline constexpr int64_t kWorthThread = 1 << 20;  // multiplications

// Whether it multiplies floats, and has better instructions for that than BLAS: MKL takes AVX-512 on the processors of
// its maker alone.
bool HasFloatBlocks();

// Whether it multiplies pairs of bfloat16 by instructions of the processor.
bool HasPairBlocks();

}  // namespace phi::primitive
