// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "program/variable.h"

namespace phi {

// Variables by name, and scopes within: a name that a scope does not have is looked up in its parent. One thread at a
// time uses a tree of scopes.
class Scope {
 public:
  Scope() = default;
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // The variable of this scope, made if there is none. Its address stays until it is erased.
  Variable* Var(const std::string& name);
  // The variable of this scope or the nearest one around it; null if there is none.
  Variable* FindVar(const std::string& name) const;
  Variable* FindLocalVar(const std::string& name) const;
  std::vector<std::string> LocalVarNames() const;
  void EraseVars(const std::vector<std::string>& names);
  // Lets go of the values of all variables, which stay.
  void Clear();

  Scope* NewScope();
  void DeleteScope(Scope* kid);
  void DropKids();
  const Scope* parent() const { return parent_; }
  const std::list<std::unique_ptr<Scope>>& kids() const { return kids_; }

  // Changes whenever variables of any scope go: what was found before may be gone.
  static uint64_t Epoch();

 private:
  explicit Scope(const Scope* parent) : parent_(parent) {}

  const Scope* parent_ = nullptr;
  std::unordered_map<std::string, std::unique_ptr<Variable>> variables_;
  std::list<std::unique_ptr<Scope>> kids_;
};

}  // namespace phi
