// SPDX-License-Identifier: Apache-2.0
#pragma once

// What most of the sources below this folder include; see phi_torch/_build/precompiled.py.
#include <torch/library.h>
