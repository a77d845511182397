// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "common/data_type.h"
#include "common/layout.h"
#include "ir/core/type.h"
#include "ir/shape/dim_expr.h"

namespace phi::ir {

// "f32", "bf16", "i64", ...: a data type in the text form.
const char* ShortName(DataType dtype);
// "f32[2,3]": the type of a tensor of known sizes in the text form.
std::string TypeText(DataType dtype, std::span<const int64_t> dims);

struct ScalarTypeKey {
  DataType dtype = DataType::UNDEFINED;
  bool operator==(const ScalarTypeKey&) const = default;
  size_t Hash() const { return static_cast<size_t>(dtype); }
  int Depth() const { return -1; }
};

// A number.
class ScalarType : public UniquedOf<ScalarType, Type, ScalarTypeKey> {
 public:
  using UniquedOf::UniquedOf;
  DataType dtype() const { return key().dtype; }
};

enum class TensorKind : uint8_t { Dense, DenseArray, SelectedRows, SparseCoo, SparseCsr, String };
const char* TensorKindName(TensorKind kind);  // "dense_tensor", ...

struct TensorTypeKey {
  TensorKind kind = TensorKind::Dense;
  DataType dtype = DataType::UNDEFINED;
  std::vector<Dim> dims;
  DataLayout layout = DataLayout::NCHW;
  bool value_semantics = true;  // a vtensor: no other value shares its memory
  bool operator==(const TensorTypeKey&) const = default;
  size_t Hash() const;
  int Depth() const;
};

// All kinds of tensors: one class of storage, and a class for each kind.
class TensorType : public UniquedOf<TensorType, Type, TensorTypeKey> {
 public:
  using UniquedOf::UniquedOf;
  // InvalidArgument for negative sizes, and for more than kMaxRank of them.
  static TensorType get(IrContext* context, TensorTypeKey key);
  TensorKind kind() const { return key().kind; }
  DataType dtype() const { return key().dtype; }
  const std::vector<Dim>& dims() const { return key().dims; }
  DataLayout layout() const { return key().layout; }
  bool value_semantics() const { return key().value_semantics; }

  static constexpr size_t kMaxRank = 9;
};

template <TensorKind Kind>
class TensorTypeOf : public TensorType {
 public:
  using TensorType::TensorType;
  static TensorTypeOf get(IrContext* context,
                          DataType dtype,
                          std::vector<Dim> dims,
                          DataLayout layout = DataLayout::NCHW,
                          bool value_semantics = true) {
    TensorTypeKey key{Kind, dtype, std::move(dims), layout, value_semantics};
    return TensorTypeOf(TensorType::get(context, std::move(key)).storage());
  }
  static bool classof(const Uniqued& type) {
    return TensorType::classof(type) && TensorType(type.storage()).kind() == Kind;
  }
};

using DenseTensorType = TensorTypeOf<TensorKind::Dense>;
using DenseTensorArrayType = TensorTypeOf<TensorKind::DenseArray>;
using SelectedRowsType = TensorTypeOf<TensorKind::SelectedRows>;
using SparseCooTensorType = TensorTypeOf<TensorKind::SparseCoo>;
using SparseCsrTensorType = TensorTypeOf<TensorKind::SparseCsr>;
using StringTensorType = TensorTypeOf<TensorKind::String>;

struct VectorTypeKey {
  std::vector<Type> elements;  // null: an absent one
  bool operator==(const VectorTypeKey&) const = default;
  size_t Hash() const;
  int Depth() const;
};

// A list of values in one: what builtin.combine makes.
class VectorType : public UniquedOf<VectorType, Type, VectorTypeKey> {
 public:
  using UniquedOf::UniquedOf;
  const std::vector<Type>& elements() const { return key().elements; }
};

struct OpaqueKey {
  std::string name;  // as the file has it
  std::string data;
  bool operator==(const OpaqueKey&) const = default;
  size_t Hash() const { return CombineHash(std::hash<std::string>()(name), std::hash<std::string>()(data)); }
  int Depth() const { return -1; }
};

// A type of a file that nobody here knows: kept, and written back.
class OpaqueType : public UniquedOf<OpaqueType, Type, OpaqueKey> {
 public:
  using UniquedOf::UniquedOf;
};

// The symbols in a type's sizes.
void CollectSymbols(Type type, std::vector<int64_t>* symbols);

}  // namespace phi::ir
