// SPDX-License-Identifier: Apache-2.0
#include "torch/ir/sym_node.h"

#include <c10/core/SymNodeImpl.h>

#include <limits>

#include "common/enforce.h"

namespace phi::ir {

namespace {

using c10::SymNode;

class BoolNode final : public c10::SymNodeImpl {
 public:
  // `likely` is what an answer that is not known is guessed to be.
  BoolNode(SymShapes* shapes, std::optional<bool> known, bool likely)
      : shapes_(shapes), known_(known), likely_(known.value_or(likely)) {}

  bool is_int() override { return false; }
  bool is_bool() override { return true; }
  bool is_float() override { return false; }
  SymNode clone() override { return Of(known_, likely_); }
  SymNode wrap_bool(bool value) override { return Of(value, value); }
  SymNode sym_not() override { return Of(known_ ? std::optional(!*known_) : std::nullopt, !likely_); }
  SymNode sym_or(const SymNode& other) override { return Combined(other, true); }
  SymNode sym_and(const SymNode& other) override { return Combined(other, false); }
  bool guard_bool(const char*, int64_t) override { return shapes_->Decide(known_, likely_); }
  bool guard_size_oblivious(const char* file, int64_t line) override { return guard_bool(file, line); }
  bool expect_true(const char*, int64_t) override { return shapes_->Decide(known_, true); }
  bool guard_or_false(const char*, int64_t) override { return shapes_->Decide(known_, false); }
  bool guard_or_true(const char*, int64_t) override { return shapes_->Decide(known_, true); }
  bool statically_known_true(const char*, int64_t) override { return known_.value_or(false); }
  bool bool_() override { return guard_bool(__FILE__, __LINE__); }
  bool has_hint() override { return known_.has_value(); }
  std::optional<bool> constant_bool() override { return known_; }
  bool is_symbolic() override { return !known_.has_value(); }
  std::string str() override { return known_ ? (*known_ ? "true" : "false") : "a comparison"; }

 private:
  SymNode Of(std::optional<bool> known, bool likely) { return c10::make_intrusive<BoolNode>(shapes_, known, likely); }
  // One that is `decides` decides: true an or, false an and.
  SymNode Combined(const SymNode& other, bool decides) {
    const auto& o = static_cast<const BoolNode&>(*other);
    const bool likely = decides ? likely_ || o.likely_ : likely_ && o.likely_;
    if (known_ == decides || o.known_ == decides) return Of(decides, decides);
    return Of(known_ && o.known_ ? std::optional(!decides) : std::nullopt, likely);
  }

  SymShapes* const shapes_;
  const std::optional<bool> known_;
  const bool likely_;
};

class DimNode final : public c10::SymNodeImpl {
 public:
  DimNode(SymShapes* shapes, const Dim& dim) : shapes_(shapes), dim_(dim) {}
  const Dim& dim() const { return dim_; }

  bool is_int() override { return true; }
  bool is_bool() override { return false; }
  bool is_float() override { return false; }
  SymNode clone() override { return Of(dim_); }
  SymNode wrap_int(int64_t number) override { return Of(Dim(number)); }
  SymNode wrap_bool(bool value) override { return c10::make_intrusive<BoolNode>(shapes_, value, value); }
  SymNode add(const SymNode& o) override { return Of(Dim::Add(context(), dim_, Other(o))); }
  SymNode sub(const SymNode& o) override { return Of(Dim::Add(context(), dim_, Minus(Other(o)))); }
  SymNode mul(const SymNode& o) override { return Of(Dim::Multiply(context(), dim_, Other(o))); }
  SymNode neg() override { return Of(Minus(dim_)); }
  SymNode floordiv(const SymNode& o) override { return Function(DimFunction::FloorDiv, o); }
  SymNode int_floordiv(const SymNode& o) override { return Function(DimFunction::FloorDiv, o); }
  SymNode mod(const SymNode& o) override { return Function(DimFunction::Mod, o); }
  SymNode sym_min(const SymNode& o) override { return Function(DimFunction::Min, o); }
  SymNode sym_max(const SymNode& o) override { return Function(DimFunction::Max, o); }
  SymNode eq(const SymNode& o) override { return Truth(Equal(o), false); }
  SymNode ne(const SymNode& o) override { return Truth(Not(Equal(o)), true); }
  SymNode lt(const SymNode& o) override { return Truth(Less(dim_, Other(o)), IsSmall(dim_)); }
  SymNode gt(const SymNode& o) override { return Truth(Less(Other(o), dim_), IsSmall(Other(o))); }
  SymNode le(const SymNode& o) override { return Truth(Not(Less(Other(o), dim_)), !IsSmall(Other(o))); }
  SymNode ge(const SymNode& o) override { return Truth(Not(Less(dim_, Other(o))), !IsSmall(dim_)); }
  int64_t guard_int(const char*, int64_t) override { return Number(); }
  int64_t int_() override { return Number(); }
  bool has_hint() override { return dim_.is_number(); }
  std::optional<int64_t> constant_int() override { return maybe_as_int(); }
  std::optional<int64_t> maybe_as_int() override {
    return dim_.is_number() ? std::optional(dim_.number()) : std::nullopt;
  }
  bool is_symbolic() override { return !dim_.is_number(); }
  std::string str() override { return dim_.ToString(); }

