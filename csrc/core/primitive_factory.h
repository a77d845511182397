// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <tuple>

#include "core/device_context.h"

// Primitives for callers that know data types and devices only at run time. An interface (csrc/primitive/*.h) names the
// type of its functions, and what they are looked up by beside the device:
//   struct Cast {
//     static constexpr const char* kName = "cast";
//     using Key = std::tuple<DataType, DataType>;
//     using Fn = void (*)(const DeviceContext& dev_ctx, const DenseTensor& x, DenseTensor* out);
//   };
// A device's library registers its functions while it is loaded. Where there is none the answer is null, so that a
// caller may do something else; kernels, which take part in selection and in dispatch, are not meant here.
namespace phi {

// The functions of one interface, by device and index.
class PrimitiveTable {
 public:
  using AnyFn = void (*)();
  static constexpr size_t kSize = 1 << 13;

  // The table of this name, made when it is first asked for.
  static PrimitiveTable& Of(const char* name);

  AnyFn Find(Backend backend, size_t index) const {
    const Functions* functions = devices_[static_cast<size_t>(backend)].load(std::memory_order_acquire);
    return functions != nullptr ? (*functions)[index].load(std::memory_order_acquire) : nullptr;
  }
  void Register(Backend backend, size_t index, AnyFn function);

 private:
  using Functions = std::array<std::atomic<AnyFn>, kSize>;
  std::atomic<Functions*> devices_[static_cast<size_t>(Backend::NUM_BACKENDS)] = {};
};

namespace detail {

// Data types and ops are small numbers.
template <typename... Keys>
size_t PrimitiveIndex(Keys... keys) {
  size_t index = 0;
  ((index = index * 32 + static_cast<size_t>(keys)), ...);
  return index;
}

template <typename P>
PrimitiveTable& TableOf() {
  static PrimitiveTable& table = PrimitiveTable::Of(P::kName);
  return table;
}

[[noreturn]] void ThrowNoPrimitive(const char* name, Backend backend);

}  // namespace detail

// The function of a device, or null.
template <typename P, typename... Keys>
typename P::Fn FindPrimitive(Backend backend, Keys... keys) {
  static_assert(std::is_same_v<typename P::Key, std::tuple<Keys...>>, "the keys are not those of the interface");
  return reinterpret_cast<typename P::Fn>(detail::TableOf<P>().Find(backend, detail::PrimitiveIndex(keys...)));
}

// The function of the context's device; an Unimplemented error if there is none.
template <typename P, typename... Keys>
typename P::Fn GetPrimitive(const DeviceContext& dev_ctx, Keys... keys) {
  const Backend backend = PlaceToBackend(dev_ctx.GetPlace());
  const typename P::Fn found = FindPrimitive<P>(backend, keys...);
  if (__builtin_expect(found == nullptr, 0)) detail::ThrowNoPrimitive(P::kName, backend);
  return found;
}

template <typename P, typename... Keys>
bool RegisterPrimitive(Backend backend, typename P::Fn function, Keys... keys) {
  static_assert(std::is_same_v<typename P::Key, std::tuple<Keys...>>, "the keys are not those of the interface");
  const auto any = reinterpret_cast<PrimitiveTable::AnyFn>(function);
  detail::TableOf<P>().Register(backend, detail::PrimitiveIndex(keys...), any);
  return true;
}

}  // namespace phi
