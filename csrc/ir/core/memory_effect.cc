// SPDX-License-Identifier: Apache-2.0
#include "ir/core/memory_effect.h"

namespace phi::ir {

Effects EffectsOf(const Operation& op) {
  const OpInfo info = op.info();
  Effects effects;
  effects.is_known = info.is_registered();
  effects.has_side_effect = info.HasTrait(Trait::SideEffect);
  effects.is_random = info.HasTrait(Trait::Random);
  for (const auto& [operand, result] : info.row().inplace) {
    if (static_cast<size_t>(operand) >= op.num_operands() || static_cast<size_t>(result) >= op.num_results()) continue;
    if (!op.operand(operand)) continue;
    effects.shared.emplace_back(operand, result);
    if (info.HasTrait(Trait::Inplace)) effects.written.push_back(operand);
  }
  if (info.HasTrait(Trait::Inplace) && effects.written.empty())
    effects.has_side_effect = true;  // nobody says what it is
  if (const auto* own = info.GetInterface<MemoryEffect>()) own->refine(op, &effects);
  return effects;
}

}  // namespace phi::ir
