// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/core/builder.h"
#include "ir/pass/rewrite/matcher.h"

namespace phi::ir {

// What a rewrite puts in the place of a match. The operations stand before the root; they go again where they are not
// taken.
class Replacement {
 public:
  Replacement(const Rewrite& rewrite, const Match& match, const MatchedProgram& program);
  ~Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  // The value that `to` is. Errors of operators that do not take what they are given.
  Value Build();
  const std::vector<Operation*>& ops() const { return ops_; }
  void Take() { taken_ = true; }

 private:
  Binding Of(const Term& term);
  Binding OfOperator(const Term& term);
  Operation* OfCall(const Term& term);
  void CopyRest(const Binding& rest, const OpInfo& info, std::vector<Value>* operands);
  Value Scaled(Value x, double scale, double bias);
  Operation* Create(const std::string& name, const std::vector<Value>& operands);

  const Rewrite& rewrite_;
  Match match_;  // with what `let` says, once it was asked for
  const MatchedProgram& program_;
  Builder builder_;
  std::vector<NamedAttribute> attributes_;  // of the operation that is made
  std::vector<Operation*> ops_;
  bool taken_ = false;
};

}  // namespace phi::ir
