// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/pooling.h"
#ifdef PHI_DEVICE_CODE
#include "kernels/funcs/pooling_gpu.cuh"
#else
#include "kernels/funcs/pool_cpu.h"
#include "kernels/funcs/pool_grad_cpu.h"
#endif
