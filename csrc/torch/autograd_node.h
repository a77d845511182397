// SPDX-License-Identifier: Apache-2.0
// The base of the generated autograd nodes. A node declares what it saves (`fields()`) and a pure `formula`; this class
// does everything else, for the engine and for compiled autograd.
#pragma once
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/csrc/dynamo/compiled_autograd.h>

#include <array>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "torch/autograd_utils.h"

namespace phi::torch_bridge {

using torch::autograd::SavedVariable;
using torch::autograd::TypeAndSize;
using torch::dynamo::autograd::CompiledNodeArgs;
using torch::dynamo::autograd::SwapSavedVariables;

// ---- what a node saves ----

struct SavedTensor {
  SavedTensor() = default;
  explicit SavedTensor(const at::Tensor& tensor, bool is_output = false, bool is_inplace_on_view = false)
      : variable(tensor, is_output, is_inplace_on_view), is_output(is_output) {}
  explicit SavedTensor(const std::optional<at::Tensor>& tensor) : SavedTensor(tensor.value_or(at::Tensor())) {}

  SavedVariable variable;
  bool is_output = false;
};

struct SavedTensors {
  SavedTensors() = default;
  explicit SavedTensors(at::TensorList tensors, bool is_output = false) : is_output(is_output) {
    variables.reserve(tensors.size());
    for (const at::Tensor& tensor : tensors) variables.emplace_back(tensor, is_output);
  }
  explicit SavedTensors(const OptionalTensors& tensors)
      : SavedTensors(tensors ? at::TensorList(*tensors) : at::TensorList()) {
    is_none = !tensors.has_value();
  }

  std::vector<SavedVariable> variables;
  bool is_output = false;
  bool is_none = false;
};

// Shape, dtype and device of a tensor whose data the backward op does not read; none for an absent one.
using SavedMeta = std::optional<TypeAndSize>;
using SavedMetas = std::vector<TypeAndSize>;

inline SavedMeta SavedMetaOf(const at::Tensor& tensor) {
  return tensor.defined() ? SavedMeta(TypeAndSize(tensor)) : std::nullopt;
}
inline SavedMeta SavedMetaOf(const std::optional<at::Tensor>& tensor) {
  return tensor ? SavedMetaOf(*tensor) : std::nullopt;
}
inline SavedMetas SavedMetaOf(at::TensorList tensors) { return SavedMetas(tensors.begin(), tensors.end()); }

// How a saved field of type T goes into a node, into a compiled graph, and out again as a `Value`.
template <class T>
struct Field {
  using Value = T;
  static Value Unpack(T& field, const NodePtr<torch::autograd::Node>&) { return field; }
  static void Release(T&) {}
  static void Collect(CompiledNodeArgs& args, const T& field) { args.collect(field); }
  static void Before(SwapSavedVariables& saved, T& field) { saved.before(field); }
  static void After(SwapSavedVariables& saved, T& field) { saved.after(field); }
};

template <>
struct Field<SavedTensor> {
  using Value = at::Tensor;
  static Value Unpack(SavedTensor& field, const NodePtr<torch::autograd::Node>& self) {
    return field.is_output ? field.variable.unpack(self) : field.variable.unpack();
  }
  static void Release(SavedTensor& field) { field.variable.reset_data(); }
  static void Collect(CompiledNodeArgs& args, const SavedTensor& field) {
    args.collect(field.variable, field.is_output);
  }
  static void Before(SwapSavedVariables& saved, SavedTensor& field) { saved.before(field.variable); }
  static void After(SwapSavedVariables& saved, SavedTensor& field) { saved.after(field.variable); }
};

template <>
struct Field<SavedTensors> {
  using Value = OptionalTensors;
  static Value Unpack(SavedTensors& field, const NodePtr<torch::autograd::Node>& self) {
    if (field.is_none) return std::nullopt;
    std::vector<at::Tensor> tensors;
    tensors.reserve(field.variables.size());
    for (SavedVariable& variable : field.variables) {
      tensors.push_back(field.is_output ? variable.unpack(self) : variable.unpack());
    }
    return tensors;
  }
  static void Release(SavedTensors& field) {
    for (SavedVariable& variable : field.variables) variable.reset_data();
  }
  static void Collect(CompiledNodeArgs& args, const SavedTensors& field) {
    args.collect(field.is_none);
    args.collect(field.variables, field.is_output);
  }
  static void Before(SwapSavedVariables& saved, SavedTensors& field) { saved.before(field.variables); }
  static void After(SwapSavedVariables& saved, SavedTensors& field) { saved.after(field.variables); }
};

// ---- what a formula uses ----

// Which of the N gradients are wanted, and how many edges each has.
template <size_t N>
struct Edges {
  std::array<bool, N> needed{};
  std::array<int64_t, N> count{};

