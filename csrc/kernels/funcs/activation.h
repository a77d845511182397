// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernels/activation/gelu.h"
#include "kernels/activation/hardswish.h"
#include "kernels/activation/relu.h"
#include "kernels/activation/sigmoid.h"
#include "kernels/activation/silu.h"
#include "kernels/activation/tanh.h"

namespace phi::funcs {

// An activation that is known by its name when a kernel runs: the last step of a fused operator. InferMeta has refused
// other names.
struct Activation {
  enum class Kind { kIdentity, kRelu, kLeakyRelu, kSigmoid, kTanh, kSwish, kHardswish, kGelu };

  Kind kind;
  float alpha;  // the slope of leaky_relu below 0

  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    switch (kind) {
      case Kind::kRelu:
        return ReluFunctor()(x);
      case Kind::kLeakyRelu:
        return math::Select(x < V(0), x * V(alpha), x);
      case Kind::kSigmoid:
        return math::Sigmoid(x);
      case Kind::kTanh:
        return math::Tanh(x);
      case Kind::kSwish:
        return SiluFunctor()(x);
      case Kind::kHardswish:
        return HardswishFunctor()(x);
      case Kind::kGelu:  // by tanh
        return GeluFunctor{true}(x);
      default:
        return x;
    }
  }
};

inline Activation MakeActivation(const std::string& name, float alpha = 0) {
  using Kind = Activation::Kind;
  static constexpr std::pair<const char*, Kind> kNames[] = {{"relu", Kind::kRelu},
                                                            {"leaky_relu", Kind::kLeakyRelu},
                                                            {"sigmoid", Kind::kSigmoid},
                                                            {"tanh", Kind::kTanh},
                                                            {"swish", Kind::kSwish},
                                                            {"hardswish", Kind::kHardswish},
                                                            {"gelu", Kind::kGelu}};
  for (const auto& [text, kind] : kNames) {
    if (name == text) return {kind, alpha};
  }
  return {Kind::kIdentity, alpha};
}

// Whether the gradient is computed from what the activation is of; that of others is from the result.
inline bool NeedsInput(const Activation& activation) {
  using Kind = Activation::Kind;
  return activation.kind == Kind::kSwish || activation.kind == Kind::kHardswish || activation.kind == Kind::kGelu ||
         (activation.kind == Kind::kLeakyRelu && activation.alpha <= 0);
}

// The gradient of an activation, of its result or, where it needs that, of what it is of.
struct ActivationGrad {
  Activation activation;

  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    using Kind = Activation::Kind;
    switch (activation.kind) {
      case Kind::kRelu:
        return ReluGradFunctor()(x, dout);
      case Kind::kLeakyRelu:
        return math::Select(x < V(0), dout * V(activation.alpha), dout);
      case Kind::kSigmoid:
        return SigmoidGradFunctor()(x, dout);
      case Kind::kTanh:
        return TanhGradFunctor()(x, dout);
      case Kind::kSwish:
        return SiluGradFunctor()(x, dout);
      case Kind::kHardswish:
        return HardswishGradFunctor()(x, dout);
      case Kind::kGelu:
        return GeluGradFunctor{true}(x, dout);
      default:
        return dout;
    }
  }
};

// activation(x + bias + residual); without a residual activation(x + bias).
struct AddActivate {
  Activation activation;

  template <typename V>
  HOSTDEVICE V operator()(V x, V bias) const {
    return activation(x + bias);
  }
  template <typename V>
  HOSTDEVICE V operator()(V x, V bias, V residual) const {
    return activation(x + bias + residual);
  }
};

}  // namespace phi::funcs
