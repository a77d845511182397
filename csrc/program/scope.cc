// SPDX-License-Identifier: Apache-2.0
#include "program/scope.h"

#include <algorithm>
#include <atomic>

#include "common/enforce.h"

namespace phi {

namespace {
std::atomic<uint64_t> epoch{1};
}  // namespace

uint64_t Scope::Epoch() { return epoch.load(std::memory_order_acquire); }

Scope::~Scope() { ++epoch; }

Variable* Scope::Var(const std::string& name) {
  std::unique_ptr<Variable>& variable = variables_[name];
  if (variable == nullptr) {
    variable = std::make_unique<Variable>();
    ++epoch;  // it may stand before one of a parent
  }
  return variable.get();
}

Variable* Scope::FindVar(const std::string& name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->parent_) {
    if (Variable* found = scope->FindLocalVar(name)) return found;
  }
  return nullptr;
}

Variable* Scope::FindLocalVar(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : found->second.get();
}

std::vector<std::string> Scope::LocalVarNames() const {
  std::vector<std::string> names;
  for (const auto& [name, variable] : variables_) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

void Scope::EraseVars(const std::vector<std::string>& names) {
  for (const std::string& name : names) variables_.erase(name);
  ++epoch;
}

void Scope::Clear() {
  for (const auto& [name, variable] : variables_) variable->Clear();
}

Scope* Scope::NewScope() {
  kids_.push_back(std::unique_ptr<Scope>(new Scope(this)));
  return kids_.back().get();
}

void Scope::DeleteScope(Scope* kid) {
  const auto found = std::find_if(kids_.begin(), kids_.end(), [&](const auto& own) { return own.get() == kid; });
  PADDLE_ENFORCE(found != kids_.end(), errors::NotFound("the scope is none of the %d in this one", kids_.size()));
  kids_.erase(found);
}

void Scope::DropKids() { kids_.clear(); }

}  // namespace phi
