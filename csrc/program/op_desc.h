// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/op_attribute.h"

namespace phi {

inline constexpr const char* kEmptyVarName = "@EMPTY@";  // the name of no variable
inline constexpr const char* kGradVarSuffix = "@GRAD";

inline std::string GradVarName(const std::string& name) { return name + kGradVarSuffix; }

using VariableNameMap = std::map<std::string, std::vector<std::string>, std::less<>>;

// An operator as a program holds it: its type, the names of variables by slot, and its attributes.
struct OpDesc {
  std::string type;
  VariableNameMap inputs;
  VariableNameMap outputs;
  OpAttributeMap attrs;

  // The variables of a slot; none if there is no such slot.
  const std::vector<std::string>& Input(const std::string& slot) const { return Names(inputs, slot); }
  const std::vector<std::string>& Output(const std::string& slot) const { return Names(outputs, slot); }

 private:
  static const std::vector<std::string>& Names(const VariableNameMap& slots, const std::string& slot) {
    static const std::vector<std::string> none;
    const auto found = slots.find(slot);
    return found == slots.end() ? none : found->second;
  }
};

}  // namespace phi
