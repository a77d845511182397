// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/kernel_call.h"

#include <algorithm>

#include "ir/dialect/kernel_info.h"
#include "ir/exec/kernel_argument.h"

namespace phi::ir {

namespace {

// What the operator declares of an argument; null where it does not say which of its attributes that is.
const AttributeInfo* Declared(const Step& step, size_t i) {
  const auto* kernel = step.op->info().GetInterface<KernelInfo>();
  if (kernel == nullptr || kernel->attributes.size() != step.attributes.size()) return nullptr;
  return &step.op->info().row().attributes[kernel->attributes[i]];
}

bool IsDefault(IrContext* context, const Step& step, size_t i, Attribute value) {
  const AttributeInfo* info = Declared(step, i);
  if (info == nullptr || info->default_value.kind == Literal::Kind::None) return false;
  const AttributeType type = step.plan.kernel().args_def().attribute_defs().at(i);
  const Attribute standard = MakeAttribute(context, info->kind, info->element, info->default_value);
  return FromKernelArgument(context, KernelArgument(type, standard)) == value;
}

}  // namespace

std::string ArgumentName(const Step& step, size_t i) {
  const AttributeInfo* info = Declared(step, i);
  return info != nullptr ? info->name : "argument" + std::to_string(i);
}

std::vector<NamedAttribute> KnownArguments(IrContext* context, const Action& action) {
  const Step& step = *action.step;
  const std::vector<phi::Attribute>& given = action.attributes();
  std::vector<NamedAttribute> known;
  for (size_t i = 0; i < given.size(); ++i) {
    const auto is_here = [&](const auto& from) { return from.first == static_cast<int>(i); };
    if (!action.own_attributes && std::ranges::any_of(step.tensor_attributes, is_here)) continue;
    const Attribute value = FromKernelArgument(context, given[i]);
    if (!IsDefault(context, step, i, value)) known.emplace_back(ArgumentName(step, i), value);
  }
  return known;
}

std::string PlaceOf(const Schedule& schedule, int slot) {
  const Home& home = schedule.homes[slot];
  switch (home.kind) {
    case Home::Kind::Nowhere:
      return "none";
    case Home::Kind::Arena:
      return "arena+" + std::to_string(schedule.offsets[home.root] + home.offset);
    case Home::Kind::Input:
      return "input";
    case Home::Kind::Output:
      return "output";
    case Home::Kind::Parameter:
      return "weight";
    case Home::Kind::Constant:
      return "constant";
    case Home::Kind::Dynamic:
    case Home::Kind::Made:
      return "dynamic";
    case Home::Kind::Tile:
      return "tile";
  }
  return "";
}

}  // namespace phi::ir
