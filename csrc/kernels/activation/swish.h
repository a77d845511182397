// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/activation/silu.h"

namespace phi {

// silu by its other name
struct SwishFunctor : SiluFunctor {};
struct SwishGradFunctor : SiluGradFunctor {};

}  // namespace phi
