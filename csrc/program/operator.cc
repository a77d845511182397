// SPDX-License-Identifier: Apache-2.0
#include "program/operator.h"

#include "common/enforce.h"

namespace phi {

namespace {

Variable* Only(const OpDesc& desc, const std::string& slot, const std::vector<Variable*>& variables) {
  PADDLE_ENFORCE(variables.size() == 1 && variables[0] != nullptr,
                 errors::InvalidArgument(
                     "operator '%s', slot %s: expected one variable, got %d", desc.type, slot, variables.size()));
  return variables[0];
}

}  // namespace

std::vector<Variable*> OperatorBase::Inputs(const Scope& scope, const std::string& slot) const {
  std::vector<Variable*> variables;
  for (const std::string& name : desc_.Input(slot)) {
    Variable* variable = name == kEmptyVarName ? nullptr : scope.FindVar(name);
    PADDLE_ENFORCE(name == kEmptyVarName || (variable != nullptr && variable->IsInitialized()),
                   errors::NotFound("operator '%s', slot %s: variable '%s' has no value", desc_.type, slot, name));
    variables.push_back(variable);
  }
  return variables;
}

std::vector<Variable*> OperatorBase::Outputs(Scope* scope, const std::string& slot) const {
  std::vector<Variable*> variables;
  for (const std::string& name : desc_.Output(slot)) {
    Variable* variable = name == kEmptyVarName ? nullptr : scope->FindVar(name);
    variables.push_back(variable != nullptr || name == kEmptyVarName ? variable : scope->Var(name));
  }
  return variables;
}

Variable* OperatorBase::Input(const Scope& scope, const std::string& slot) const {
  return Only(desc_, slot, Inputs(scope, slot));
}

Variable* OperatorBase::Output(Scope* scope, const std::string& slot) const {
  return Only(desc_, slot, Outputs(scope, slot));
}

}  // namespace phi
