// SPDX-License-Identifier: Apache-2.0
#include "torch/overlap.h"

#include <c10/util/SmallVector.h>

#include <algorithm>
#include <string>

#include "common/enforce.h"

namespace phi::torch_bridge {

namespace {

// stride * k with low <= k <= high.
struct Term {
  int64_t stride;
  int64_t low;
  int64_t high;
};
using Terms = c10::SmallVector<Term, 16>;

int64_t Floor(int64_t a, int64_t b) { return a / b - (a % b < 0); }

// Whether a sum of one value of each term is `target`. The strides fall; those of a view of a dense tensor each exceed
// what all after them reach, so that two values at most are tried. For others the search ends with the budget: yes.
bool Reaches(at::ArrayRef<Term> terms, int64_t target, int64_t* budget) {
  if (terms.empty()) return target == 0;
  const Term& first = terms.front();
  const at::ArrayRef<Term> rest = terms.slice(1);
  int64_t low = 0;
  int64_t high = 0;
  for (const Term& term : rest) {
    low += term.low * term.stride;
    high += term.high * term.stride;
  }
  const int64_t begin = std::max(first.low, -Floor(high - target, first.stride));
  const int64_t end = std::min(first.high, Floor(target - low, first.stride));
  for (int64_t k = begin; k <= end; ++k) {
    if (--*budget < 0 || Reaches(rest, target - k * first.stride, budget)) return true;
  }
  return false;
}
constexpr int64_t kBudget = 100000;

// Sorts by falling stride, and makes one term of those with the same.
void Normalise(Terms* terms) {
  std::sort(terms->begin(), terms->end(), [](const Term& a, const Term& b) { return a.stride > b.stride; });
  size_t size = 0;
  for (const Term& term : *terms) {
    if (size != 0 && (*terms)[size - 1].stride == term.stride) {
      (*terms)[size - 1].low += term.low;
      (*terms)[size - 1].high += term.high;
    } else {
      (*terms)[size++] = term;
    }
  }
  terms->resize(size);
}

bool OverlapsItself(const at::Tensor& tensor) {
  if (tensor.numel() < 2) return false;
  Terms terms;
  for (int64_t d = 0; d < tensor.dim(); ++d) {
    if (tensor.size(d) == 1) continue;
    if (tensor.stride(d) == 0) return true;
    terms.push_back({tensor.stride(d), 1 - tensor.size(d), tensor.size(d) - 1});
  }
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.stride > b.stride; });
  // two elements in one place differ first in some dimension, there by at least 1
  int64_t budget = kBudget;
  for (size_t d = 0; d < terms.size(); ++d) {
    Terms rest(terms.begin() + d, terms.end());
    rest[0].low = 1;
    if (Reaches(rest, 0, &budget)) return true;
  }
  return false;
}

int64_t Offset(const at::Tensor& tensor) { return tensor.storage_offset() * tensor.element_size(); }

// Of tensors of one storage.
bool Share(const at::Tensor& a, const at::Tensor& b) {
  if (a.numel() == 0 || b.numel() == 0) return false;
  const int64_t a_size = a.element_size();
  const int64_t b_size = b.element_size();
  Terms terms{{1, 1 - b_size, a_size - 1}};  // the bytes of an element
  for (int64_t d = 0; d < a.dim(); ++d) {
    if (a.stride(d) != 0) terms.push_back({a.stride(d) * a_size, 0, a.size(d) - 1});
  }
  for (int64_t d = 0; d < b.dim(); ++d) {
    if (b.stride(d) != 0) terms.push_back({b.stride(d) * b_size, 1 - b.size(d), 0});
  }
  Normalise(&terms);
  int64_t budget = kBudget;
  return Reaches(terms, Offset(b) - Offset(a), &budget);
}

// Whether tensors of one storage are the same elements in the same order. A dimension of size 1 changes nothing.
bool AreSame(const at::Tensor& a, const at::Tensor& b) {
  if (Offset(a) != Offset(b) || a.element_size() != b.element_size()) return false;
  int64_t i = 0;
  int64_t j = 0;
  for (;; ++i, ++j) {
    while (i < a.dim() && a.size(i) == 1) ++i;
    while (j < b.dim() && b.size(j) == 1) ++j;
    if (i == a.dim() || j == b.dim()) return i == a.dim() && j == b.dim();
    if (a.size(i) != b.size(j) || a.stride(i) != b.stride(j)) return false;
  }
}

bool IsSymbolic(const at::Tensor& tensor) { return tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides(); }

c10::StorageImpl* StorageOf(const at::Tensor& tensor) {
  return tensor.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
}

