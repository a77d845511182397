// SPDX-License-Identifier: Apache-2.0
#pragma once

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

  // The table of this name, made for `size` functions of a device when it is first asked for.
  static PrimitiveTable& Of(const char* name, size_t size);
  explicit PrimitiveTable(size_t size) : size_(size) {}

  AnyFn Find(Backend backend, size_t index) const {
    const std::atomic<AnyFn>* functions = devices_[static_cast<size_t>(backend)].load(std::memory_order_acquire);
    return functions != nullptr ? functions[index].load(std::memory_order_acquire) : nullptr;
  }
  void Register(Backend backend, size_t index, AnyFn function);

 private:
  const size_t size_;
  std::atomic<std::atomic<AnyFn>*> devices_[static_cast<size_t>(Backend::NUM_BACKENDS)] = {};
};

// How many values a part of a key has: an enumeration of operations ends with `kCount`.
template <typename Part>
inline constexpr size_t kKeyExtent = static_cast<size_t>(Part::kCount);
template <>
inline constexpr size_t kKeyExtent<DataType> = static_cast<size_t>(DataType::NUM_DATA_TYPES);

namespace detail {

template <typename Key>
struct PrimitiveKey;
template <typename... Parts>
struct PrimitiveKey<std::tuple<Parts...>> {
  static constexpr size_t kSize = (size_t{1} * ... * kKeyExtent<Parts>);
  static_assert(kSize > 0 && kSize <= 1 << 16, "the table of an interface has a place for each value of its key");
  static size_t Index(Parts... parts) {
    size_t index = 0;
    ((index = index * kKeyExtent<Parts> + static_cast<size_t>(parts)), ...);
    return index;
  }
};

template <typename P>
PrimitiveTable& TableOf() {
  static PrimitiveTable& table = PrimitiveTable::Of(P::kName, PrimitiveKey<typename P::Key>::kSize);
  return table;
}

[[noreturn]] void ThrowNoPrimitive(const char* name, Backend backend);

}  // namespace detail

// The function of a device, or null.
template <typename P, typename... Keys>
typename P::Fn FindPrimitive(Backend backend, Keys... keys) {
  static_assert(std::is_same_v<typename P::Key, std::tuple<Keys...>>, "the keys are not those of the interface");
  return reinterpret_cast<typename P::Fn>(
      detail::TableOf<P>().Find(backend, detail::PrimitiveKey<typename P::Key>::Index(keys...)));
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
  detail::TableOf<P>().Register(backend, detail::PrimitiveKey<typename P::Key>::Index(keys...), any);
  return true;
}

}  // namespace phi
