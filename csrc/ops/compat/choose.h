// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "core/op_utils.h"

// What several mappings ask.
namespace phi {

// Programs hold bools as numbers, and numbers of one size as those of another.
template <typename T>
T AttrOr(const ArgumentMappingContext& ctx, const char* name, T otherwise) {
  if (!ctx.HasAttr(name)) return otherwise;
  const paddle::any value = ctx.Attr(name);
  if (const T* exact = paddle::any_cast<T>(&value)) return *exact;
  if constexpr (std::is_integral_v<T>) {
    if (const int32_t* small = paddle::any_cast<int32_t>(&value)) return static_cast<T>(*small);
    if (const int64_t* large = paddle::any_cast<int64_t>(&value)) return static_cast<T>(*large);
  }
  return paddle::any_cast<T>(value);  // an error, of which OpUtilsMap::Map makes one that names the operator
}

// Programs hold lists of sizes as INTS or as LONGS.
inline bool IsEmptyList(const ArgumentMappingContext& ctx, const char* name) {
  if (!ctx.HasAttr(name)) return true;
  const paddle::any value = ctx.Attr(name);
  if (const auto* longs = paddle::any_cast<std::vector<int64_t>>(&value)) return longs->empty();
  return paddle::any_cast<std::vector<int32_t>>(value).empty();
}

// The first of the slots that holds a variable, otherwise the attribute.
inline std::string GivenOr(const ArgumentMappingContext& ctx,
                           std::initializer_list<const char*> slots,
                           const char* attr) {
  for (const char* slot : slots) {
    if (ctx.HasInput(slot)) return slot;
  }
  return attr;
}

inline KernelSignature Unregistered() { return KernelSignature(KernelSignature::kUnregistered, {}, {}, {}); }

}  // namespace phi
