// SPDX-License-Identifier: Apache-2.0
// What the formula of a node uses: which gradients are wanted, and tensors that stand in for what was not saved.
#pragma once
#include <array>
#include <tuple>
#include <vector>

#include "torch/autograd/saved.h"

namespace phi::torch_bridge {

// Which of the N gradients are wanted, and how many edges each has.
template <size_t N>
struct Edges {
  std::array<bool, N> needed{};
  std::array<int64_t, N> count{};

  // Gradients for all edges: `results` where wanted, undefined elsewhere.
  template <class... T>
  variable_list Collect(std::tuple<T...> results) const {
    static_assert(sizeof...(T) == N);
    variable_list grads;
    grads.reserve(Total());
    size_t i = 0;
    const auto add = [&](auto& result) {
      const size_t begin = grads.size();
      if (needed[i]) ForEachResult(result, [&](at::Tensor& grad) { grads.push_back(std::move(grad)); });
      grads.resize(begin + static_cast<size_t>(count[i++]));
    };
    std::apply([&](auto&... result) { (add(result), ...); }, results);
    return grads;
  }
  // The results of an op with one output; all its gradients belong to one input.
  variable_list Collect(at::Tensor result) const { return Collect(std::tuple(std::move(result))); }
  variable_list Collect(std::vector<at::Tensor> result) const {
    if (needed[0] && result.size() == Total()) return result;
    return Collect(std::tuple(std::move(result)));
  }

  variable_list None() const { return variable_list(Total()); }

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
  size_t Total() const {
    size_t total = 0;
    for (const int64_t n : count) total += static_cast<size_t>(n);
    return total;
  }
  template <class F>
  static void ForEachResult(at::Tensor& result, const F& f) {
    f(result);
  }
  template <class F>
  static void ForEachResult(std::vector<at::Tensor>& results, const F& f) {
    for (at::Tensor& result : results) f(result);
  }
};

bool AnyDefined(const variable_list& grads);

// Whether an incoming gradient is that of an input as it stands: same shape and dtype.
bool Fits(const at::Tensor& grad, const SavedMeta& input);
inline bool Fits(const at::Tensor& grad, const at::Tensor& input) { return Fits(grad, SavedMeta(input)); }

// The gradients that are incoming ones (`pass_through`); the backward op is called only for the rest.
template <size_t N>
class PassThrough {
 public:
  explicit PassThrough(const Edges<N>& edges) : rest_(edges.needed) {}

  template <size_t I, class Saved>
  void Try(const at::Tensor& incoming, const Saved& input) {
    if (!rest_[I] || !incoming.defined() || !Fits(incoming, input)) return;
    std::get<I>(grads_) = incoming;
    rest_[I] = false;
  }
  // Which gradients the backward op has to compute.
  const std::array<bool, N>& rest() const { return rest_; }
  bool all() const { return rest_ == std::array<bool, N>{}; }

  using Grads = decltype(std::tuple_cat(std::array<at::Tensor, N>()));
  Grads grads() { return std::move(grads_); }
  // Together with what the backward op has computed.
  Grads Fill(Grads computed) {
    const auto fill = [&]<size_t... I>(std::index_sequence<I...>) {
      ((std::get<I>(grads_).defined() ? void() : void(std::get<I>(grads_) = std::move(std::get<I>(computed)))), ...);
    };
    fill(std::make_index_sequence<N>());
    return grads();
  }
  Grads Fill(at::Tensor computed)
    requires(N == 1)
  {
    return Fill(Grads(std::move(computed)));
  }

 private:
  std::array<bool, N> rest_;
  Grads grads_;
};

// A tensor with the shape, dtype and device of `meta`, and the memory of one element.
at::Tensor ShapeOnly(const SavedMeta& meta);  // undefined for an absent one
std::optional<at::Tensor> OptionalShapeOnly(const SavedMeta& meta);
std::vector<at::Tensor> ShapeOnly(const SavedMetas& metas);

// An incoming gradient that a formula cannot do without: zeros where none came.
at::Tensor GradOrZeros(const at::Tensor& grad, const SavedMeta& meta);
std::vector<at::Tensor> GradsOrZeros(const variable_list& grads, size_t begin, const SavedMetas& metas);

inline std::optional<at::Tensor> IfDefined(const at::Tensor& tensor) {
  return tensor.defined() ? std::optional(tensor) : std::nullopt;
}
// Raises RuntimeError when a backward op needs a tensor that the forward op was called without.
const at::Tensor& Required(const at::Tensor& tensor, const char* op, const char* argument);

}  // namespace phi::torch_bridge
