// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace phi::ir {

// What an operator is, as bits; traits of a user's own are classes, by TypeId.
enum class Trait : uint32_t {
  ReadOnly = 1u << 0,        // writes none of its operands
  ValueSemantics = 1u << 1,  // takes and makes vtensors
  Inplace = 1u << 2,         // a result is an operand that it writes
  ViewLike = 1u << 3,        // a result shares the memory of an operand
  SideEffect = 1u << 4,      // does something besides its results
  Random = 1u << 5,
  Commutative = 1u << 6,
  Elementwise = 1u << 7,
  Terminator = 1u << 8,  // ends a block
  ConstantLike = 1u << 9,
  SameOperandsAndResultType = 1u << 10,
  DataDependentShape = 1u << 11,  // a result's shape depends on the data of an operand
  MachineDependent = 1u << 12,    // means something on this machine only
};

class TraitSet {
 public:
  constexpr TraitSet() = default;
  constexpr TraitSet(Trait trait) : bits_(static_cast<uint32_t>(trait)) {}  // NOLINT
  constexpr TraitSet operator|(TraitSet o) const { return TraitSet(bits_ | o.bits_); }
  constexpr bool Has(Trait trait) const { return bits_ & static_cast<uint32_t>(trait); }
  std::vector<std::string> Names() const;

 private:
  constexpr explicit TraitSet(uint32_t bits) : bits_(bits) {}
  uint32_t bits_ = 0;
};

constexpr TraitSet operator|(Trait a, Trait b) { return TraitSet(a) | TraitSet(b); }

// InvalidArgument for an unknown name.
Trait TraitOf(std::string_view name);

}  // namespace phi::ir
