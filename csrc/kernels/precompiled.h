// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/cpu/vec/vec.h>

#include "core/kernel_registry.h"
