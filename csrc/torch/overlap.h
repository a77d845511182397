// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

// Whether the tensors that an in-place or out= call writes share memory with themselves, with each other, or with what
// the call reads. Raises RuntimeError as ATen does, and also where ATen's own test is too coarse to see it.
namespace phi::torch_bridge {

// What another argument may share with a tensor that is written.
enum class Sharing {
  kWhole,    // the same elements in the same order: an operator reads each before it writes it
  kNothing,  // not one element
  kWritten,  // nothing either: it is written too
};

namespace detail {
void CheckWrittenSlow(const at::Tensor& written, const char* name);
void CheckApartSlow(
    const at::Tensor& written, const char* name, const at::Tensor& other, const char* other_name, Sharing sharing);
}  // namespace detail

// The elements of `written` must be apart from each other.
inline void CheckWritten(const at::Tensor& written, const char* name) {
  const c10::TensorImpl* impl = written.unsafeGetTensorImpl();
  const bool fits = impl->has_symbolic_sizes_strides() || impl->is_non_overlapping_and_dense();
  if (__builtin_expect(!fits, 0)) detail::CheckWrittenSlow(written, name);
}

// `other` must not share more than `sharing` with `written`. Whether they have one storage, of which `written` must
// then not ask for a larger one.
inline bool CheckApart(
    const at::Tensor& written, const char* name, const at::Tensor& other, const char* other_name, Sharing sharing) {
  const bool same = written.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl() ==
                    other.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
  if (__builtin_expect(same, 0)) detail::CheckApartSlow(written, name, other, other_name, sharing);
  return same;
}
inline bool CheckApart(const at::Tensor& written,
                       const char* name,
                       const std::optional<at::Tensor>& other,
                       const char* other_name,
                       Sharing sharing) {
  return other && other->defined() && CheckApart(written, name, *other, other_name, sharing);
}
inline bool CheckApart(
    const at::Tensor& written, const char* name, at::TensorList others, const char* other_name, Sharing sharing) {
  bool same = false;
  for (const at::Tensor& other : others) same |= CheckApart(written, name, other, other_name, sharing);
  return same;
}
inline bool CheckApart(const at::Tensor& written,
                       const char* name,
                       const std::optional<std::vector<at::Tensor>>& others,
                       const char* other_name,
                       Sharing sharing) {
  return others && CheckApart(written, name, at::TensorList(*others), other_name, sharing);
}
// An argument of a call that writes several tensors, or lists.
struct SharingArgument {
  SharingArgument(at::TensorList list, const char* name, bool written) : tensors(list), name(name), written(written) {}
  SharingArgument(const std::optional<std::vector<at::Tensor>>& list, const char* name, bool written)
      : SharingArgument(list ? at::TensorList(*list) : at::TensorList(), name, written) {}
  SharingArgument(const at::Tensor& tensor, const char* name, bool written)
      : SharingArgument(at::TensorList(tensor), name, written) {}
  SharingArgument(const std::optional<at::Tensor>& tensor, const char* name, bool written)
      : SharingArgument(tensor ? at::TensorList(*tensor) : at::TensorList(), name, written) {}

  at::TensorList tensors;
  const char* name;
  bool written;
};
// No tensor that is written shares anything with itself or another one.
void CheckArguments(at::ArrayRef<SharingArgument> arguments);

}  // namespace phi::torch_bridge
