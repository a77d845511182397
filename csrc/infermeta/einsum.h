// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/set_contiguous.h"

namespace phi {

// An equation such as "bij, bjk -> bik": the letters of the operands and of the result. "." stands for "...".
class EinsumEquation {
 public:
  explicit EinsumEquation(const std::string& equation) : equation_(equation) {
    std::string text;
    for (const char c : equation) {
      if (c != ' ') text.push_back(c);
    }
    const size_t arrow = text.find("->");
    std::string_view left = std::string_view(text).substr(0, arrow);
    for (size_t comma = 0; comma != std::string_view::npos; left.remove_prefix(comma + 1)) {
      comma = left.find(',');
      operands_.push_back(Letters(left.substr(0, comma)));
      if (comma == std::string_view::npos) break;
    }
    result_ = arrow == std::string::npos ? Implicit() : Letters(std::string_view(text).substr(arrow + 2));
  }

  const std::vector<std::string>& operands() const { return operands_; }
  const std::string& result() const { return result_; }

  [[noreturn]] void Throw(const char* expected) const {
    PADDLE_THROW(errors::InvalidArgument("argument 'equation': expected %s, got '%s'", expected, equation_));
  }

 private:
  std::string Letters(std::string_view text) const {
    std::string letters;
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '.') {
        if (text.substr(i, 3) != "..." || letters.find('.') != std::string::npos) {
          Throw("at most one '...' in each operand");
        }
        i += 2;
      } else if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z')) {
        Throw("letters, ',', '...' and '->'");
      }
      letters.push_back(c);
    }
    return letters;
  }

  // Without "->": "..." and the letters that are there once, in the order of the alphabet, capital ones first.
  std::string Implicit() const {
    std::array<int, 128> counts = {};
    for (const std::string& operand : operands_) {
      for (const char c : operand) ++counts[static_cast<size_t>(c)];
    }
    std::string letters;
    if (counts['.'] > 0) letters.push_back('.');
    for (size_t c = 'A'; c <= 'z'; ++c) {
      if (counts[c] == 1) letters.push_back(static_cast<char>(c));
    }
    return letters;
  }

  const std::string& equation_;
  std::vector<std::string> operands_;
  std::string result_;
};

// What two sizes broadcast to.
template <class Dim>
Dim BroadcastSize(const Dim& x, const Dim& y, char letter) {
  if (x == 1) return y;
  if (y == 1 || x == y) return x;
  PADDLE_THROW(errors::InvalidArgument(
      "argument 'x': expected one size of each dimension '%s', or 1, got %s and %s", std::string(1, letter), x, y));
}

template <class Dim>
void EinsumInferMeta(const std::vector<const MetaTensor<Dim>*>& x,
                     const std::string& equation,
                     MetaTensor<Dim>* out,
                     std::vector<MetaTensor<Dim>*> inner_cache,
                     std::vector<MetaTensor<Dim>*> xshape) {
  const EinsumEquation parsed(equation);
  PADDLE_ENFORCE(
      !x.empty() && parsed.operands().size() == x.size(),
      errors::InvalidArgument("argument 'x': expected %d tensors, as many as 'equation' has operands, got %d",
                              parsed.operands().size(),
                              x.size()));
  std::array<Dim, 128> sizes = {};
  std::array<bool, 128> known = {};
  BasicDDim<Dim> others;  // those of "...", the last one first
  for (size_t i = 0; i < x.size(); ++i) {
    CheckSameDataType("x[0]", *x[0], "x[i]", *x[i]);
    const std::string& letters = parsed.operands()[i];
    const int rank = x[i]->dims().size();
    const bool has_others = letters.find('.') != std::string::npos;
    const int more = rank - static_cast<int>(letters.size()) + (has_others ? 1 : 0);
    PADDLE_ENFORCE(
        has_others ? more >= 0 : more == 0,
        errors::InvalidArgument(
            "argument 'x': expected a dimension for each of '%s' in tensor %d, got %s", letters, i, x[i]->dims()));
    std::array<int, 128> own;  // where the dimension of a letter is first
    own.fill(-1);
    int at = 0;
    for (const char c : letters) {
      if (c == '.') {
        for (int k = 0; k < more; ++k) {
          const Dim& size = x[i]->dims(at + more - 1 - k);
          if (k == others.size()) {
            others.push_back(size);
          } else {
            others[k] = BroadcastSize(others[k], size, c);
          }
        }
        at += more;
        continue;
      }
      const auto letter = static_cast<size_t>(c);
      if (own[letter] < 0) own[letter] = at;
      const Dim& size = x[i]->dims(at++);
      PADDLE_ENFORCE(
          size == x[i]->dims(own[letter]),
          errors::InvalidArgument("argument 'x': expected one size of the dimensions '%s' of tensor %d, got %s",
                                  std::string(1, c),
                                  i,
                                  x[i]->dims()));
      sizes[letter] = known[letter] ? BroadcastSize(sizes[letter], size, c) : size;
      known[letter] = true;
    }
  }
  BasicDDim<Dim> dims;
  for (const char c : parsed.result()) {
    if (c == '.') {
      for (int k = others.size() - 1; k >= 0; --k) dims.push_back(others[k]);
      continue;
    }
    if (!known[static_cast<size_t>(c)] || parsed.result().find(c) != parsed.result().rfind(c)) {
      parsed.Throw("each letter of the result once, and in an operand");
    }
    dims.push_back(sizes[static_cast<size_t>(c)]);
  }
  SetContiguous(dims, x[0]->dtype(), out);
  for (const auto* list : {&inner_cache, &xshape}) {
    for (MetaTensor<Dim>* one : *list) SetContiguous(BasicDDim<Dim>{Dim(0)}, x[0]->dtype(), one);
  }
}

}  // namespace phi
