// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "infermeta/binary.h"
#include "infermeta/nn.h"

namespace phi {}  // namespace phi
