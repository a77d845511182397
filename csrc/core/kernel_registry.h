// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "common/macros.h"
#include "core/device_context.h"
#include "core/kernel_factory.h"
#include "core/kernel_utils.h"

namespace phi {

// A kernel author's function as a call sees it.
struct TypedKernel {
  FunctionSignature signature;
  KernelFn call;
  void* fn;

  Kernel Make(const KernelKey& key, const char* file, int line) const;
};

template <typename Fn, Fn fn>
struct KernelImpl;

template <typename Context, typename... Params, void (*fn)(const Context&, Params...)>
struct KernelImpl<void (*)(const Context&, Params...), fn> {
  static void Call(const DeviceContext& ctx, typename KernelArg<Params>::Typed... args) {
    // What is called is hidden from the compiler, which would copy the kernel to this place: it is compiled once, under
    // the symbol by which other kernels call it.
    auto* kernel = fn;
    asm("" : "+r"(kernel));
    kernel(static_cast<const Context&>(ctx), KernelArg<Params>::FromTyped(args)...);
  }
  using CallFn = decltype(&Call);
  static TypedKernel Get() {
    using Signature = SignatureOf<std::remove_pointer_t<CallFn>>;
    return {Signature::Get(), &Signature::CallTyped, reinterpret_cast<void*>(&Call)};
  }
};

// Where a kernel is registered, and by which macro's body its argument definitions are adjusted.
struct KernelRegistration {
  const char* extension;
  const char* name;
  Backend backend;
  DataLayout layout;
  const char* file;
  int line;
  void (*adjust)(const KernelKey& kernel_key, Kernel* kernel);

  bool Register(std::span<const std::pair<DataType, TypedKernel>> kernels) const;
};

template <typename T>
struct TypeTag {
  using Type = T;
};

// Registers what `get(TypeTag<T>())` gives for each type whose bit is set in `dtypes`.
template <uint64_t dtypes, typename... Types, typename Get>
bool RegisterKernels(const KernelRegistration& registration, Get get) {
  std::pair<DataType, TypedKernel> kernels[sizeof...(Types)];
  size_t count = 0;
  const auto add = [&](auto type) {
    constexpr DataType dtype = CppTypeToDataType<typename decltype(type)::Type>::Type();
    if constexpr ((dtypes >> static_cast<int>(dtype) & 1) != 0) kernels[count++] = {dtype, get(type)};
  };
  (add(TypeTag<Types>()), ...);
  return registration.Register({kernels, count});
}

}  // namespace phi

// The extension that a library belongs to; its build defines it.
#ifdef PHI_EXTENSION_NAME
#define PHI_EXTENSION PHI_QUOTE(PHI_EXTENSION_NAME)
#else
#define PHI_EXTENSION ""
#endif

// The data types that kernels are compiled for, as PHI_DTYPE(FLOAT32) | PHI_DTYPE(INT64); a trimmed build defines them.
#define PHI_DTYPE(name) (uint64_t{1} << static_cast<int>(::phi::DataType::name))
#ifndef PHI_DTYPES
#define PHI_DTYPES (~uint64_t{0})
#endif

#define PHI_CONCAT_(a, b) a##b
#define PHI_CONCAT(a, b) PHI_CONCAT_(a, b)
#define PHI_KERNEL_BACKEND(backend) ::phi::Backend::backend
#define PHI_KERNEL_LAYOUT(layout) ::phi::DataLayout::layout
#define PHI_KERNEL_CONTEXT(backend) typename ::phi::BackendContext<PHI_KERNEL_BACKEND(backend)>::Type

#define PHI_REGISTER_KERNEL(unique, name, backend, layout, kernel_expr, ...)                         \
  static void PHI_CONCAT(phi_args_def_, unique)(const ::phi::KernelKey&, ::phi::Kernel*);            \
  [[maybe_unused]] static const bool PHI_CONCAT(phi_registered_, unique) =                           \
      ::phi::RegisterKernels<(PHI_DTYPES), __VA_ARGS__>(                                             \
          {PHI_EXTENSION,                                                                            \
           #name,                                                                                    \
           PHI_KERNEL_BACKEND(backend),                                                              \
           PHI_KERNEL_LAYOUT(layout),                                                                \
           __FILE__,                                                                                 \
           __LINE__,                                                                                 \
           &PHI_CONCAT(phi_args_def_, unique)},                                                      \
          [](auto type) {                                                                            \
            using T [[maybe_unused]] = typename decltype(type)::Type;                                \
            return ::phi::KernelImpl<decltype(&kernel_expr), &kernel_expr>::Get();                   \
          });                                                                                        \
  static void PHI_CONCAT(phi_args_def_, unique)([[maybe_unused]] const ::phi::KernelKey& kernel_key, \
                                                [[maybe_unused]] ::phi::Kernel* kernel)

// A template argument list has a comma, which a macro argument may not: these join function and context.
#define PHI_KERNEL_OF_TYPE(fn, backend) fn<T PHI_COMMA PHI_KERNEL_CONTEXT(backend)>
#define PHI_COMMA ,
// It must seem to depend on T: without optimisation g++ 12 does not instantiate it otherwise.
#define PHI_KERNEL_OF_ANY_TYPE(fn, backend) fn<std::conditional_t<true, PHI_KERNEL_CONTEXT(backend), T>>

// PD_REGISTER_KERNEL(scale, CPU, ALL_LAYOUT, phi::ScaleKernel, float, double) { kernel->InputAt(0)... }
// The body adjusts the argument definitions of each kernel; `kernel_key` and `kernel` are in scope.
#define PD_REGISTER_KERNEL(name, backend, layout, fn, ...) \
  PHI_REGISTER_KERNEL(__COUNTER__, name, backend, layout, PHI_KERNEL_OF_TYPE(fn, backend), __VA_ARGS__)

// The types of a kernel that only moves elements.
#define PHI_ALL_DTYPES                                                                                            \
  bool, uint8_t, int8_t, int16_t, int32_t, int64_t, float, double, ::phi::dtype::float16, ::phi::dtype::bfloat16, \
      ::phi::dtype::float8_e4m3fn, ::phi::dtype::float8_e5m2, ::phi::dtype::complex<float>,                       \
      ::phi::dtype::complex<double>

// For a kernel that does not depend on the data type: `fn<Context>` is registered for all of them.
#define PD_REGISTER_KERNEL_FOR_ALL_DTYPE(name, backend, layout, fn) \
  PHI_REGISTER_KERNEL(__COUNTER__, name, backend, layout, PHI_KERNEL_OF_ANY_TYPE(fn, backend), PHI_ALL_DTYPES)