  // Gradients for all edges: `results` where wanted, undefined elsewhere.
  template <class... T>
  variable_list Collect(const std::tuple<T...>& results) const {
    static_assert(sizeof...(T) == N);
    variable_list grads;
    size_t i = 0;
    const auto add = [&](const auto& result) {
      const size_t begin = grads.size();
      if (needed[i]) ForEachResult(result, [&](const at::Tensor& grad) { grads.push_back(grad); });
      grads.resize(begin + static_cast<size_t>(count[i++]));
    };
    std::apply([&](const auto&... result) { (add(result), ...); }, results);
    return grads;
  }
  variable_list Collect(const at::Tensor& result) const { return Collect(std::tie(result)); }
  variable_list Collect(const std::vector<at::Tensor>& result) const { return Collect(std::tie(result)); }

  variable_list None() const {
    size_t total = 0;
    for (const int64_t n : count) total += static_cast<size_t>(n);
    return variable_list(total);
  }

  // For a compiled graph.
  std::vector<int64_t> ToInts() const {
    std::vector<int64_t> ints(needed.begin(), needed.end());
    ints.insert(ints.end(), count.begin(), count.end());
    return ints;
  }
  static Edges FromInts(const std::vector<int64_t>& ints) {
    Edges edges;
    for (size_t i = 0; i < N; ++i) {
      edges.needed[i] = ints.at(i) != 0;
      edges.count[i] = ints.at(N + i);
    }
    return edges;
  }

 private:
  template <class F>
  static void ForEachResult(const at::Tensor& result, const F& f) {
    f(result);
  }
  template <class F>
  static void ForEachResult(const std::vector<at::Tensor>& results, const F& f) {
    for (const at::Tensor& result : results) f(result);
  }
};

bool AnyDefined(const variable_list& grads);

// A tensor with the shape, dtype and device of `meta`, and the memory of one element.
at::Tensor ShapeOnly(const TypeAndSize& meta);
std::optional<at::Tensor> ShapeOnly(const SavedMeta& meta);
std::vector<at::Tensor> ShapeOnly(const SavedMetas& metas);

// An incoming gradient that a formula cannot do without: zeros where none came.
at::Tensor GradOrZeros(const at::Tensor& grad, const SavedMeta& meta);
std::vector<at::Tensor> GradsOrZeros(const variable_list& grads, size_t begin, const SavedMetas& metas);

inline std::optional<at::Tensor> IfDefined(const at::Tensor& tensor) {
  return tensor.defined() ? std::optional(tensor) : std::nullopt;
}
// Raises RuntimeError when a backward op needs a tensor that the forward op was called without.
const at::Tensor& Required(const at::Tensor& tensor, const char* op, const char* argument);

// ---- the node ----

// `Derived` has `kName`, `fields()` (a std::tie of its members) and
// `static variable_list formula(const variable_list& grads, const Edges<N>&, const Field<...>::Value&...)`.
template <class Derived, size_t N>
struct BackwardNode : torch::autograd::TraceableFunction {
  std::array<int64_t, N> edge_counts{};

  std::string name() const override { return Derived::kName; }