[[noreturn]] void ThrowShared(const char* written, const char* other, const char* how, const char* advice) {
  PADDLE_THROW(errors::PreconditionNotMet(
      "argument '%s' is written and shares %smemory with argument '%s'%s", written, how, other, advice));
}

// The tensor of an argument, and the bytes from its first to its last.
struct Extent {
  Extent(const at::Tensor& tensor, const SharingArgument& argument)
      : tensor(&tensor), argument(&argument), begin(Offset(tensor)), end(begin + tensor.element_size()) {
    for (int64_t d = 0; d < tensor.dim(); ++d) end += (tensor.size(d) - 1) * tensor.stride(d) * tensor.element_size();
  }
  const at::Tensor* tensor;
  const SharingArgument* argument;
  int64_t begin;
  int64_t end;
};

void CheckExtents(std::vector<Extent>* extents) {
  std::sort(extents->begin(), extents->end(), [](const Extent& a, const Extent& b) {
    const auto x = StorageOf(*a.tensor);
    const auto y = StorageOf(*b.tensor);
    return x != y ? std::less<>()(x, y) : a.begin < b.begin;
  });
  for (auto a = extents->begin(); a != extents->end(); ++a) {
    for (auto b = a + 1; b != extents->end() && StorageOf(*a->tensor) == StorageOf(*b->tensor); ++b) {
      if (b->begin >= a->end) break;
      const auto& [written, other] = a->argument->written ? std::pair(a, b) : std::pair(b, a);
      if (!written->argument->written) continue;
      detail::CheckApartSlow(*written->tensor,
                             written->argument->name,
                             *other->tensor,
                             other->argument->name,
                             other->argument->written ? Sharing::kWritten : Sharing::kNothing);
    }
  }
}

}  // namespace

void detail::CheckWrittenSlow(const at::Tensor& written, const char* name) {
  if (!written.has_storage() || !OverlapsItself(written)) return;
  PADDLE_THROW(
      errors::PreconditionNotMet("argument '%s' is written, but several of its elements are one place in memory "
                                 "(shape %s, strides %s), as those of an expanded tensor are; pass %s.clone()",
                                 name,
                                 written.sizes(),
                                 written.strides(),
                                 name));
}

void detail::CheckApartSlow(
    const at::Tensor& written, const char* name, const at::Tensor& other, const char* other_name, Sharing sharing) {
  if (StorageOf(written) == nullptr || IsSymbolic(written) || IsSymbolic(other)) return;
  if (sharing == Sharing::kWhole && (written.is_same(other) || AreSame(written, other))) return;
  if (!Share(written, other)) return;
  const std::string clone = std::string("; pass ") + other_name + ".clone()";
  if (sharing == Sharing::kWritten) {
    ThrowShared(name, other_name, "", ", which is written too; each needs memory of its own");
  } else if (sharing == Sharing::kWhole) {
    ThrowShared(name, other_name, "a part of its ", clone.c_str());
  } else {
    ThrowShared(name, other_name, "", (", from which it is computed" + clone).c_str());
  }
}

void CheckArguments(at::ArrayRef<SharingArgument> arguments) {
  size_t count = 0;
  for (const SharingArgument& argument : arguments) {
    count += argument.tensors.size();
    for (const at::Tensor& tensor : argument.tensors) {
      if (argument.written) CheckWritten(tensor, argument.name);
    }
  }
  // most calls have each storage once, which a set of the addresses shows
  size_t capacity = 16;
  while (capacity < 2 * count) capacity *= 2;
  c10::SmallVector<const void*, 128> set(capacity, nullptr);
  const auto is_new = [&](const void* storage) {
    size_t place = (reinterpret_cast<uintptr_t>(storage) >> 4) * 0x9E3779B97F4A7C15u >> 20;
    for (;; ++place) {
      const void*& entry = set[place & (capacity - 1)];
      if (entry == storage) return false;
      if (entry == nullptr) {
        entry = storage;
        return true;
      }
    }
  };
  bool shared = false;
  for (const SharingArgument& argument : arguments) {
    for (const at::Tensor& tensor : argument.tensors) {
      if (const void* storage = StorageOf(tensor)) shared |= !is_new(storage);
    }
  }
  if (__builtin_expect(!shared, 1)) return;
  std::vector<Extent> extents;
  for (const SharingArgument& argument : arguments) {
    for (const at::Tensor& tensor : argument.tensors) {
      if (!tensor.has_storage() || IsSymbolic(tensor) || tensor.numel() == 0) continue;
      extents.emplace_back(tensor, argument);
    }
  }
  CheckExtents(&extents);
}

}  // namespace phi::torch_bridge
