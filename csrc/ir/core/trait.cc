// SPDX-License-Identifier: Apache-2.0
#include "ir/core/trait.h"

#include <iterator>

#include "common/enforce.h"

namespace phi::ir {

namespace {

constexpr const char* kNames[] = {"ReadOnly",
                                  "ValueSemantics",
                                  "Inplace",
                                  "ViewLike",
                                  "SideEffect",
                                  "Random",
                                  "Commutative",
                                  "Elementwise",
                                  "Terminator",
                                  "ConstantLike",
                                  "SameOperandsAndResultType",
                                  "DataDependentShape",
                                  "MachineDependent"};
static_assert(1u << (std::size(kNames) - 1) == static_cast<uint32_t>(Trait::MachineDependent));

}  // namespace

std::vector<std::string> TraitSet::Names() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (bits_ & 1u << i) names.emplace_back(kNames[i]);
  }
  return names;
}

Trait TraitOf(std::string_view name) {
  std::string known;
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<Trait>(1u << i);
    known += (i ? ", " : "") + std::string(kNames[i]);
  }
  PADDLE_THROW(errors::InvalidArgument("unknown trait '%s'; known are: %s", name, known));
}

}  // namespace phi::ir
