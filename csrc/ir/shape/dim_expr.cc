// SPDX-License-Identifier: Apache-2.0
#include "ir/shape/dim_expr.h"

#include <algorithm>
#include <utility>

#include "common/checked_multiply.h"
#include "common/enforce.h"
#include "ir/shape/floor_div.h"

namespace phi::ir {

namespace {

using Factors = std::vector<DimFactor>;

std::string FactorText(DimFactor factor) {
  const DimFactorKey& key = factor.key();
  if (key.symbol >= 0) return "s" + std::to_string(key.symbol);
  return std::string(DimFunctionName(key.function)) + "(" + key.a.ToString() + "," + key.b.ToString() + ")";
}

// Symbols first, by number, then functions, by text: an order that does not depend on addresses.
bool Before(DimFactor a, DimFactor b) {
  if (a == b) return false;
  const auto rank = [](const DimFactorKey& key) { return std::pair(key.symbol < 0, key.symbol); };
  if (rank(a.key()) != rank(b.key())) return rank(a.key()) < rank(b.key());
  return FactorText(a) < FactorText(b);
}

bool ProductBefore(const Factors& a, const Factors& b) {
  if (a.size() != b.size()) return a.size() > b.size();  // the constant is the last
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), Before);
}

int64_t CheckedAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  PADDLE_ENFORCE(!__builtin_add_overflow(a, b, &sum), errors::InvalidArgument("%d + %d leaves 64 bits", a, b));
  return sum;
}

constexpr size_t kMaxTerms = 64;

}  // namespace

Dim Dim::OfTerms(IrContext* context, std::vector<DimTerm> terms) {
  std::sort(terms.begin(), terms.end(), [](const DimTerm& a, const DimTerm& b) {
    return ProductBefore(a.factors, b.factors);
  });
  std::vector<DimTerm> merged;
  for (DimTerm& term : terms) {
    if (!merged.empty() && merged.back().factors == term.factors) {
      merged.back().coefficient = CheckedAdd(merged.back().coefficient, term.coefficient);
    } else {
      merged.push_back(std::move(term));
    }
  }
  std::erase_if(merged, [](const DimTerm& term) { return term.coefficient == 0; });
  if (merged.empty()) return Dim(0);
  if (merged.size() == 1 && merged[0].factors.empty()) return Dim(merged[0].coefficient);
  PADDLE_ENFORCE(merged.size() <= kMaxTerms,
                 errors::InvalidArgument("an expression of a dimension has at most %d terms", kMaxTerms));
  return Dim(DimSum::get(context, DimSumKey{std::move(merged)}));
}

int Dim::size() const {
  if (!sum_) return 0;
  int size = 0;
  for (const DimTerm& term : sum_.dyn_cast<DimSum>().key().terms) {
    for (const DimFactor factor : term.factors) size += factor.key().size;
  }
  return size;
}

std::vector<DimTerm> Dim::terms() const {
  if (known_) return {{value_, {}}};
  return sum_.dyn_cast<DimSum>().key().terms;
}

const char* DimFunctionName(DimFunction function) {
  constexpr const char* kNames[] = {"floordiv", "mod", "max", "min"};
  return kNames[static_cast<int>(function)];
}

size_t DimFactorKey::Hash() const {
  return CombineHash(CombineHash(static_cast<size_t>(symbol) * 4 + static_cast<size_t>(function), a.Hash()), b.Hash());
}

size_t DimSumKey::Hash() const {
  size_t hash = terms.size();
  for (const DimTerm& term : terms) {
    hash = CombineHash(hash, static_cast<size_t>(term.coefficient));
    for (const DimFactor& factor : term.factors) hash = CombineHash(hash, factor.Hash());
  }
  return hash;
}

int DimSumKey::Depth() const {
  int depth = -1;
  for (const DimTerm& term : terms) {
    for (const DimFactor& factor : term.factors) depth = std::max(depth, factor.Depth());
  }
  return depth;
}

Dim Dim::Symbol(IrContext* context, int64_t index) {
  PADDLE_ENFORCE(index >= 0, errors::InvalidArgument("a symbol's number is not negative, got %d", index));
  DimFactorKey key;
  key.symbol = index;
  return Dim(DimSum::get(context, DimSumKey{{{1, {DimFactor::get(context, key)}}}}));
}

