// SPDX-License-Identifier: Apache-2.0
#include "ir/core/builtin_type.h"

#include <iterator>
#include <utility>

#include "common/enforce.h"

namespace phi::ir {

const char* ShortName(DataType dtype) {
  constexpr const char* kNames[] = {"undef",
                                    "bool",
                                    "ui8",
                                    "i8",
                                    "ui16",
                                    "i16",
                                    "ui32",
                                    "i32",
                                    "ui64",
                                    "i64",
                                    "f32",
                                    "f64",
                                    "c64",
                                    "c128",
                                    "str",
                                    "f16",
                                    "bf16",
                                    "f8e4m3fn",
                                    "f8e5m2"};
  static_assert(std::size(kNames) == static_cast<size_t>(DataType::NUM_DATA_TYPES));
  return kNames[static_cast<int>(dtype)];
}

std::string TypeText(DataType dtype, std::span<const int64_t> dims) {
  std::string sizes;
  for (const int64_t size : dims) sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
  return std::string(ShortName(dtype)) + "[" + sizes + "]";
}

const char* TensorKindName(TensorKind kind) {
  constexpr const char* kNames[] = {
      "dense_tensor", "dense_tensor_array", "selected_rows", "sparse_coo", "sparse_csr", "string_tensor"};
  return kNames[static_cast<int>(kind)];
}

size_t TensorTypeKey::Hash() const {
  size_t hash = static_cast<size_t>(kind) | static_cast<size_t>(dtype) << 8 | static_cast<size_t>(layout) << 16 |
                static_cast<size_t>(value_semantics) << 24;
  for (const Dim& dim : dims) hash = CombineHash(hash, dim.Hash());
  return hash;
}

int TensorTypeKey::Depth() const {
  int depth = -1;
  for (const Dim& dim : dims) depth = std::max(depth, dim.Depth());
  return depth;
}

TensorType TensorType::get(IrContext* context, TensorTypeKey key) {
  PADDLE_ENFORCE(key.dims.size() <= kMaxRank,
                 errors::InvalidArgument("a tensor has at most %d dimensions, got %d", kMaxRank, key.dims.size()));
  for (const Dim& dim : key.dims) {
    PADDLE_ENFORCE(
        !dim.is_number() || dim.number() >= 0,
        errors::InvalidArgument("a size is not negative, got %d; an unknown one is written ?", dim.number()));
  }
  return UniquedOf::get(context, std::move(key));
}

size_t VectorTypeKey::Hash() const {
  size_t hash = elements.size();
  for (Type type : elements) hash = CombineHash(hash, type.Hash());
  return hash;
}

int VectorTypeKey::Depth() const {
  int depth = -1;
  for (Type type : elements) depth = std::max(depth, type.Depth());
  return depth;
}

void CollectSymbols(Type type, std::vector<int64_t>* symbols) {
  if (const auto tensor = type.dyn_cast<TensorType>()) {
    for (const Dim& dim : tensor.dims()) dim.CollectSymbols(symbols);
  } else if (const auto vector = type.dyn_cast<VectorType>()) {
    for (Type element : vector.elements()) CollectSymbols(element, symbols);
  }
}

}  // namespace phi::ir
