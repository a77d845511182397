// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace phi {

// A list of integers, in PHI also built from a Tensor. It may borrow its elements (no allocation on the hot path).
template <class Dim>
class IntArrayBase {
 public:
  IntArrayBase() = default;
  IntArrayBase(const Dim* borrowed, size_t size) : data_(borrowed), size_(size) {}
  IntArrayBase(std::vector<Dim> values)  // NOLINT
      : owned_(std::move(values)), data_(owned_.data()), size_(owned_.size()) {}
  IntArrayBase(std::initializer_list<Dim> values) : IntArrayBase(std::vector<Dim>(values)) {}
  IntArrayBase(const std::vector<int>& values)  // NOLINT
      : IntArrayBase(std::vector<Dim>(values.begin(), values.end())) {}

  IntArrayBase(const IntArrayBase& o) { *this = o; }
  IntArrayBase& operator=(const IntArrayBase& o) {
    owned_ = o.owned_;
    data_ = o.owned_.empty() ? o.data_ : owned_.data();
    size_ = o.size_;
    return *this;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Dim& operator[](size_t i) const { return data_[i]; }
  const Dim* begin() const { return data_; }
  const Dim* end() const { return data_ + size_; }
  std::vector<Dim> GetData() const { return std::vector<Dim>(begin(), end()); }

 private:
  std::vector<Dim> owned_;
  const Dim* data_ = nullptr;
  size_t size_ = 0;
};

using IntArray = IntArrayBase<int64_t>;

}  // namespace phi

namespace paddle {
using phi::IntArray;
namespace experimental {
using phi::IntArray;
}
}  // namespace paddle
