// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/SymInt.h>

#include <tuple>
#include <type_traits>
#include <variant>

#include "core/attribute.h"
#include "paddle/tensor.h"

// How the functions of a custom operator (kernel, InferShape, InferDtype) get their arguments: each is wrapped in a
// function that takes them all in one struct, and reads them by the types of its parameters.
namespace paddle::detail {

// An input in an author's function: Value is Tensor for a kernel, std::vector<Dim> for InferShape, else DataType.
template <class Value>
using InputOf = std::variant<Value, std::vector<Value>, paddle::optional<Value>, paddle::optional<std::vector<Value>>>;

// What a function is called with, in the order of the declaration.
template <class V>
struct Call {
  using Value = V;
  std::vector<InputOf<V>> inputs;
  std::vector<phi::Attribute> attributes;
  std::vector<std::vector<V>> outputs;  // of a kernel that returns nothing; one element if it is no list
};

// The type of an attribute as Attrs() spells it, and as phi::Attribute holds it.
template <class T>
struct AttributeTraits;
#define PHI_CUSTOM_ATTRIBUTE(type, stored)      \
  template <>                                   \
  struct AttributeTraits<type> {                \
    static constexpr const char* kName = #type; \
    using Stored = stored;                      \
  };
PHI_CUSTOM_ATTRIBUTE(bool, bool)
PHI_CUSTOM_ATTRIBUTE(int, int64_t)
PHI_CUSTOM_ATTRIBUTE(int64_t, int64_t)
PHI_CUSTOM_ATTRIBUTE(float, double)
PHI_CUSTOM_ATTRIBUTE(double, double)
PHI_CUSTOM_ATTRIBUTE(std::string, std::string)
PHI_CUSTOM_ATTRIBUTE(std::vector<int>, std::vector<int>)
PHI_CUSTOM_ATTRIBUTE(std::vector<int64_t>, std::vector<int64_t>)
PHI_CUSTOM_ATTRIBUTE(std::vector<float>, std::vector<float>)
PHI_CUSTOM_ATTRIBUTE(std::vector<std::string>, std::vector<std::string>)
#undef PHI_CUSTOM_ATTRIBUTE
template <class T>
concept AttributeOfCustomOp = requires { AttributeTraits<T>::kName; };

enum class ParamKind : uint8_t { kOne, kList, kOptional, kOptionalList, kOutput, kOutputList, kAttribute };

// A parameter of an author's function, to be compared with the declaration when the operator is registered.
struct Param {
  ParamKind kind;
  const char* attribute = nullptr;  // AttributeTraits::kName
  bool is_mutable = false;          // Tensor&
};

template <class P, class Value>
constexpr Param ParamOf() {
  using T = std::remove_cvref_t<P>;
  Param param{};
  param.is_mutable = std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>;
  if constexpr (std::is_same_v<T, Value>) {
    param.kind = ParamKind::kOne;
  } else if constexpr (std::is_same_v<T, std::vector<Value>>) {
    param.kind = ParamKind::kList;
  } else if constexpr (std::is_same_v<T, paddle::optional<Value>>) {
    param.kind = ParamKind::kOptional;
  } else if constexpr (std::is_same_v<T, paddle::optional<std::vector<Value>>>) {
    param.kind = ParamKind::kOptionalList;
  } else if constexpr (std::is_same_v<T, Value*>) {
    param.kind = ParamKind::kOutput;
  } else if constexpr (std::is_same_v<T, std::vector<Value*>>) {
    param.kind = ParamKind::kOutputList;
  } else {
    static_assert(AttributeOfCustomOp<T>,
                  "a function of a custom operator takes tensors (or shapes, or data types), std::vector and "
                  "paddle::optional of them, and attributes: bool, int, int64_t, float, double, std::string, and "
                  "std::vector of int, int64_t, float or std::string");
    param.kind = ParamKind::kAttribute;
    param.attribute = AttributeTraits<T>::kName;
  }
  return param;
}

// Reads the arguments of a call one after the other.
template <class C>
class Reader {
 public:
  explicit Reader(C& call) : call_(call) {}

