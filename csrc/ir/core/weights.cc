// SPDX-License-Identifier: Apache-2.0
#include "ir/core/weights.h"

#include <utility>

namespace phi::ir {

const Parameter& Weights::Set(const std::string& name, Parameter parameter) {
  const auto [at, is_new] = parameters_.try_emplace(name);
  if (!is_new) parameter.version = at->second.version + 1;
  at->second = std::move(parameter);
  return at->second;
}

const Parameter* Weights::Find(const std::string& name) const {
  const auto found = parameters_.find(name);
  return found == parameters_.end() ? nullptr : &found->second;
}

}  // namespace phi::ir
