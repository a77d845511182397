// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace phi::ir {

// A part of an expression of a rewrite; what each kind holds:
enum class TermKind : uint8_t {
  None,      // `none`
  Bool,      // integer
  Int,       // integer
  Real,      // real
  Text,      // text
  Name,      // text: a variable, or `_`
  List,      // children
  Call,      // text: an operator with its dialect, or a function; children: arguments. Without text the first child is
             // a OneOf
  OneOf,     // text: the variable that the name is bound to; children: Text, operators with their dialect
  Keyword,   // text: the argument; one child
  Rest,      // text: the variable that stands for all other attributes
  Field,     // text: a result of a Call, or an attribute of a Rest; one child
  Operator,  // text: "+", "==", "and", "not", ...; one child or more
};

// One of a table, in which the children of a term stand before it.
struct TermRow {
  TermKind kind;
  const char* text = "";
  int64_t integer = 0;
  double real = 0;
  int children = 0;
};

// A rewrite as the generator writes it.
struct RewriteRow {
  const char* name;
  int level;
  std::span<const TermRow> match;
  std::span<const TermRow> where;     // a List
  std::span<const TermRow> let;       // a List of Keywords
  std::span<const TermRow> to;        // with the names that `let` gives
  std::span<const TermRow> optional;  // a List of Names
};

struct Term {
  TermKind kind = TermKind::None;
  std::string text;
  int64_t integer = 0;
  double real = 0;
  std::vector<Term> children;
};

// Operations that are matched, conditions, and what takes their place.
struct Rewrite {
  std::string name;
  int level = 2;
  Term match, where, let, to, optional;

  std::vector<std::string> Roots() const;  // the operators whose result is replaced
  int Size() const;                        // operations in `match`
  bool IsOptional(const std::string& variable) const;
};

// The term of a table. InvalidArgument where the rows are not one term.
Term TermOf(std::span<const TermRow> rows);
Rewrite RewriteOf(const RewriteRow& row);

// Those of yaml/rewrites.yaml, and of extensions.
const std::vector<Rewrite>& Rewrites();
// For the initializer of a static object.
bool RegisterRewrites(std::span<const RewriteRow> rows);

}  // namespace phi::ir
