// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/optional.h"
#include "core/kernel_context.h"
#include "core/selected_rows.h"
#include "core/sparse_tensor.h"

// For each type of a kernel's parameter: the canonical type of a typed call, how a boxed call finds its argument, and
// the argument definition.
namespace phi {

struct ArgCursor {
  KernelContext* ctx;
  int input = 0;
  int output = 0;
  int attr = 0;
};

template <typename P>
struct KernelArg;

template <typename T>
concept TensorClass = std::is_base_of_v<TensorBase, T> && requires { T::kKind; };

template <TensorClass T>
struct KernelArg<const T&> {
  using Typed = const T&;
  static const T& FromTyped(const T& v) { return v; }
  static const T& Unbox(ArgCursor& c) { return c.ctx->RequiredInputAt<T>(c.input++); }
  static void Define(const KernelKey& key, KernelArgsDef* def) { def->AddInput(key, T::kKind, false, false); }
};

template <TensorClass T>
struct KernelArg<const paddle::optional<T>&> {
  using Typed = const paddle::optional<T>&;
  static Typed FromTyped(Typed v) { return v; }
  static paddle::optional<T> Unbox(ArgCursor& c) {
    const T* tensor = c.ctx->InputAt<T>(c.ctx->InputRangeAt(c.input++).first);
    return tensor ? paddle::optional<T>(*tensor) : paddle::none;
  }
  static void Define(const KernelKey& key, KernelArgsDef* def) { def->AddInput(key, T::kKind, false, true); }
};

template <TensorClass T>
struct KernelArg<const std::vector<const T*>&> {
  using Typed = const std::vector<const T*>&;
  static Typed FromTyped(Typed v) { return v; }
  static std::vector<const T*> Unbox(ArgCursor& c) {
    const auto& [begin, end] = c.ctx->InputRangeAt(c.input++);
    std::vector<const T*> tensors;
    for (int i = begin; i < end; ++i) tensors.push_back(c.ctx->InputAt<T>(i));
    return tensors;
  }
  static void Define(const KernelKey& key, KernelArgsDef* def) { def->AddInput(key, T::kKind, true, false); }
};

template <TensorClass T>
struct KernelArg<const paddle::optional<std::vector<const T*>>&> {
  using Typed = const paddle::optional<std::vector<const T*>>&;
  static Typed FromTyped(Typed v) { return v; }
  static paddle::optional<std::vector<const T*>> Unbox(ArgCursor& c) {
    auto tensors = KernelArg<const std::vector<const T*>&>::Unbox(c);
    return tensors.empty() ? paddle::optional<std::vector<const T*>>() : std::move(tensors);
  }
  static void Define(const KernelKey& key, KernelArgsDef* def) { def->AddInput(key, T::kKind, true, true); }
};

template <TensorClass T>
struct KernelArg<T*> {
  using Typed = T*;
  static T* FromTyped(T* v) { return v; }
  static T* Unbox(ArgCursor& c) { return c.ctx->MutableOutputAt<T>(c.ctx->OutputRangeAt(c.output++).first); }
  static void Define(const KernelKey& key, KernelArgsDef* def) { def->AddOutput(key, T::kKind, false); }
};

template <TensorClass T>
struct KernelArg<std::vector<T*>> {
  using Typed = std::vector<T*>;
  static std::vector<T*> FromTyped(std::vector<T*> v) { return v; }
  static std::vector<T*> Unbox(ArgCursor& c) {
    const auto& [begin, end] = c.ctx->OutputRangeAt(c.output++);
    std::vector<T*> tensors;
    for (int i = begin; i < end; ++i) tensors.push_back(c.ctx->MutableOutputAt<T>(i));
    return tensors;
  }
  static void Define(const KernelKey& key, KernelArgsDef* def) { def->AddOutput(key, T::kKind, true); }
};

// An attribute that is stored, and travels, as Stored.
template <typename TypedT, typename Stored, AttributeType type>
struct AttributeArg {
  using Typed = TypedT;
  static Typed FromTyped(Typed v) { return v; }
  static const Stored& Unbox(ArgCursor& c) { return c.ctx->AttrAt<Stored>(c.attr++); }
  static void Define(const KernelKey&, KernelArgsDef* def) { def->AddAttribute(type); }
};

// Numbers travel in the widest type of their kind.
template <typename Narrow, typename Wide, AttributeType type>
struct NumberArg {
  using Typed = Wide;
  static Narrow FromTyped(Wide v) { return static_cast<Narrow>(v); }
  static Narrow Unbox(ArgCursor& c) { return FromTyped(c.ctx->AttrAt<Wide>(c.attr++)); }
  static void Define(const KernelKey&, KernelArgsDef* def) { def->AddAttribute(type); }
};

template <>
struct KernelArg<bool> : NumberArg<bool, bool, AttributeType::BOOL> {};
template <>
struct KernelArg<int> : NumberArg<int, int64_t, AttributeType::INT64> {};
template <>
struct KernelArg<int64_t> : NumberArg<int64_t, int64_t, AttributeType::INT64> {};
template <>
struct KernelArg<size_t> : NumberArg<size_t, int64_t, AttributeType::INT64> {};
template <>
struct KernelArg<float> : NumberArg<float, double, AttributeType::FLOAT64> {};
template <>
struct KernelArg<double> : NumberArg<double, double, AttributeType::FLOAT64> {};

#define PHI_REFERENCE_ATTRIBUTE(Cpp, Kind) \
  template <>                              \
  struct KernelArg<const Cpp&> : AttributeArg<const Cpp&, Cpp, AttributeType::Kind> {};
PHI_REFERENCE_ATTRIBUTE(std::string, STRING)
PHI_REFERENCE_ATTRIBUTE(std::vector<bool>, BOOLS)
PHI_REFERENCE_ATTRIBUTE(std::vector<int>, INT32S)
PHI_REFERENCE_ATTRIBUTE(std::vector<int64_t>, INT64S)
PHI_REFERENCE_ATTRIBUTE(std::vector<float>, FLOAT32S)
PHI_REFERENCE_ATTRIBUTE(std::vector<double>, FLOAT64S)
PHI_REFERENCE_ATTRIBUTE(std::vector<std::string>, STRINGS)
PHI_REFERENCE_ATTRIBUTE(Scalar, SCALAR)
PHI_REFERENCE_ATTRIBUTE(std::vector<Scalar>, SCALARS)
PHI_REFERENCE_ATTRIBUTE(IntArray, INT_ARRAY)
PHI_REFERENCE_ATTRIBUTE(Place, PLACE)
#undef PHI_REFERENCE_ATTRIBUTE
template <>
struct KernelArg<DataType> : AttributeArg<DataType, DataType, AttributeType::DATA_TYPE> {};
template <>
struct KernelArg<DataLayout> : AttributeArg<DataLayout, DataLayout, AttributeType::DATA_LAYOUT> {};

}  // namespace phi
