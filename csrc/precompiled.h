// SPDX-License-Identifier: Apache-2.0
#pragma once

// What most of the sources of phi_core include; see phi_torch/_build/precompiled.py.
#include <algorithm>
#include <functional>
#include <map>
#include <sstream>

#include "core/kernel_context.h"
