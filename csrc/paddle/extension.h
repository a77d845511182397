// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a custom operator of Paddle includes, on top of torch. docs/porting.md says what differs.
#define PHI_TORCH 1  // tells the two apart in a source that is compiled for both

#if defined(__CUDACC__) && !defined(PADDLE_WITH_CUDA)
#define PADDLE_WITH_CUDA
#endif
#ifdef PADDLE_WITH_CUDA
#include <cuda_runtime.h>
using gpuStream_t = cudaStream_t;
#endif

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>

#include "common/enforce.h"
#include "common/layout.h"
#include "core/device_context_pool.h"
#include "paddle/dispatch.h"
#include "paddle/op_meta_info.h"
#include "paddle/ops.h"
#include "paddle/tensor.h"

namespace paddle {
using namespace experimental;  // NOLINT  // the operators
}
