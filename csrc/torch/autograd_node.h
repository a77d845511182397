// SPDX-License-Identifier: Apache-2.0
// The base of the generated autograd nodes. A node declares what it saves (`fields()`) and a pure `formula`; this class
// does everything else, for the engine and for compiled autograd.
#pragma once
#include <array>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "torch/autograd_grads.h"

namespace phi::torch_bridge {

// `Derived` has `kName`, `fields()` (a std::tie of its members) and
// `static variable_list formula(const variable_list& grads, const Edges<N>&, const Field<...>::Value&...)`.
template <class Derived, size_t N>
struct BackwardNode : torch::autograd::TraceableFunction {
  using TraceableFunction::TraceableFunction;
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
    ForEachField([&](auto& field) {
      packed.pack(ToPacked<PackedOf<decltype(field)>>(FieldOf<decltype(field)>::Unpack(field, self)));
    });
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
  template <class T>
  using PackedOf = typename FieldOf<T>::Packed;

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
    return {IValuePacker<std::vector<int64_t>>::packed_type(), IValuePacker<PackedOf<T>>::packed_type()...};
  }
  static std::vector<at::TypePtr> Types() {
    return TypesOf(static_cast<decltype(std::declval<Derived&>().fields())*>(nullptr));
  }

  template <class... T>
  static variable_list Call(const variable_list& grads,
                            torch::dynamo::autograd::PackedArgs& packed,
                            std::tuple<T...>*) {
    const auto edges = Edges<N>::FromInts(packed.unpack<std::vector<int64_t>>());
    // braces: from left to right
    std::tuple<ValueOf<T>...> values{FromPacked<ValueOf<T>>(packed.unpack<PackedOf<T>>())...};
    return std::apply([&](const auto&... value) { return Derived::formula(grads, edges, value...); }, values);
  }
  static variable_list FromIValues(const variable_list& grads, const torch::dynamo::autograd::ivalue_list& values) {
    torch::dynamo::autograd::PackedArgs packed(values);
    return Call(grads, packed, static_cast<decltype(std::declval<Derived&>().fields())*>(nullptr));
  }
};

}  // namespace phi::torch_bridge
