// SPDX-License-Identifier: Apache-2.0
// The bases of the generated autograd nodes. A node declares what it saves (`fields()`) and a pure `formula`;
// BackwardNode does everything else for the engine, CompiledNode for compiled autograd.
#pragma once
#include <array>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "torch/autograd/grads.h"

namespace phi::torch_bridge {

// The arguments of a call in a compiled graph.
class PackedFields;
// What compiled autograd does with a field of some type.
struct FieldOps;

// For each type that fields have.
template <class T>
const FieldOps& OpsOf();
template <class T>
typename Field<T>::Value Unpack(PackedFields& packed);

// A node in a compiled graph: the part of it that does not depend on its formula.
struct CompiledNode : torch::autograd::TraceableFunction {
  using TraceableFunction::TraceableFunction;

  void compiled_args(torch::dynamo::autograd::CompiledNodeArgs& args) const override;
  variable_list apply_with_saved(const variable_list& grads,
                                 torch::dynamo::autograd::SwapSavedVariables& saved) override;

 protected:
  struct SavedField {
    void* field;
    const FieldOps& ops;
  };
  struct Parts {
    std::vector<SavedField> fields;
    std::span<const int64_t> edge_counts;
    variable_list (*call)(const variable_list& grads, PackedFields& packed);  // the formula
  };
  virtual Parts parts() = 0;
  virtual std::vector<int64_t> packed_edges() = 0;
};

// `Derived` has `kName`, `fields()` (a std::tie of its members) and
// `static variable_list formula(const variable_list& grads, const Edges<N>&, const Field<...>::Value&...)`.
template <class Derived, size_t N>
struct BackwardNode : CompiledNode {
  using CompiledNode::CompiledNode;
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

 protected:
  Parts parts() override {
    Parts parts{{}, edge_counts, &Call};
    ForEachField([&](auto& field) { parts.fields.push_back({&field, OpsOf<std::remove_cvref_t<decltype(field)>>()}); });
    return parts;
  }
  std::vector<int64_t> packed_edges() override { return edges().ToInts(); }

 private:
  template <class T>
  using FieldOf = Field<std::remove_cvref_t<T>>;
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

  template <class... T>
  static variable_list CallWith(const variable_list& grads, PackedFields& packed, std::tuple<T...>*) {
    const auto edges = Edges<N>::FromInts(Unpack<std::vector<int64_t>>(packed));
    // braces: from left to right
    std::tuple<typename FieldOf<T>::Value...> values{Unpack<std::remove_cvref_t<T>>(packed)...};
    return std::apply([&](const auto&... value) { return Derived::formula(grads, edges, value...); }, values);
  }
  static variable_list Call(const variable_list& grads, PackedFields& packed) {
    return CallWith(grads, packed, static_cast<decltype(std::declval<Derived&>().fields())*>(nullptr));
  }
};

}  // namespace phi::torch_bridge
