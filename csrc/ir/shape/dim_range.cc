// SPDX-License-Identifier: Apache-2.0
#include "ir/shape/dim_range.h"

#include <algorithm>
#include <numeric>

#include "common/enforce.h"
#include "ir/shape/floor_div.h"

namespace phi::ir {

namespace {

constexpr int64_t kNoLower = DimRange::kNoLower, kNoUpper = DimRange::kNoUpper;

bool IsInfinite(int64_t bound) { return bound == kNoLower || bound == kNoUpper; }

int64_t Clamped(__int128 value) {
  if (value <= kNoLower) return kNoLower;
  return value >= kNoUpper ? kNoUpper : static_cast<int64_t>(value);
}

int64_t Sum(int64_t a, int64_t b) {
  if (IsInfinite(a)) return a;
  return IsInfinite(b) ? b : Clamped(static_cast<__int128>(a) + b);
}

int64_t Product(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  if (IsInfinite(a) || IsInfinite(b)) return (a < 0) == (b < 0) ? kNoUpper : kNoLower;
  return Clamped(static_cast<__int128>(a) * b);
}

DimRange Product(DimRange a, DimRange b) {
  const auto [low, high] = std::minmax(
      {Product(a.lower, b.lower), Product(a.lower, b.upper), Product(a.upper, b.lower), Product(a.upper, b.upper)});
  return {low, high};
}

int64_t Quotient(int64_t a, int64_t b) {
  if (IsInfinite(a)) return a;
  return IsInfinite(b) ? (a < 0 ? -1 : 0) : FloorDiv(a, b);
}

DimRange RangeOf(DimFunction function, DimRange a, DimRange b) {
  switch (function) {
    case DimFunction::Max:
      return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
    case DimFunction::Min:
      return {std::min(a.lower, b.lower), std::min(a.upper, b.upper)};
    case DimFunction::FloorDiv: {
      if (b.lower <= 0) return {};
      const auto [low, high] = std::minmax({Quotient(a.lower, b.lower),
                                            Quotient(a.lower, b.upper),
                                            Quotient(a.upper, b.lower),
                                            Quotient(a.upper, b.upper)});
      return {low, high};
    }
    case DimFunction::Mod:
      if (b.lower <= 0) return {};
      const int64_t most = IsInfinite(b.upper) ? kNoUpper : b.upper - 1;
      return {0, a.lower >= 0 ? std::min(a.upper, most) : most};
  }
  return {};
}

DimRange RangeOf(DimFactor factor, const SymbolTable& symbols) {
  const DimFactorKey& key = factor.key();
  if (key.symbol < 0) return RangeOf(key.function, RangeOf(key.a, symbols), RangeOf(key.b, symbols));
  if (key.symbol >= static_cast<int64_t>(symbols.size())) return {};
  const SymbolInfo& info = symbols.at(key.symbol);
  return {info.lower, info.upper};
}

int64_t DivisorOf(DimFactor factor, const SymbolTable& symbols) {
  const DimFactorKey& key = factor.key();
  if (key.symbol >= 0) return key.symbol < static_cast<int64_t>(symbols.size()) ? symbols.at(key.symbol).divisor : 1;
  if (key.function == DimFunction::FloorDiv) return 1;
  return std::gcd(DivisorOf(key.a, symbols), DivisorOf(key.b, symbols));  // of a remainder, a maximum, a minimum too
}

Dim Difference(IrContext* context, const Dim& a, const Dim& b) {
  try {
    return Dim::Add(context, a, Dim::Multiply(context, -1, b));
  } catch (const enforce::EnforceNotMet&) {  // it leaves 64 bits
    return {};
  }
}

}  // namespace

DimRange RangeOf(const Dim& dim, const SymbolTable& symbols) {
  if (dim.is_number()) return {dim.number(), dim.number()};
  if (dim.is_unknown()) return {};
  DimRange sum{0, 0};
  for (const DimTerm& term : dim.terms()) {
    DimRange product{term.coefficient, term.coefficient};
    for (const DimFactor factor : term.factors) product = Product(product, RangeOf(factor, symbols));
    sum = {Sum(sum.lower, product.lower), Sum(sum.upper, product.upper)};
  }
  return sum;
}

int64_t DivisorOf(const Dim& dim, const SymbolTable& symbols) {
  if (dim.is_unknown()) return 1;
  int64_t divisor = 0;
  for (const DimTerm& term : dim.terms()) {
    int64_t product = term.coefficient;
    for (const DimFactor factor : term.factors) product = Product(product, DivisorOf(factor, symbols));
    divisor = IsInfinite(product) ? 1 : std::gcd(divisor, product);
  }
  return divisor;
}

std::optional<bool> IsEqual(IrContext* context, const Dim& a, const Dim& b, const SymbolTable& symbols) {
  const Dim difference = Difference(context, a, b);
  if (difference.is_unknown()) return std::nullopt;
  if (difference.is_number()) return difference.number() == 0;
  const DimRange range = RangeOf(difference, symbols);
  if (range.lower > 0 || range.upper < 0) return false;
  std::vector<DimTerm> terms = difference.terms();
  if (!terms.back().factors.empty()) return std::nullopt;
  const int64_t constant = terms.back().coefficient;
  const int64_t divisor = DivisorOf(Difference(context, difference, constant), symbols);
  if (divisor > 1 && constant % divisor != 0) return false;
  return std::nullopt;
}

std::optional<bool> IsLess(IrContext* context, const Dim& a, const Dim& b, const SymbolTable& symbols) {
  const Dim difference = Difference(context, b, a);
  if (difference.is_unknown()) return std::nullopt;
  const DimRange range = RangeOf(difference, symbols);
  if (range.lower > 0) return true;
  if (range.upper <= 0) return false;
  return std::nullopt;
}

}  // namespace phi::ir
