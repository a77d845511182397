// SPDX-License-Identifier: Apache-2.0
#include "ir/shape/floor_div.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace phi::ir {

namespace {

// term / divisor, where that is whole for all values of the symbols.
std::optional<DimTerm> Quotient(const DimTerm& term, const DimTerm& divisor) {
  if (term.coefficient % divisor.coefficient != 0) return std::nullopt;
  DimTerm quotient{term.coefficient / divisor.coefficient, term.factors};
  for (const DimFactor factor : divisor.factors) {
    const auto found = std::find(quotient.factors.begin(), quotient.factors.end(), factor);
    if (found == quotient.factors.end()) return std::nullopt;
    quotient.factors.erase(found);
  }
  return quotient;
}

// What all terms of both have in common: a number and factors.
DimTerm CommonOf(const std::vector<DimTerm>& terms, const DimTerm& divisor) {
  DimTerm common = divisor;
  common.coefficient = std::abs(divisor.coefficient);
  for (const DimTerm& term : terms) {
    common.coefficient = std::gcd(common.coefficient, term.coefficient);
    std::vector<DimFactor> left = term.factors;
    std::erase_if(common.factors, [&](const DimFactor factor) {
      const auto found = std::find(left.begin(), left.end(), factor);
      if (found == left.end()) return true;
      left.erase(found);
      return false;
    });
  }
  return common;
}

}  // namespace

DimDivision Divide(IrContext* context, const Dim& a, const Dim& b) {
  const std::vector<DimTerm> divisors = b.terms();
  if (divisors.size() != 1 || divisors[0].coefficient == -1) {
    return a == b ? DimDivision{1, 0, b} : DimDivision{0, a, b};
  }
  const DimTerm divisor = divisors[0];
  std::vector<DimTerm> whole, rest;
  for (const DimTerm& term : a.terms()) {
    if (const auto quotient = Quotient(term, divisor)) {
      whole.push_back(*quotient);
    } else {
      rest.push_back(term);
    }
  }
  const DimTerm common = CommonOf(rest, divisor);
  for (DimTerm& term : rest) term = *Quotient(term, common);
  const DimTerm left = *Quotient(divisor, common);
  if (left.factors.empty() && !rest.empty() && rest.back().factors.empty()) {  // the constant is less than the divisor
    const int64_t more = FloorDiv(rest.back().coefficient, left.coefficient);
    whole.push_back({more, {}});
    rest.back().coefficient -= more * left.coefficient;
  }
  return {
      Dim::OfTerms(context, std::move(whole)), Dim::OfTerms(context, std::move(rest)), Dim::OfTerms(context, {left})};
}

}  // namespace phi::ir
