// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_context.h"
#include "backends/custom/custom_context.h"
#include "backends/gpu/gpu_context.h"