  void release_variables() override {
    std::lock_guard<std::mutex> lock(mutex_);
    ForEachField([](auto& field) { FieldOf<decltype(field)>::Release(field); });
  }

  variable_list apply(variable_list&& grads) override {
    std::lock_guard<std::mutex> lock(mutex_);
    const NodePtr<torch::autograd::Node> self = SelfOf(*this);
    return std::apply(
        [&](auto&... field) {
          return Derived::formula(grads, edges(), FieldOf<decltype(field)>::Unpack(field, self)...);
        },
        derived().fields());
  }

  void compiled_args(CompiledNodeArgs& args) const override {
    for (const int64_t count : edge_counts) args.collect(count);
    const_cast<BackwardNode*>(this)->ForEachField([&](auto& field) { FieldOf<decltype(field)>::Collect(args, field); });
  }

  variable_list apply_with_saved(const variable_list& grads, SwapSavedVariables& saved) override {
    namespace dynamo = torch::dynamo::autograd;
    ForEachField([&](auto& field) { FieldOf<decltype(field)>::Before(saved, field); });
    const auto& compiler = dynamo::getPyCompilerInterface();
    static std::once_flag bound;
    std::call_once(bound, [&] { compiler->bind_function(saved.get_py_compiler(), name(), &FromIValues, Types()); });
    dynamo::PackedArgs packed;
    packed.pack(edges().ToInts());
    const NodePtr<torch::autograd::Node> self = SelfOf(*this);
    ForEachField([&](auto& field) { packed.pack(FieldOf<decltype(field)>::Unpack(field, self)); });
    const auto metadata = dynamo::IValuePacker<std::vector<std::optional<torch::autograd::InputMetadata>>>::pack(
        dynamo::get_input_metadata(next_edges()));
    variable_list result =
        compiler->call_function(saved.get_py_compiler(), "apply_functional", name(), grads, packed.vec(), metadata);
    ForEachField([&](auto& field) { FieldOf<decltype(field)>::After(saved, field); });
    return result;
  }

 private:
  template <class T>
  using FieldOf = Field<std::remove_cvref_t<T>>;
  template <class T>
  using ValueOf = typename FieldOf<T>::Value;

  Derived& derived() { return static_cast<Derived&>(*this); }

  template <class F>
  void ForEachField(const F& f) {
    std::apply([&](auto&... field) { (f(field), ...); }, derived().fields());
  }

  Edges<N> edges() {
    Edges<N> edges{{}, edge_counts};
    size_t edge = 0;
    for (size_t i = 0; i < N; ++i) {
      for (int64_t j = 0; j < edge_counts[i]; ++j) edges.needed[i] |= task_should_compute_output(edge++);
    }
    return edges;
  }

  // The types of the edges and the fields in a compiled graph.
  template <class... T>
  static std::vector<at::TypePtr> TypesOf(std::tuple<T...>*) {
    using torch::dynamo::autograd::IValuePacker;
    return {IValuePacker<std::vector<int64_t>>::packed_type(), IValuePacker<ValueOf<T>>::packed_type()...};
  }
  static std::vector<at::TypePtr> Types() {
    return TypesOf(static_cast<decltype(std::declval<Derived&>().fields())*>(nullptr));
  }

  template <class... T>
  static variable_list Call(const variable_list& grads,
                            torch::dynamo::autograd::PackedArgs& packed,
                            std::tuple<T...>*) {
    const auto edges = Edges<N>::FromInts(packed.unpack<std::vector<int64_t>>());
    std::tuple<ValueOf<T>...> values{packed.unpack<ValueOf<T>>()...};  // braces: from left to right
    return std::apply([&](const auto&... value) { return Derived::formula(grads, edges, value...); }, values);
  }
  static variable_list FromIValues(const variable_list& grads, const torch::dynamo::autograd::ivalue_list& values) {
    torch::dynamo::autograd::PackedArgs packed(values);
    return Call(grads, packed, static_cast<decltype(std::declval<Derived&>().fields())*>(nullptr));
  }
};

}  // namespace phi::torch_bridge