  template <class P>
  decltype(auto) Next() {
    using T = std::remove_cvref_t<P>;
    using Value = typename C::Value;
    constexpr ParamKind kind = ParamOf<P, Value>().kind;
    if constexpr (kind == ParamKind::kOutput) {
      return &call_.outputs.at(output_++).at(0);
    } else if constexpr (kind == ParamKind::kOutputList) {
      T pointers;
      for (Value& value : call_.outputs.at(output_++)) pointers.push_back(&value);
      return pointers;
    } else if constexpr (kind == ParamKind::kAttribute) {
      return static_cast<T>(std::get<typename AttributeTraits<T>::Stored>(call_.attributes.at(attribute_++)));
    } else {
      return Get<T>(call_.inputs.at(input_++));
    }
  }

 private:
  // An absent optional input is an empty value for a parameter that is not optional.
  template <class T, class Input>
  static T& Get(Input& input) {
    if (T* value = std::get_if<T>(&input)) return *value;
    if constexpr (!requires(T value) { value.get_ptr(); }) {
      auto& value = std::get<paddle::optional<T>>(input);
      return value ? *value : value.emplace();
    } else {
      return std::get<T>(input);
    }
  }

  C& call_;
  size_t input_ = 0;
  size_t attribute_ = 0;
  size_t output_ = 0;
};

// An author's function behind the one type that all of its kind have.
template <class C, class R>
struct Function {
  R (*run)(C&) = nullptr;
  std::vector<Param> params;
  bool returns = true;
};

template <auto fn>
struct Wrap;
template <class R, class... P, R (*fn)(P...)>
struct Wrap<fn> {
  using Return = R;

  template <class C, class Result>
  static Result Run(C& call) {
    Reader<C> reader(call);
    // braces: from left to right
    std::tuple<decltype(reader.template Next<P>())...> arguments{reader.template Next<P>()...};
    if constexpr (std::is_void_v<R>) {
      std::apply(fn, arguments);
      return {};
    } else {
      return std::apply(fn, arguments);
    }
  }
  template <class C, class Result>
  static Function<C, Result> Make() {
    return {&Run<C, Result>, {ParamOf<P, typename C::Value>()...}, !std::is_void_v<R>};
  }
};

using KernelCall = Call<Tensor>;
using KernelFn = Function<KernelCall, std::vector<Tensor>>;
using DtypeCall = Call<DataType>;
using InferDtypeFn = Function<DtypeCall, std::vector<DataType>>;
template <class Dim>
using Shape = std::vector<Dim>;
template <class Dim>
using ShapeCall = Call<Shape<Dim>>;
template <class Dim>
using ShapeFn = Function<ShapeCall<Dim>, std::vector<Shape<Dim>>>;
// Over numbers, or over sizes that may be symbolic.
struct InferShapeFn {
  ShapeFn<int64_t> ints;
  ShapeFn<c10::SymInt> syms;
};

template <auto fn>
KernelFn MakeKernel() {
  using R = typename Wrap<fn>::Return;
  static_assert(std::is_void_v<R> || std::is_same_v<R, std::vector<Tensor>>,
                "a kernel returns std::vector<paddle::Tensor>, or nothing");
  return Wrap<fn>::template Make<KernelCall, std::vector<Tensor>>();
}
template <auto fn>
InferShapeFn MakeInferShape() {
  using R = typename Wrap<fn>::Return;
  InferShapeFn result;
  if constexpr (std::is_same_v<R, std::vector<Shape<c10::SymInt>>>) {
    result.syms = Wrap<fn>::template Make<ShapeCall<c10::SymInt>, R>();
  } else {
    static_assert(std::is_same_v<R, std::vector<Shape<int64_t>>>,
                  "an InferShape function returns std::vector<std::vector<int64_t>>, or the same of paddle::SymInt");
    result.ints = Wrap<fn>::template Make<ShapeCall<int64_t>, R>();
  }
  return result;
}
template <auto fn>
InferDtypeFn MakeInferDtype() {
  static_assert(std::is_same_v<typename Wrap<fn>::Return, std::vector<DataType>>,
                "an InferDtype function returns std::vector<paddle::DataType>");
  return Wrap<fn>::template Make<DtypeCall, std::vector<DataType>>();
}

}  // namespace paddle::detail
