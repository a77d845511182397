// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "common/place.h"
#include "common/scalar.h"
#include "core/kernel_key.h"
#include "ir/core/attribute.h"
#include "ir/core/builtin_type.h"

namespace phi::ir {

// The bits of a plain value of up to 16 bytes: attributes are equal if their bits are, so 0.0 differs from -0.0.
struct BitsKey {
  uint64_t low = 0, high = 0;
  bool operator==(const BitsKey&) const = default;
  size_t Hash() const { return CombineHash(low, high); }
  int Depth() const { return -1; }

  template <typename T>
  static BitsKey Of(T value) {
    static_assert(sizeof(T) <= 16 && std::is_trivially_copyable_v<T>);
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(value)) value = std::numeric_limits<T>::quiet_NaN();  // there is one NaN
    }
    BitsKey key;
    std::memcpy(static_cast<void*>(&key), &value, sizeof(T));
    return key;
  }
  template <typename T>
  T As() const {
    T value;
    std::memcpy(static_cast<void*>(&value), static_cast<const void*>(this), sizeof(T));
    return value;
  }
};

template <AttributeKind Kind, typename T>
class ValueAttribute : public UniquedOf<ValueAttribute<Kind, T>, Attribute, BitsKey> {
 public:
  using Base = UniquedOf<ValueAttribute<Kind, T>, Attribute, BitsKey>;
  using Base::Base;
  static ValueAttribute get(IrContext* context, T value) { return Base::get(context, BitsKey::Of(value)); }
  T data() const { return this->key().template As<T>(); }
};

using BoolAttribute = ValueAttribute<AttributeKind::Bool, bool>;
using Int32Attribute = ValueAttribute<AttributeKind::Int32, int32_t>;
using Int64Attribute = ValueAttribute<AttributeKind::Int64, int64_t>;
using FloatAttribute = ValueAttribute<AttributeKind::Float, float>;
using DoubleAttribute = ValueAttribute<AttributeKind::Double, double>;
using DataTypeAttribute = ValueAttribute<AttributeKind::DataType, DataType>;
using PlaceAttribute = ValueAttribute<AttributeKind::Place, Place>;
using DataLayoutAttribute = ValueAttribute<AttributeKind::DataLayout, DataLayout>;
using KernelKeyAttribute = ValueAttribute<AttributeKind::KernelKey, KernelKey>;

// A number of a data type: integers and bool as int64_t, others as their real and imaginary part.
struct ScalarKey {
  DataType dtype = DataType::UNDEFINED;
  int64_t integer = 0;
  BitsKey parts;  // two doubles
  bool operator==(const ScalarKey&) const = default;
  size_t Hash() const { return CombineHash(CombineHash(static_cast<size_t>(dtype), integer), parts.Hash()); }
  int Depth() const { return -1; }
};

struct ComplexParts {
  double real = 0, imag = 0;
};

class ScalarAttribute : public UniquedOf<ScalarAttribute, Attribute, ScalarKey> {
 public:
  using UniquedOf::UniquedOf;
  // InvalidArgument for a dtype that is none of numbers.
  static ScalarAttribute Integer(IrContext* context, DataType dtype, int64_t value);
  static ScalarAttribute Real(IrContext* context, DataType dtype, double real, double imag = 0);
  DataType dtype() const { return key().dtype; }
  bool is_integer() const { return !IsFloatingType(dtype()) && !IsComplexType(dtype()); }
  int64_t integer() const { return key().integer; }
  ComplexParts parts() const { return key().parts.As<ComplexParts>(); }
  Scalar data() const;
};

// c64 and c128.
template <AttributeKind Kind>
class ComplexAttribute : public UniquedOf<ComplexAttribute<Kind>, Attribute, BitsKey> {
 public:
  using Base = UniquedOf<ComplexAttribute<Kind>, Attribute, BitsKey>;
  using Base::Base;
  static ComplexAttribute get(IrContext* context, double real, double imag) {
    if (Kind == AttributeKind::Complex64) real = static_cast<float>(real), imag = static_cast<float>(imag);
    return Base::get(context, BitsKey{BitsKey::Of(real).low, BitsKey::Of(imag).low});
  }
  ComplexParts data() const { return this->key().template As<ComplexParts>(); }
};
using Complex64Attribute = ComplexAttribute<AttributeKind::Complex64>;
using Complex128Attribute = ComplexAttribute<AttributeKind::Complex128>;

struct StrKey {
  std::string text;
  bool operator==(const StrKey&) const = default;
  size_t Hash() const { return std::hash<std::string>()(text); }
  int Depth() const { return -1; }
};

class StrAttribute : public UniquedOf<StrAttribute, Attribute, StrKey> {
 public:
  using UniquedOf::UniquedOf;
  static StrAttribute get(IrContext* context, std::string text) { return UniquedOf::get(context, {std::move(text)}); }
  const std::string& data() const { return key().text; }
};

struct ArrayKey {
  std::vector<Attribute> items;
  bool operator==(const ArrayKey&) const = default;
  size_t Hash() const;
  int Depth() const;
};

class ArrayAttribute : public UniquedOf<ArrayAttribute, Attribute, ArrayKey> {
 public:
  using UniquedOf::UniquedOf;
  const std::vector<Attribute>& items() const { return key().items; }
};

struct DictionaryKey {
  std::vector<NamedAttribute> entries;  // sorted by name, each once
  bool operator==(const DictionaryKey&) const = default;
  size_t Hash() const;
  int Depth() const;
};

class DictionaryAttribute : public UniquedOf<DictionaryAttribute, Attribute, DictionaryKey> {
 public:
  using UniquedOf::UniquedOf;
  // Sorts them. InvalidArgument for a name that stands there twice.
  static DictionaryAttribute get(IrContext* context, std::vector<NamedAttribute> entries);
  const std::vector<NamedAttribute>& entries() const { return key().entries; }
};

struct TypeAttributeKey {
  Type type;
  bool operator==(const TypeAttributeKey&) const = default;
  size_t Hash() const { return type.Hash(); }
  int Depth() const { return type.Depth(); }
};

class TypeAttribute : public UniquedOf<TypeAttribute, Attribute, TypeAttributeKey> {
 public:
  using UniquedOf::UniquedOf;
  Type data() const { return key().type; }
};

struct IntArrayKey {
  std::vector<int64_t> values;
  bool operator==(const IntArrayKey&) const = default;
  size_t Hash() const;
  int Depth() const { return -1; }
};

class IntArrayAttribute : public UniquedOf<IntArrayAttribute, Attribute, IntArrayKey> {
 public:
  using UniquedOf::UniquedOf;
  const std::vector<int64_t>& data() const { return key().values; }
};

struct TensorKey {
  DataType dtype = DataType::UNDEFINED;
  std::vector<int64_t> dims;
  std::string bytes;
  bool operator==(const TensorKey&) const = default;
  size_t Hash() const;
  int Depth() const { return -1; }
};

// A small constant, as its bytes.
class TensorAttribute : public UniquedOf<TensorAttribute, Attribute, TensorKey> {
 public:
  using UniquedOf::UniquedOf;
  // InvalidArgument where the bytes are not as many as the shape and the dtype say.
  static TensorAttribute get(IrContext* context, TensorKey key);
};

// An attribute of a file that nobody here knows: kept, and written back.
class OpaqueAttribute : public UniquedOf<OpaqueAttribute, Attribute, OpaqueKey> {
 public:
  using UniquedOf::UniquedOf;
};

}  // namespace phi::ir
