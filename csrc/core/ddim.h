// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <type_traits>
#include <vector>

#include "common/checked_multiply.h"
#include "common/enforce.h"

namespace phi {

// A shape, held inline. Dim is int64_t, or c10::SymInt while torch traces.
template <class Dim>
class BasicDDim {
 public:
  static constexpr int kMaxRank = 9;

  BasicDDim() : rank_(0) {}
  explicit BasicDDim(int rank, const Dim& value) : rank_(CheckRank(rank)) {
    for (int i = 0; i < rank_; ++i) dims_[i] = value;
  }
  BasicDDim(const Dim* dims, int64_t rank) : rank_(CheckRank(rank)) {
    for (int i = 0; i < rank_; ++i) dims_[i] = dims[i];
  }
  BasicDDim(std::initializer_list<Dim> dims) : BasicDDim(dims.begin(), static_cast<int64_t>(dims.size())) {}
  explicit BasicDDim(const std::vector<Dim>& dims) : BasicDDim(dims.data(), static_cast<int64_t>(dims.size())) {}
  BasicDDim(const BasicDDim& o) : BasicDDim(o.dims_, o.rank_) {}
  BasicDDim& operator=(const BasicDDim& o) {
    rank_ = o.rank_;
    for (int i = 0; i < rank_; ++i) dims_[i] = o.dims_[i];
    return *this;
  }

  void assign(const Dim* dims, int64_t rank) {
    set_rank(rank);
    for (int i = 0; i < rank_; ++i) dims_[i] = dims[i];
  }
  // The values of dimensions that this adds are unspecified.
  void set_rank(int64_t rank) { rank_ = CheckRank(rank); }

  int size() const { return rank_; }
  Dim& operator[](int i) { return dims_[i]; }
  const Dim& operator[](int i) const { return dims_[i]; }
  const Dim& at(int i) const { return dims_[i]; }
  const Dim* Get() const { return dims_; }
  const Dim* begin() const { return dims_; }
  const Dim* end() const { return dims_ + rank_; }
  void push_back(const Dim& d) {
    CheckRank(rank_ + 1);
    dims_[rank_++] = d;
  }

  bool operator==(const BasicDDim& o) const {
    if (rank_ != o.rank_) return false;
    for (int i = 0; i < rank_; ++i) {
      if (!(dims_[i] == o.dims_[i])) return false;
    }
    return true;
  }
  bool operator!=(const BasicDDim& o) const { return !(*this == o); }

 private:
  static int CheckRank(int64_t rank) {
    if (__builtin_expect(rank < 0 || rank > kMaxRank, 0)) ThrowRank(rank);
    return static_cast<int>(rank);
  }
  [[noreturn, gnu::noinline, gnu::cold]] static void ThrowRank(int64_t rank) {
    PADDLE_THROW(errors::InvalidArgument("a tensor may have at most %d dimensions, got %d", kMaxRank, rank));
  }

  // not initialised for int64_t: only the first rank_ elements are ever read
  Dim dims_[kMaxRank];
  int rank_;
};

using DDim = BasicDDim<int64_t>;

template <class Dim>
Dim product(const BasicDDim<Dim>& dims) {
  Dim n = 1;
  for (const Dim& d : dims) n = CheckedMultiply(n, d);
  return n;
}

inline DDim make_ddim(std::initializer_list<int64_t> dims) { return DDim(dims); }
inline DDim make_ddim(const std::vector<int64_t>& dims) { return DDim(dims); }
inline DDim make_ddim(const std::vector<int>& dims) { return DDim(std::vector<int64_t>(dims.begin(), dims.end())); }

template <class Dim>
std::vector<Dim> vectorize(const BasicDDim<Dim>& dims) {
  return std::vector<Dim>(dims.begin(), dims.end());
}

template <typename T, class Dim>
  requires(!std::is_same_v<T, Dim>)
std::vector<T> vectorize(const BasicDDim<Dim>& dims) {
  return std::vector<T>(dims.begin(), dims.end());
}

// The part [begin, end) of a shape.
template <class Dim>
BasicDDim<Dim> slice_ddim(const BasicDDim<Dim>& dims, int begin, int end) {
  return BasicDDim<Dim>(dims.Get() + begin, end - begin);
}

// A shape seen as a matrix: the first num_col_dims dimensions are the rows.
template <class Dim>
BasicDDim<Dim> flatten_to_2d(const BasicDDim<Dim>& dims, int num_col_dims) {
  return {product(slice_ddim(dims, 0, num_col_dims)), product(slice_ddim(dims, num_col_dims, dims.size()))};
}

// Those of a shape beyond any memory mean nothing: it is refused where memory is taken.
inline void SetContiguousStrides(const DDim& dims, DDim* strides) {
  strides->set_rank(dims.size());
  uint64_t stride = 1;
  for (int i = dims.size() - 1; i >= 0; --i) {
    (*strides)[i] = static_cast<int64_t>(stride);
    stride *= dims[i] > 1 ? dims[i] : 1;
  }
}

inline DDim contiguous_strides(const DDim& dims) {
  DDim strides;
  SetContiguousStrides(dims, &strides);
  return strides;
}

template <class Dim>
std::ostream& operator<<(std::ostream& os, const BasicDDim<Dim>& dims) {
  os << '[';
  for (int i = 0; i < dims.size(); ++i) os << (i ? ", " : "") << dims[i];
  return os << ']';
}

}  // namespace phi

namespace common {
using phi::DDim;
using phi::flatten_to_2d;
using phi::make_ddim;
using phi::product;
using phi::slice_ddim;
using phi::vectorize;
}  // namespace common