Dim Dim::Function(IrContext* context, DimFunction function, Dim a, Dim b) {
  if (a.is_unknown() || b.is_unknown()) return Dim();
  const bool divides = function == DimFunction::FloorDiv || function == DimFunction::Mod;
  PADDLE_ENFORCE(!divides || b != Dim(0), errors::InvalidArgument("a dimension is divided by 0"));
  if (divides && b == Dim(1)) return function == DimFunction::Mod ? Dim(0) : a;
  if (a.is_number() && b.is_number()) {
    const int64_t x = a.number(), y = b.number();
    if (divides) {
      PADDLE_ENFORCE(y != -1, errors::InvalidArgument("a dimension is divided by -1"));
      return function == DimFunction::FloorDiv ? FloorDiv(x, y) : x - FloorDiv(x, y) * y;
    }
    return function == DimFunction::Max ? std::max(x, y) : std::min(x, y);
  }
  Dim whole(0);
  if (divides) {
    const DimDivision division = Divide(context, a, b);
    if (function == DimFunction::FloorDiv) {
      if (division.divisor == Dim(1)) return Add(context, division.quotient, division.rest);
      if (division.rest == Dim(0)) return division.quotient;
      if (division.rest.is_number() && division.divisor.is_number()) {
        return Add(context, division.quotient, Function(context, function, division.rest, division.divisor));
      }
      whole = division.quotient;
      a = division.rest;
      b = division.divisor;
    } else {  // a remainder is that of what is not divided: of the rest times what was common
      a = Add(context, a, Multiply(context, Multiply(context, -1, division.quotient), b));
      if (a.is_number() && b.is_number()) return Function(context, function, a, b);
      if (a == Dim(0)) return Dim(0);
    }
  } else {
    if (a == b) return a;
    if (b.ToString() < a.ToString()) std::swap(a, b);
  }
  DimFactorKey key;
  key.function = function;
  key.a = a;
  key.b = b;
  key.size = 1 + a.size() + b.size();
  PADDLE_ENFORCE(key.size <= kMaxSize,
                 errors::InvalidArgument("an expression of a dimension has at most %d symbols", kMaxSize));
  return Add(context, whole, Dim(DimSum::get(context, DimSumKey{{{1, {DimFactor::get(context, std::move(key))}}}})));
}

Dim Dim::Add(IrContext* context, Dim a, Dim b) {
  if (a.is_unknown() || b.is_unknown()) return Dim();
  std::vector<DimTerm> terms = a.terms();
  for (DimTerm& term : b.terms()) terms.push_back(std::move(term));
  return OfTerms(context, std::move(terms));
}

Dim Dim::Multiply(IrContext* context, Dim a, Dim b) {
  if (a.is_unknown() || b.is_unknown()) return Dim();
  const std::vector<DimTerm> left = a.terms(), right = b.terms();
  std::vector<DimTerm> terms;
  for (const DimTerm& x : left) {
    for (const DimTerm& y : right) {
      DimTerm term{CheckedMultiply(x.coefficient, y.coefficient), x.factors};
      term.factors.insert(term.factors.end(), y.factors.begin(), y.factors.end());
      PADDLE_ENFORCE(term.factors.size() <= kMaxTerms,
                     errors::InvalidArgument("a product of a dimension has at most %d factors", kMaxTerms));
      std::sort(term.factors.begin(), term.factors.end(), Before);
      terms.push_back(std::move(term));
    }
  }
  return OfTerms(context, std::move(terms));
}

std::string Dim::ToString() const {
  if (known_) return std::to_string(value_);
  if (!sum_) return "?";
  std::string text;
  for (const DimTerm& term : sum_.dyn_cast<DimSum>().key().terms) {
    std::string product;
    for (const DimFactor& factor : term.factors) product += (product.empty() ? "" : "*") + FactorText(factor);
    const bool minus = term.coefficient < 0;
    std::string number = std::to_string(term.coefficient);
    if (minus) number.erase(0, 1);
    if (minus || !text.empty()) text += minus ? "-" : "+";
    text += product.empty() ? number : number == "1" ? product : number + "*" + product;
  }
  return text;
}

void Dim::CollectSymbols(std::vector<int64_t>* symbols) const {
  if (!sum_) return;
  for (const DimTerm& term : sum_.dyn_cast<DimSum>().key().terms) {
    for (const DimFactor& factor : term.factors) {
      const DimFactorKey& key = factor.key();
      if (key.symbol >= 0) symbols->push_back(key.symbol);
      key.a.CollectSymbols(symbols);
      key.b.CollectSymbols(symbols);
    }
  }
}

}  // namespace phi::ir
