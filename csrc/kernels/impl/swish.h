// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/impl/silu.h"

namespace phi {

// silu by its other name
template <typename T>
struct SwishFunctor : SiluFunctor<T> {};

template <typename T>
struct SwishGradFunctor : SiluGradFunctor<T> {};

}  // namespace phi
