// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/SymInt.h>

#include <deque>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/attribute.h"
#include "core/meta_tensor.h"
#include "ir/core/infer_type.h"
#include "torch/ir/sym_node.h"

// InferMeta functions over symbols, boxed: their arguments come from an operation.
namespace phi::ir {

// Where a parameter of an InferMeta function comes from: an operand of the operation, or an attribute of it, which an
// operand may stand for.
struct InferArgument {
  int16_t operand = -1;
  int16_t attribute = -1;
};

// A result that is there if an operand is (-1: always), and how many tensors it has if it is a list: as many as an
// operand has, or as an attribute has items, or as an attribute says.
struct InferResult {
  int16_t needs = -1;
  int16_t list_operand = -1;
  int16_t list_attribute = -1;
};

// What InferMeta cannot say without data.
struct DependsOnData {};

// The arguments of one call.
class SymInferCall {
 public:
  using SymInt = c10::SymInt;
  using Meta = MetaTensor<SymInt>;

  SymInferCall(const Operation& op, const Program& program)
      : op_(op), program_(program), shapes_(program.context(), program.symbols()) {}

  void Begin(std::span<const InferArgument> arguments, std::span<const InferResult> results);
  template <typename P>
  P Take();
  std::vector<Type> Results() const;
  SymShapes& shapes() { return shapes_; }

 private:
  struct Result {
    std::vector<Meta*> metas;
    bool is_list = false;
    bool wanted = true;
  };
  const InferArgument& Next() { return arguments_[next_argument_++]; }
  Value Operand(const InferArgument& argument) const;
  Attribute AttributeOf(const InferArgument& argument) const;
  Meta* MetaOf(Type type);  // null for an absent one
  Meta* NewMeta();
  // The numbers that an attribute or the operand in its place has; DependsOnData where only a run tells how many.
  std::vector<Dim> Numbers(const InferArgument& argument);
  Scalar TakeScalar();
  Meta TakeTensor();
  std::vector<const Meta*> TakeTensors();
  Result& NextResult() { return results_[next_result_++]; }

  const Operation& op_;
  const Program& program_;
  SymShapes shapes_;
  std::span<const InferArgument> arguments_;
  std::vector<Result> results_;
  size_t next_argument_ = 0, next_result_ = 0;
  std::deque<TensorMeta<SymInt>> tensors_;
  std::deque<Meta> metas_;
};

namespace detail {

// An attribute as the argument of a type; InvalidArgument for another.
bool ToBool(Attribute attribute);
int64_t ToInteger(Attribute attribute);
double ToReal(Attribute attribute);
std::string ToText(Attribute attribute);
DataType ToDataType(Attribute attribute);
Scalar ToScalar(Attribute attribute);
std::vector<Attribute> ToItems(Attribute attribute);

}  // namespace detail

template <typename P>
P SymInferCall::Take() {
  if constexpr (std::is_same_v<P, Meta>) {
    return TakeTensor();
  } else if constexpr (std::is_same_v<P, std::vector<const Meta*>>) {
    return TakeTensors();
  } else if constexpr (std::is_same_v<P, Meta*>) {
    Result& result = NextResult();
    return result.wanted ? result.metas.front() : nullptr;
  } else if constexpr (std::is_same_v<P, std::vector<Meta*>>) {
    return NextResult().metas;
  } else if constexpr (std::is_same_v<P, Scalar>) {
    return TakeScalar();
  } else if constexpr (std::is_same_v<P, IntArrayBase<SymInt>>) {
    std::vector<SymInt> sizes;
    for (const Dim& dim : Numbers(Next())) sizes.push_back(shapes_.ToSymInt(dim));
    return sizes;
  } else if constexpr (std::is_integral_v<P> && !std::is_same_v<P, bool>) {
    const std::vector<Dim> numbers = Numbers(Next());
    if (numbers.size() != 1 || !numbers[0].is_number()) throw DependsOnData();
    return static_cast<P>(numbers[0].number());
  } else {
    const Attribute attribute = AttributeOf(Next());
    if constexpr (std::is_same_v<P, bool>) {
      return detail::ToBool(attribute);
    } else if constexpr (std::is_floating_point_v<P>) {
      return static_cast<P>(detail::ToReal(attribute));
    } else if constexpr (std::is_same_v<P, std::string>) {
      return detail::ToText(attribute);
    } else if constexpr (std::is_same_v<P, DataType>) {
      return detail::ToDataType(attribute);
    } else {
      P items;
      for (const Attribute item : detail::ToItems(attribute)) {
        if constexpr (std::is_integral_v<typename P::value_type>) {
          items.push_back(static_cast<typename P::value_type>(detail::ToInteger(item)));
        } else if constexpr (std::is_floating_point_v<typename P::value_type>) {
          items.push_back(static_cast<typename P::value_type>(detail::ToReal(item)));
        } else if constexpr (std::is_same_v<typename P::value_type, Scalar>) {
          items.push_back(detail::ToScalar(item));
        } else {
          items.push_back(detail::ToText(item));
        }
      }
      return items;
    }
  }
}

template <auto fn>
struct SymInferMeta;
template <typename... Params, void (*fn)(Params...)>
struct SymInferMeta<fn> {
  static void Call(SymInferCall& call) {
    // a braced list is evaluated from left to right
    std::tuple<std::decay_t<Params>...> arguments{call.Take<std::decay_t<Params>>()...};
    std::apply([](auto&... argument) { fn(argument...); }, arguments);
  }
};

// The model of InferType for an operator with an InferMeta function.
struct SymInferType : InferType::Concept {
  SymInferType(void (*call)(SymInferCall&),
               std::span<const InferArgument> arguments,
               std::span<const InferResult> results)
      : Concept{&Infer}, call(call), arguments(arguments), results(results) {}
  static std::optional<InferredTypes> Infer(const Concept& self, const Operation& op, const Program& program);

  void (*call)(SymInferCall&);
  std::span<const InferArgument> arguments;
  std::span<const InferResult> results;
};

// For the initializer of a static object. The models are static themselves.
bool RegisterInferType(const char* dialect, std::initializer_list<std::pair<const char*, const SymInferType*>> models);

}  // namespace phi::ir
