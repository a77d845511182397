// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "common/backend.h"

namespace phi {

enum class AllocationType : int8_t { UNDEFINED = 0, CPU = 1, GPU = 2, GPUPINNED = 3, CUSTOM = 9 };

}  // namespace phi

namespace paddle {
// What custom operators of Paddle 2.x write for a place.
enum class PlaceType : int8_t { kUNK = 0, kCPU = 1, kGPU = 2 };
}  // namespace paddle

namespace phi {

// Where memory lies: a kind of device and its index.
class Place {
 public:
  constexpr Place() = default;
  constexpr explicit Place(AllocationType type, int8_t id = 0) : type_(type), id_(id) {}
  constexpr Place(paddle::PlaceType type) : type_(static_cast<AllocationType>(type)) {}  // NOLINT

  AllocationType GetType() const { return type_; }
  int8_t GetDeviceId() const { return id_; }
  bool operator==(const Place& o) const { return type_ == o.type_ && (type_ == AllocationType::CPU || id_ == o.id_); }
  bool operator!=(const Place& o) const { return !(*this == o); }
  std::string DebugString() const;

 private:
  AllocationType type_ = AllocationType::UNDEFINED;
  int8_t id_ = 0;
};

class CPUPlace : public Place {
 public:
  constexpr CPUPlace() : Place(AllocationType::CPU) {}
};
class GPUPlace : public Place {
 public:
  constexpr explicit GPUPlace(int8_t id = 0) : Place(AllocationType::GPU, id) {}
};

class CustomPlace : public Place {
 public:
  constexpr explicit CustomPlace(int8_t id = 0) : Place(AllocationType::CUSTOM, id) {}
};

inline bool is_cpu_place(const Place& place) { return place.GetType() == AllocationType::CPU; }
inline bool is_gpu_place(const Place& place) { return place.GetType() == AllocationType::GPU; }
inline std::ostream& operator<<(std::ostream& os, const Place& place) { return os << place.DebugString(); }

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

namespace paddle {
using phi::CPUPlace;
using phi::GPUPlace;
using phi::Place;
}  // namespace paddle
