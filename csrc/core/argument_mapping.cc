// SPDX-License-Identifier: Apache-2.0
#include "core/argument_mapping.h"

#include <algorithm>

#include "common/enforce.h"

namespace phi {

namespace {

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

const std::vector<VariableKind>& Of(const SlotKinds& slots, const std::string& name) {
  static const std::vector<VariableKind> kNone;
  const auto found = slots.find(name);
  return found == slots.end() ? kNone : found->second;
}

bool Is(const SlotKinds& slots, const std::string& name, VariableKind kind) {
  const auto& kinds = Of(slots, name);
  return !kinds.empty() && kinds.front() == kind;
}

bool AllAre(const SlotKinds& slots, const std::string& name, VariableKind kind) {
  const auto& kinds = Of(slots, name);
  return !kinds.empty() && std::all_of(kinds.begin(), kinds.end(), [&](VariableKind k) { return k == kind; });
}

}  // namespace

std::string KernelSignature::DebugString() const {
  return name + " (" + Joined(input_names) + " ; " + Joined(attr_names) + " -> " + Joined(output_names) + ")";
}

bool SlotArguments::HasInput(const std::string& name) const { return InputSize(name) != 0; }
bool SlotArguments::HasOutput(const std::string& name) const { return OutputSize(name) != 0; }
size_t SlotArguments::InputSize(const std::string& name) const { return Of(inputs_, name).size(); }
size_t SlotArguments::OutputSize(const std::string& name) const { return Of(outputs_, name).size(); }

paddle::any SlotArguments::Attr(const std::string& name) const {
  const auto found = attributes_.find(name);
  PADDLE_ENFORCE(found != attributes_.end(), errors::NotFound("the operator has no attribute '%s'", name));
  return std::visit([](const auto& value) { return paddle::any(value); }, found->second);
}

bool SlotArguments::IsDenseTensorInput(const std::string& name) const {
  return Is(inputs_, name, VariableKind::kDense);
}
bool SlotArguments::IsDenseTensorInputs(const std::string& name) const {
  return AllAre(inputs_, name, VariableKind::kDense);
}
bool SlotArguments::IsSelectedRowsInput(const std::string& name) const {
  return Is(inputs_, name, VariableKind::kSelectedRows);
}
bool SlotArguments::IsSelectedRowsInputs(const std::string& name) const {
  return AllAre(inputs_, name, VariableKind::kSelectedRows);
}
bool SlotArguments::IsSparseCooTensorInput(const std::string& name) const {
  return Is(inputs_, name, VariableKind::kSparseCoo);
}
bool SlotArguments::IsSparseCsrTensorInput(const std::string& name) const {
  return Is(inputs_, name, VariableKind::kSparseCsr);
}
bool SlotArguments::IsDenseTensorVectorInput(const std::string& name) const {
  return Is(inputs_, name, VariableKind::kDenseArray);
}
bool SlotArguments::IsDenseTensorOutput(const std::string& name) const {
  return Is(outputs_, name, VariableKind::kDense);
}
bool SlotArguments::IsSelectedRowsOutput(const std::string& name) const {
  return Is(outputs_, name, VariableKind::kSelectedRows);
}
bool SlotArguments::IsSparseCooTensorOutput(const std::string& name) const {
  return Is(outputs_, name, VariableKind::kSparseCoo);
}
bool SlotArguments::IsVocabOutput(const std::string& name) const { return Is(outputs_, name, VariableKind::kVocab); }

}  // namespace phi
