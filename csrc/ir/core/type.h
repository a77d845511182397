// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>

#include "ir/core/uniqued.h"

namespace phi::ir {

class Type : public Uniqued {
 public:
  using Uniqued::Uniqued;
  using Uniqued::operator==;
  std::string ToString() const;  // as text; "none" for the null type
};

inline std::ostream& operator<<(std::ostream& os, Type type) { return os << type.ToString(); }

}  // namespace phi::ir
