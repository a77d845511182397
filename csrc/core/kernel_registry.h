// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/all_context.h"
#include "common/macros.h"
#include "core/kernel_factory.h"
#include "core/kernel_utils.h"

namespace phi {

using KernelArgsDefFn = void (*)(const KernelKey& kernel_key, Kernel* kernel);

template <typename T>
struct TypeTag {
  using Type = T;
};

// Calls `make(TypeTag<T>())` for each type; it returns the function that makes the Kernel of a key.
template <typename... Types, typename Make>
bool RegisterKernels(const char* extension,
                     const char* name,
                     Backend backend,
                     DataLayout layout,
                     KernelArgsDefFn args_def_fn,
                     Make make) {
  const std::string full_name = KernelFactory::Instance().NameIn(extension, name);
  const auto add = [&](DataType dtype, Kernel (*make_kernel)(const KernelKey&)) {
    const KernelKey key(backend, layout, dtype);
    Kernel kernel = make_kernel(key);
    args_def_fn(key, &kernel);
    KernelFactory::Instance().Register(full_name, key, std::move(kernel));
  };
  (add(CppTypeToDataType<Types>::Type(), make(TypeTag<Types>())), ...);
  return true;
}

}  // namespace phi

// The extension that a library belongs to; its build defines it.
#ifdef PHI_EXTENSION_NAME
#define PHI_EXTENSION PHI_QUOTE(PHI_EXTENSION_NAME)
#else
#define PHI_EXTENSION ""
#endif

#define PHI_CONCAT_(a, b) a##b
#define PHI_CONCAT(a, b) PHI_CONCAT_(a, b)
#define PHI_KERNEL_BACKEND(backend) ::phi::Backend::backend
#define PHI_KERNEL_LAYOUT(layout) ::phi::DataLayout::layout
#define PHI_KERNEL_CONTEXT(backend) typename ::phi::BackendContext<PHI_KERNEL_BACKEND(backend)>::Type

#define PHI_REGISTER_KERNEL(unique, name, backend, layout, kernel_expr, ...)                                    \
  static void PHI_CONCAT(phi_args_def_, unique)(const ::phi::KernelKey&, ::phi::Kernel*);                       \
  [[maybe_unused]] static const bool PHI_CONCAT(phi_registered_, unique) = ::phi::RegisterKernels<__VA_ARGS__>( \
      PHI_EXTENSION,                                                                                            \
      #name,                                                                                                    \
      PHI_KERNEL_BACKEND(backend),                                                                              \
      PHI_KERNEL_LAYOUT(layout),                                                                                \
      &PHI_CONCAT(phi_args_def_, unique),                                                                       \
      [](auto type) {                                                                                           \
        using T [[maybe_unused]] = typename decltype(type)::Type;                                               \
        return +[](const ::phi::KernelKey& key) {                                                               \
          return ::phi::KernelImpl<decltype(&kernel_expr), &kernel_expr>::Make(key, __FILE__, __LINE__);        \
        };                                                                                                      \
      });                                                                                                       \
  static void PHI_CONCAT(phi_args_def_, unique)([[maybe_unused]] const ::phi::KernelKey& kernel_key,            \
                                                [[maybe_unused]] ::phi::Kernel* kernel)

// A template argument list has a comma, which a macro argument may not: these join function and context.
#define PHI_KERNEL_OF_TYPE(fn, backend) fn<T PHI_COMMA PHI_KERNEL_CONTEXT(backend)>
#define PHI_COMMA ,

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
  PHI_REGISTER_KERNEL(__COUNTER__, name, backend, layout, fn<PHI_KERNEL_CONTEXT(backend)>, PHI_ALL_DTYPES)
