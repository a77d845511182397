// SPDX-License-Identifier: Apache-2.0
#include "ir/core/builtin_attribute.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "common/enforce.h"

namespace phi::ir {

namespace {

// An integer as one of `bits` bits has it, or false.
bool Fits(DataType dtype, int64_t value) {
  switch (dtype) {
    case DataType::BOOL:
      return value == 0 || value == 1;
    case DataType::UINT8:
      return value >= 0 && value <= UINT8_MAX;
    case DataType::INT8:
      return value >= INT8_MIN && value <= INT8_MAX;
    case DataType::UINT16:
      return value >= 0 && value <= UINT16_MAX;
    case DataType::INT16:
      return value >= INT16_MIN && value <= INT16_MAX;
    case DataType::UINT32:
      return value >= 0 && value <= UINT32_MAX;
    case DataType::INT32:
      return value >= INT32_MIN && value <= INT32_MAX;
    case DataType::UINT64:
      return value >= 0;
    default:
      return true;
  }
}

const std::map<TypeId, AttributeKind>& Kinds() {
  static const std::map<TypeId, AttributeKind> kinds = {
      {TypeId::Get<BoolAttribute>(), AttributeKind::Bool},
      {TypeId::Get<Int32Attribute>(), AttributeKind::Int32},
      {TypeId::Get<Int64Attribute>(), AttributeKind::Int64},
      {TypeId::Get<FloatAttribute>(), AttributeKind::Float},
      {TypeId::Get<DoubleAttribute>(), AttributeKind::Double},
      {TypeId::Get<Complex64Attribute>(), AttributeKind::Complex64},
      {TypeId::Get<Complex128Attribute>(), AttributeKind::Complex128},
      {TypeId::Get<StrAttribute>(), AttributeKind::Str},
      {TypeId::Get<ArrayAttribute>(), AttributeKind::Array},
      {TypeId::Get<DictionaryAttribute>(), AttributeKind::Dictionary},
      {TypeId::Get<TypeAttribute>(), AttributeKind::Type},
      {TypeId::Get<DataTypeAttribute>(), AttributeKind::DataType},
      {TypeId::Get<PlaceAttribute>(), AttributeKind::Place},
      {TypeId::Get<DataLayoutAttribute>(), AttributeKind::DataLayout},
      {TypeId::Get<ScalarAttribute>(), AttributeKind::Scalar},
      {TypeId::Get<IntArrayAttribute>(), AttributeKind::IntArray},
      {TypeId::Get<TensorAttribute>(), AttributeKind::Tensor},
      {TypeId::Get<KernelKeyAttribute>(), AttributeKind::KernelKey},
      {TypeId::Get<OpaqueAttribute>(), AttributeKind::Opaque},
  };
  return kinds;
}

}  // namespace

const char* AttributeKindName(AttributeKind kind) {
  constexpr const char* kNames[] = {"bool",   "i32",      "i64",    "f32",        "f64",    "c64",   "c128",
                                    "str",    "array",    "dict",   "type",       "dtype",  "place", "layout",
                                    "scalar", "intarray", "tensor", "kernel_key", "opaque", "any"};
  static_assert(std::size(kNames) == static_cast<size_t>(AttributeKind::Any) + 1);
  return kNames[static_cast<int>(kind)];
}

AttributeKind Attribute::kind() const {
  const auto found = Kinds().find(id());
  return found == Kinds().end() ? AttributeKind::Any : found->second;
}

ScalarAttribute ScalarAttribute::Integer(IrContext* context, DataType dtype, int64_t value) {
  if (IsFloatingType(dtype) || IsComplexType(dtype)) return Real(context, dtype, static_cast<double>(value));
  PADDLE_ENFORCE(dtype == DataType::BOOL || IsIntegralType(dtype),
                 errors::InvalidArgument("a scalar has the data type of a number, got %s", dtype));
  PADDLE_ENFORCE(Fits(dtype, value), errors::InvalidArgument("%d is no %s", value, dtype));
  return UniquedOf::get(context, ScalarKey{dtype, value, {}});
}

Scalar ScalarAttribute::data() const {
  if (dtype() == DataType::BOOL) return Scalar(integer() != 0);
  if (is_integer()) return Scalar(integer());
  if (!IsComplexType(dtype())) return Scalar(parts().real);
  return Scalar(dtype::complex<double>(parts().real, parts().imag));
}

ScalarAttribute ScalarAttribute::Real(IrContext* context, DataType dtype, double real, double imag) {
  PADDLE_ENFORCE(IsFloatingType(dtype) || IsComplexType(dtype),
                 errors::InvalidArgument("%s is no data type of real or complex numbers", dtype));
  PADDLE_ENFORCE(IsComplexType(dtype) || imag == 0, errors::InvalidArgument("%s has no imaginary part", dtype));
  if (dtype == DataType::FLOAT32 || dtype == DataType::COMPLEX64) {
    real = static_cast<float>(real);
    imag = static_cast<float>(imag);
  }
  return UniquedOf::get(context, ScalarKey{dtype, 0, {BitsKey::Of(real).low, BitsKey::Of(imag).low}});
}

size_t ArrayKey::Hash() const {
  size_t hash = items.size();
  for (Attribute item : items) hash = CombineHash(hash, item.Hash());
  return hash;
}

int ArrayKey::Depth() const {
  int depth = -1;
  for (Attribute item : items) depth = std::max(depth, item.Depth());
  return depth;
}

size_t DictionaryKey::Hash() const {
  size_t hash = entries.size();
  for (const auto& [name, value] : entries) {
    hash = CombineHash(CombineHash(hash, std::hash<std::string>()(name)), value.Hash());
  }
  return hash;
}

int DictionaryKey::Depth() const {
  int depth = -1;
  for (const auto& [name, value] : entries) depth = std::max(depth, value.Depth());
  return depth;
}

DictionaryAttribute DictionaryAttribute::get(IrContext* context, std::vector<NamedAttribute> entries) {
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 1; i < entries.size(); ++i) {
    PADDLE_ENFORCE(entries[i - 1].first != entries[i].first,
                   errors::InvalidArgument("'%s' stands twice in a dictionary", entries[i].first));
  }
  return UniquedOf::get(context, {std::move(entries)});
}

size_t IntArrayKey::Hash() const {
  size_t hash = values.size();
  for (const int64_t value : values) hash = CombineHash(hash, static_cast<size_t>(value));
  return hash;
}

size_t TensorKey::Hash() const {
  size_t hash = CombineHash(static_cast<size_t>(dtype), std::hash<std::string>()(bytes));
  for (const int64_t dim : dims) hash = CombineHash(hash, static_cast<size_t>(dim));
  return hash;
}

TensorAttribute TensorAttribute::get(IrContext* context, TensorKey key) {
  int64_t expected = static_cast<int64_t>(SizeOf(key.dtype));
  for (const int64_t dim : key.dims) {
    const bool overflows = dim < 0 || __builtin_mul_overflow(expected, dim, &expected);
    PADDLE_ENFORCE(!overflows, errors::InvalidArgument("a constant has no size %d", dim));
  }
  PADDLE_ENFORCE(static_cast<int64_t>(key.bytes.size()) == expected,
                 errors::InvalidArgument("the bytes of a constant: expected %d, got %d", expected, key.bytes.size()));
  return UniquedOf::get(context, std::move(key));
}

}  // namespace phi::ir
