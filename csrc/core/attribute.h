// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "common/int_array.h"
#include "common/layout.h"
#include "common/place.h"
#include "common/scalar.h"

namespace phi {

// The value of an attribute in a boxed call; the alternatives stand in the order of AttributeType.
using Attribute = std::variant<bool,
                               int64_t,
                               double,
                               std::string,
                               std::vector<bool>,
                               std::vector<int>,
                               std::vector<int64_t>,
                               std::vector<float>,
                               std::vector<double>,
                               std::vector<std::string>,
                               Scalar,
                               std::vector<Scalar>,
                               IntArray,
                               DataType,
                               DataLayout,
                               Place>;

}  // namespace phi
