// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernel_context.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/dialect.h"
