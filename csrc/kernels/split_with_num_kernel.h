// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/split_kernel.h"  // declares both forms
