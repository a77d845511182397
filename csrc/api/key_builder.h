// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/kernel_key.h"
#include "core/tensor_base.h"

namespace phi {

// Builds the KernelKey as PHI does: the highest backend among the inputs, the dtype of the last one.
class KeyBuilder {
 public:
  // `sources`, if given, receives where each part of the key came from.
  explicit KeyBuilder(std::vector<std::string>* sources = nullptr) : sources_(sources) {}

  template <typename Tensor>
  void Add(const Tensor& tensor, const char* name) {
    Add(tensor.place(), tensor.dtype(), name);
  }
  void Add(const Place& place, DataType dtype, const char* name) {
    const Backend backend = PlaceToBackend(place);
    if (backend > backend_) {
      backend_ = backend;
      place_ = place;
      Note("backend", name);
    }
    dtype_ = PromoteComplex(dtype_, dtype);
    Note("dtype", name);
  }
  void SetBackend(const Place& place, const char* name) {
    backend_ = PlaceToBackend(place);
    place_ = place;
    Note("backend", name);
  }
  void SetDataType(DataType dtype, const char* name) {
    dtype_ = dtype;
    Note("dtype", name);
  }

  void SetLayout(DataLayout layout, const char* name) {
    layout_ = layout;
    Note("layout", name);
  }

  KernelKey key() const { return KernelKey(backend_, layout_, dtype_); }
  // Where the call belongs: the CPU where nothing says otherwise.
  const Place& place() const { return place_; }

 private:
  static DataType PromoteComplex(DataType seen, DataType next) {
    return __builtin_expect(IsComplexType(seen) || IsComplexType(next), 0) ? PromoteComplexSlow(seen, next) : next;
  }
  static DataType PromoteComplexSlow(DataType seen, DataType next);
  void Note(const char* part, const char* name) {
    if (__builtin_expect(sources_ != nullptr, 0)) NoteSlow(part, name);
  }
  void NoteSlow(const char* part, const char* name);

  // A word each: what is written by bytes and read together at once waits until it has reached the cache.
  alignas(4) Backend backend_ = Backend::UNDEFINED;
  alignas(4) DataLayout layout_ = DataLayout::ALL_LAYOUT;
  alignas(4) DataType dtype_ = DataType::UNDEFINED;
  alignas(4) Place place_ = CPUPlace();
  std::vector<std::string>* sources_;
};

}  // namespace phi
