// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/meta_tensor.h"

// What a backward op is given, against what InferMeta of its forward op says. Generated code calls these.
namespace phi {

// An output of the forward op, without memory.
template <class Dim>
class Expected : public MetaTensor<Dim> {
 public:
  Expected() : MetaTensor<Dim>(&data_) {}
  Expected(const Expected&) = delete;
  Expected& operator=(const Expected&) = delete;

 private:
  TensorMeta<Dim> data_;
};

template <class Dim>
class ExpectedList {
 public:
  explicit ExpectedList(size_t size) : tensors_(new Expected<Dim>[size]) {
    for (size_t i = 0; i < size; ++i) metas_.push_back(&tensors_[i]);
  }
  const std::vector<MetaTensor<Dim>*>& metas() const { return metas_; }

 private:
  std::unique_ptr<Expected<Dim>[]> tensors_;
  std::vector<MetaTensor<Dim>*> metas_;
};

// Whether two sizes are equal. Of sizes that data decides on a trace takes it for granted, and the compiled program
// checks it.
template <class Dim>
bool Same(const Dim& x, const Dim& y) {
  if constexpr (std::is_same_v<Dim, int64_t>) {
    return x == y;
  } else {
    return x.sym_eq(y).expect_true(__FILE__, __LINE__);
  }
}

template <class Dim>
bool Same(const BasicDDim<Dim>& x, const BasicDDim<Dim>& y) {
  if (x.size() != y.size()) return false;
  for (int i = 0; i < x.size(); ++i) {
    if (!Same(x[i], y[i])) return false;
  }
  return true;
}

template <class Dim>
[[noreturn, gnu::noinline, gnu::cold]] void ThrowNotAsGiven(const char* name,
                                                            const MetaTensor<Dim>& given,
                                                            const MetaTensor<Dim>& expected) {
  PADDLE_THROW(
      errors::InvalidArgument("argument '%s': expected the shape %s and data type %s, as the forward operator "
                              "has it, got %s and %s",
                              name,
                              expected.dims(),
                              DataTypeName(expected.dtype()),
                              given.dims(),
                              DataTypeName(given.dtype())));
}

// `expected` without a data type: the forward op says nothing of it; an absent optional tensor fits.
template <class Dim>
void CheckGiven(const char* name, const MetaTensor<Dim>& given, const MetaTensor<Dim>& expected) {
  if (!given || !expected || expected.dtype() == DataType::UNDEFINED) return;
  const bool same = given.dtype() == expected.dtype() && Same(given.dims(), expected.dims());
  if (__builtin_expect(!same, 0)) ThrowNotAsGiven(name, given, expected);
}

template <class Dim>
void CheckOneType(const char* name, const MetaTensor<Dim>& given, const char* first, const MetaTensor<Dim>& expected) {
  PADDLE_ENFORCE(!given || !expected || given.dtype() == expected.dtype(),
                 errors::InvalidArgument("argument '%s': expected data type %s as '%s', got %s",
                                         name,
                                         DataTypeName(expected.dtype()),
                                         first,
                                         DataTypeName(given.dtype())));
}

template <class Dim, class Given, class Other>
void CheckGiven(const char* name, const std::vector<Given*>& given, const std::vector<Other*>& expected) {
  PADDLE_ENFORCE(given.size() == expected.size(),
                 errors::InvalidArgument("argument '%s': expected %d tensors, as the forward operator has them, got %d",
                                         name,
                                         expected.size(),
                                         given.size()));
  for (size_t i = 0; i < given.size(); ++i) CheckGiven<Dim>(name, *given[i], *expected[i]);
}

}  // namespace phi
