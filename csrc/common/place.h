// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "common/backend.h"

namespace phi {

enum class AllocationType : int8_t { UNDEFINED = 0, CPU = 1, GPU = 2, GPUPINNED = 3, CUSTOM = 9 };

// Where memory lies: a kind of device and its index.
class Place {
 public:
  constexpr Place() = default;
  constexpr explicit Place(AllocationType type, int8_t id = 0) : type_(type), id_(id) {}

  AllocationType GetType() const { return type_; }
  int8_t GetDeviceId() const { return id_; }
  bool operator==(const Place& o) const { return type_ == o.type_ && (type_ == AllocationType::CPU || id_ == o.id_); }
  bool operator!=(const Place& o) const { return !(*this == o); }
  std::string DebugString() const;

 private:
  AllocationType type_ = AllocationType::UNDEFINED;
  int8_t id_ = 0;
};

inline Place CPUPlace() { return Place(AllocationType::CPU); }
inline Place GPUPlace(int8_t id = 0) { return Place(AllocationType::GPU, id); }

inline Backend PlaceToBackend(const Place& place) {
  switch (place.GetType()) {
    case AllocationType::CPU:
    case AllocationType::GPUPINNED:
      return Backend::CPU;
    case AllocationType::GPU:
      return Backend::GPU;
    case AllocationType::CUSTOM:
      return Backend::CUSTOM;
    default:
      return Backend::UNDEFINED;
  }
}

}  // namespace phi
