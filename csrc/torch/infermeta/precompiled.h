// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the functions of infermeta/ for symbolic sizes include, a fifth of ../precompiled.h; see
// phi_torch/_build/precompiled.py.
#include <c10/core/SymInt.h>

#include "core/meta_tensor.h"
