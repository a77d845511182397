// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>
#include <typeinfo>

#include "core/kernel_utils.h"

// What a normalised function type says: its name, its argument definitions, and how its arguments are boxed.
namespace phi {

template <TensorClass T>
void Box(KernelContext* ctx, const T& input) {
  ctx->EmplaceBackInput(&input);
}
template <TensorClass T>
void Box(KernelContext* ctx, const paddle::optional<T>& input) {
  ctx->EmplaceBackInput(input ? &*input : nullptr);
}
template <TensorClass T>
void Box(KernelContext* ctx, const std::vector<const T*>& inputs) {
  ctx->EmplaceBackInputs({inputs.begin(), inputs.end()});
}
template <TensorClass T>
void Box(KernelContext* ctx, const paddle::optional<std::vector<const T*>>& inputs) {
  ctx->EmplaceBackInputs(inputs ? std::vector<const TensorBase*>(inputs->begin(), inputs->end())
                                : std::vector<const TensorBase*>());
}
template <TensorClass T>
void Box(KernelContext* ctx, T* output) {
  ctx->EmplaceBackOutput(output);
}
template <TensorClass T>
void Box(KernelContext* ctx, const std::vector<T*>& outputs) {
  ctx->EmplaceBackOutputs({outputs.begin(), outputs.end()});
}
template <typename T>
  requires std::is_constructible_v<Attribute, std::in_place_type_t<T>, const T&>
void Box(KernelContext* ctx, const T& attribute);  // compiled for each alternative of Attribute

// The signature that the generated API calls; kernels must have it.
struct FunctionSignature {
  const char* name;                                          // of the type, mangled
  void (*define)(const KernelKey& key, KernelArgsDef* def);  // the definitions of a kernel that asks for nothing else
};

template <typename Fn>
struct SignatureOf;

template <typename... Params>
struct SignatureOf<void(const DeviceContext&, Params...)> {
  using Fn = void (*)(const DeviceContext&, Params...);
  static void Define(const KernelKey& key, KernelArgsDef* def) { (KernelArg<Params>::Define(key, def), ...); }
  static FunctionSignature Get() { return {typeid(Fn).name(), &Define}; }
  // A kernel's own part, which the API does not compile: a typed function with the arguments of a boxed call.
  static void CallTyped(KernelContext* ctx, void* fn) {
    ArgCursor cursor{ctx};
    // a braced list is evaluated from left to right
    auto args = std::tuple<decltype(KernelArg<Params>::Unbox(cursor))...>{KernelArg<Params>::Unbox(cursor)...};
    std::apply([&](auto&... a) { reinterpret_cast<Fn>(fn)(ctx->GetDeviceContext(), a...); }, args);
  }
  // Calls a kernel that is not a plain function.
  [[gnu::noinline, gnu::cold]] static void CallBoxed(const Kernel& kernel, const DeviceContext& ctx, Params... args) {
    KernelContext boxed(&ctx);
    (Box(&boxed, args), ...);
    kernel(&boxed);
  }
};

}  // namespace phi
