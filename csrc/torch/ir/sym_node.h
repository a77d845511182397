// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/SymInt.h>

#include <optional>
#include <vector>

#include "ir/shape/dim_range.h"

namespace phi::ir {

// Sizes of a program as torch's SymInts, so that InferMeta functions run on them. A comparison that neither form nor
// range decides is guessed, and what is guessed can be asked for and tried the other way round. SymInts are used as
// long as what made them lives.
class SymShapes {
 public:
  SymShapes(IrContext* context, const SymbolTable& symbols) : context_(context), symbols_(symbols) {}
  SymShapes(const SymShapes&) = delete;
  SymShapes& operator=(const SymShapes&) = delete;

  c10::SymInt ToSymInt(const Dim& dim);
  Dim ToDim(const c10::SymInt& size) const;

  bool has_guessed() const { return asked_ > 0; }
  // Turns the last guess round that was not turned yet, for another run from the start. False where there is none.
  // Of many guesses the first few are tried in all ways, then all of them as long as the tries last.
  bool TurnGuess();

  IrContext* context() const { return context_; }
  const SymbolTable& symbols() const { return symbols_; }
  bool Decide(std::optional<bool> known, bool likely);

 private:
  struct Guess {
    bool value;
    bool turned = false;
  };
  static constexpr size_t kFewGuesses = 12;
  static constexpr size_t kMostTries = size_t{1} << kFewGuesses;

  IrContext* const context_;
  const SymbolTable& symbols_;
  std::vector<Guess> guesses_;
  size_t asked_ = 0;
  size_t tries_ = 0;  // with more guesses than a few
  bool has_more_ = false;
};

}  // namespace phi::ir