 private:
  IrContext* context() const { return shapes_->context(); }
  SymNode Of(const Dim& dim) const { return c10::make_intrusive<DimNode>(shapes_, dim); }
  static const Dim& Other(const SymNode& other) { return static_cast<const DimNode&>(*other).dim_; }
  Dim Minus(const Dim& dim) const { return Dim::Multiply(context(), Dim(-1), dim); }
  SymNode Function(DimFunction function, const SymNode& o) const {
    return Of(Dim::Function(context(), function, dim_, Other(o)));
  }
  SymNode Truth(std::optional<bool> known, bool likely) const {
    return c10::make_intrusive<BoolNode>(shapes_, known, likely);
  }
  std::optional<bool> Equal(const SymNode& o) const { return IsEqual(context(), dim_, Other(o), shapes_->symbols()); }
  std::optional<bool> Less(const Dim& a, const Dim& b) const { return IsLess(context(), a, b, shapes_->symbols()); }
  // A number is likely less than what is not known, unless it stands for the end of any dimension.
  static bool IsSmall(const Dim& dim) { return dim.is_number() && dim.number() < std::numeric_limits<int32_t>::max(); }
  static std::optional<bool> Not(std::optional<bool> known) { return known ? std::optional(!*known) : std::nullopt; }
  int64_t Number() const {
    PADDLE_ENFORCE(dim_.is_number(), errors::InvalidArgument("expected a number, got the size %s", dim_.ToString()));
    return dim_.number();
  }

  SymShapes* const shapes_;
  const Dim dim_;
};

}  // namespace

c10::SymInt SymShapes::ToSymInt(const Dim& dim) {
  if (dim.is_number()) return c10::SymInt(dim.number());
  return c10::SymInt(SymNode(c10::make_intrusive<DimNode>(this, dim)));
}

Dim SymShapes::ToDim(const c10::SymInt& size) const {
  if (const auto number = size.maybe_as_int()) return Dim(*number);
  return static_cast<const DimNode&>(*size.toSymNodeImplUnowned()).dim();
}

bool SymShapes::Decide(std::optional<bool> known, bool likely) {
  if (known) return *known;
  const size_t guess = asked_++;
  if (guess == guesses_.size()) guesses_.push_back({likely});
  return guesses_[guess].value;
}

bool SymShapes::TurnGuess() {
  guesses_.resize(std::min(guesses_.size(), asked_));
  asked_ = 0;
  if (tries_ == 0 && guesses_.size() > kFewGuesses) {
    has_more_ = true;
    guesses_.resize(kFewGuesses);
  }
  while (!guesses_.empty() && guesses_.back().turned) guesses_.pop_back();
  if (guesses_.empty() && tries_ == 0 && has_more_) {
    ++tries_;
    return true;
  }
  if (guesses_.empty() || (tries_ > 0 && ++tries_ > kMostTries)) return false;
  guesses_.back() = {!guesses_.back().value, true};
  return true;
}

}  // namespace phi::ir
