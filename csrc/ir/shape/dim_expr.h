// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/core/uniqued.h"

namespace phi::ir {

enum class DimFunction : uint8_t { FloorDiv, Mod, Max, Min };
const char* DimFunctionName(DimFunction function);  // "floordiv", ...

class DimExpr;

// A factor of a product: a symbol of the program, by its number, or a function of two expressions.
struct DimFactorKey;
struct DimTerm;

class DimFactor : public UniquedOf<DimFactor, Uniqued, DimFactorKey> {
 public:
  using UniquedOf::UniquedOf;
};

// A size: a number, an unknown one, or a canonical sum of products of factors, so that equal expressions are the same
// object.
class Dim {
 public:
  Dim() = default;                                       // unknown
  Dim(int64_t number) : value_(number), known_(true) {}  // NOLINT
  explicit Dim(Uniqued sum) : sum_(sum) {}
  static Dim Symbol(IrContext* context, int64_t index);
  static Dim Function(IrContext* context, DimFunction function, Dim a, Dim b);

  bool is_number() const { return known_; }
  bool is_unknown() const { return !known_ && !sum_; }
  int64_t number() const { return value_; }
  bool operator==(const Dim&) const = default;
  size_t Hash() const { return CombineHash(static_cast<size_t>(value_) + known_, sum_.Hash()); }
  int Depth() const { return sum_.Depth(); }

  // InvalidArgument where the coefficients leave 64 bits, or the expression its size. Unknown if an operand is.
  static Dim Add(IrContext* context, Dim a, Dim b);
  static Dim Multiply(IrContext* context, Dim a, Dim b);
  // Their sum, in whatever order they stand.
  static Dim OfTerms(IrContext* context, std::vector<DimTerm> terms);
  std::vector<DimTerm> terms() const;  // of one that is known
  int size() const;                    // symbols and functions in it
  static constexpr int kMaxSize = 256;

  std::string ToString() const;
  void CollectSymbols(std::vector<int64_t>* symbols) const;

 private:
  int64_t value_ = 0;
  bool known_ = false;
  Uniqued sum_;
};

struct DimFactorKey {
  int64_t symbol = -1;  // -1: a function
  DimFunction function = DimFunction::FloorDiv;
  Dim a, b;
  int size = 1;  // symbols and functions in it
  bool operator==(const DimFactorKey&) const = default;
  size_t Hash() const;
  int Depth() const { return std::max(a.Depth(), b.Depth()); }
};

// coefficient * product; the factors stand in order.
struct DimTerm {
  int64_t coefficient = 0;
  std::vector<DimFactor> factors;
  bool operator==(const DimTerm&) const = default;
};

struct DimSumKey {
  std::vector<DimTerm> terms;  // of different products, in order; the constant, if any, is the last
  bool operator==(const DimSumKey&) const = default;
  size_t Hash() const;
  int Depth() const;
};

class DimSum : public UniquedOf<DimSum, Uniqued, DimSumKey> {
 public:
  using UniquedOf::UniquedOf;
};

}  // namespace phi::ir
