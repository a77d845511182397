// SPDX-License-Identifier: Apache-2.0
#include "check.h"
#include "primitive/elementwise.h"

// What a generated kernel makes of a functor.
namespace {

using namespace phi;  // NOLINT
using primitive::MakeFunctor;
using primitive::detail::TakesVectors;

template <typename T>
struct Members {
  T scale;
  bool twice;
  T operator()(T x) const { return x * scale; }
};

struct Plain {
  bool twice;
  template <typename V>
  V operator()(V x, V y) const {
    return x + y;
  }
};

template <typename T>
struct Constructed {
  int64_t exponent;
  explicit Constructed(const Scalar& y) : exponent(y.to<int64_t>()) {}
  T operator()(T x) const { return x; }
};

TEST(attributes_are_members_in_the_type_that_is_computed_in) {
  const auto functor = MakeFunctor<int8_t, Members>(Scalar(2.7), true);
  static_assert(std::is_same_v<decltype(functor), const Members<int8_t>>);
  CHECK_EQ(functor.scale, 2);
  CHECK(functor.twice);
  CHECK_EQ((MakeFunctor<double, Members>(0.1, false).scale), 0.1);
  CHECK((MakeFunctor<float, Plain>(true).twice));
}

TEST(a_constructor_gets_attributes_as_they_are) {
  CHECK_EQ((MakeFunctor<int8_t, Constructed>(Scalar(int64_t{300})).exponent), 300);
}

TEST(a_functor_that_is_a_template_takes_vectors) {
  CHECK((TakesVectors<Plain, float, float, dtype::bfloat16>()));
  CHECK((TakesVectors<Plain, double, double, double>()));
  CHECK(!(TakesVectors<Plain, float, float, double>()));
  CHECK(!(TakesVectors<Plain, int, int, int>()));
  CHECK(!(TakesVectors<Members<float>, float, float>()));
}

TEST(numbers_are_cut_off_at_the_limits_of_a_type) {
  CHECK_EQ(Scalar(int64_t{300}).clamped<int8_t>(), 127);
  CHECK_EQ(Scalar(-1).clamped<uint8_t>(), 0);
  CHECK_EQ(Scalar(1e300).clamped<int64_t>(), std::numeric_limits<int64_t>::max());
  CHECK_EQ(Scalar(-2.7).clamped<int>(), -2);
  CHECK_EQ(Scalar(2.5).clamped<float>(), 2.5f);
}

}  // namespace
