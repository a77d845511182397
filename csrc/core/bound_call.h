// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tuple>
#include <typeinfo>
#include <utility>

#include "core/kernel_utils.h"

// A kernel with its arguments, which are unboxed once and then used by any number of calls.
namespace phi {

struct BoundCall {
  void (*run)(void* bound) = nullptr;
  std::shared_ptr<void> bound;
};

// The arguments of `call`, and its device context, stay where they are as long as what is returned is used. What
// tensors refer to may change between calls.
BoundCall Bind(const Kernel& kernel, KernelContext* call);

namespace detail {

// An argument as it is kept.
template <typename P>
struct BoundArg {
  using Value = decltype(KernelArg<P>::Unbox(std::declval<ArgCursor&>()));
  Value value;
  explicit BoundArg(ArgCursor& cursor) : value(KernelArg<P>::Unbox(cursor)) {}
  Value& get() { return value; }
};

// An optional tensor is a copy, which follows the tensor.
template <TensorClass T>
struct BoundArg<const paddle::optional<T>&> {
  const T* source;
  paddle::optional<T> value;
  explicit BoundArg(ArgCursor& cursor)
      : source(cursor.ctx->InputAt<T>(cursor.ctx->InputRangeAt(cursor.input).first)),
        value(KernelArg<const paddle::optional<T>&>::Unbox(cursor)) {}
  const paddle::optional<T>& get() {
    if constexpr (std::is_same_v<T, DenseTensor>) {
      if (source != nullptr && source->data() != std::as_const(*value).data()) *value = *source;
    } else if (source != nullptr) {
      *value = *source;
    }
    return value;
  }
};

template <typename Fn>
struct Binder;

template <typename... Params>
struct Binder<void(const DeviceContext&, Params...)> {
  using Fn = void (*)(const DeviceContext&, Params...);
  struct Bound {
    Fn fn;
    const DeviceContext* context;
    std::tuple<BoundArg<Params>...> args;
  };
  static void Run(void* bound) {
    auto& b = *static_cast<Bound*>(bound);
    std::apply([&](auto&... arg) { b.fn(*b.context, arg.get()...); }, b.args);
  }
  static BoundCall Bind(KernelContext* call, void* fn) {
    ArgCursor cursor{call};
    // a braced list is evaluated from left to right
    return {&Run,
            std::make_shared<Bound>(Bound{reinterpret_cast<Fn>(fn),
                                          &call->GetDeviceContext(),
                                          std::tuple<BoundArg<Params>...>{BoundArg<Params>(cursor)...}})};
  }
};

}  // namespace detail

// How the kernels of a signature are bound; those of a signature that nobody registers are called with a KernelContext.
struct BinderRow {
  const char* signature;
  BoundCall (*bind)(KernelContext* call, void* fn);

  template <typename Fn>
  static BinderRow Of() {
    return {typeid(typename detail::Binder<Fn>::Fn).name(), &detail::Binder<Fn>::Bind};
  }
};
bool RegisterBinders(std::initializer_list<BinderRow> rows);

}  // namespace phi
