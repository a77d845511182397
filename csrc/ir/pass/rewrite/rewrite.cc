// SPDX-License-Identifier: Apache-2.0
#include "ir/pass/rewrite/rewrite.h"

#include <algorithm>
#include <iterator>

#include "common/enforce.h"

namespace phi::ir {

namespace {

std::vector<Rewrite>& Table() {
  static auto& table = *new std::vector<Rewrite>();
  return table;
}

// Below the result that is chosen.
const Term& CallOf(const Term& term) { return term.kind == TermKind::Field ? term.children.at(0) : term; }

int CountCalls(const Term& term) {
  int count = term.kind == TermKind::Call;
  for (const Term& child : term.children) count += CountCalls(child);
  return count;
}

}  // namespace

std::vector<std::string> Rewrite::Roots() const {
  const Term& call = CallOf(match);
  if (!call.text.empty()) return {call.text};
  std::vector<std::string> names;
  for (const Term& name : call.children.at(0).children) names.push_back(name.text);
  return names;
}

int Rewrite::Size() const { return CountCalls(match); }

bool Rewrite::IsOptional(const std::string& variable) const {
  return std::ranges::any_of(optional.children, [&](const Term& name) { return name.text == variable; });
}

Term TermOf(std::span<const TermRow> rows) {
  std::vector<Term> stack;
  for (const TermRow& row : rows) {
    PADDLE_ENFORCE(row.children >= 0 && static_cast<size_t>(row.children) <= stack.size(),
                   errors::InvalidArgument("a term has %d children, of %d", row.children, stack.size()));
    Term term{row.kind, row.text, row.integer, row.real, {}};
    const auto first = stack.end() - row.children;
    term.children.assign(std::make_move_iterator(first), std::make_move_iterator(stack.end()));
    stack.erase(first, stack.end());
    stack.push_back(std::move(term));
  }
  PADDLE_ENFORCE(stack.size() == 1, errors::InvalidArgument("expected one term, got %d", stack.size()));
  return std::move(stack.front());
}

Rewrite RewriteOf(const RewriteRow& row) {
  return {
      row.name, row.level, TermOf(row.match), TermOf(row.where), TermOf(row.let), TermOf(row.to), TermOf(row.optional)};
}

const std::vector<Rewrite>& Rewrites() { return Table(); }

bool RegisterRewrites(std::span<const RewriteRow> rows) {
  for (const RewriteRow& row : rows) Table().push_back(RewriteOf(row));
  return true;
}

}  // namespace phi::ir
