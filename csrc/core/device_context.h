// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"
#include "core/generator.h"

namespace phi {

// Everything that a kernel may ask of its device: memory, a stream, random state.
class DeviceContext {
 public:
  explicit DeviceContext(const Place& place) : place_(place) {}
  virtual ~DeviceContext() = default;
  DeviceContext(const DeviceContext&) = delete;
  DeviceContext& operator=(const DeviceContext&) = delete;

  const Place& GetPlace() const { return place_; }
  void SetAllocator(Allocator* allocator) { allocator_ = allocator; }
  Allocator* GetAllocator() const { return allocator_; }
  void SetHostAllocator(Allocator* allocator) { host_allocator_ = allocator; }
  void SetGenerator(Generator* generator) { generator_ = generator; }
  Generator* GetGenerator() const { return generator_; }
  // Blocks until the device has done all work of this context's stream.
  virtual void Wait() const {}

  void* Alloc(TensorBase* tensor, DataType dtype, size_t requested = 0) const {
    return tensor->AllocateFrom(allocator_, place_, dtype, requested);
  }
  template <typename T>
  T* Alloc(TensorBase* tensor, size_t requested = 0) const {
    return static_cast<T*>(Alloc(tensor, CppTypeToDataType<T>::Type(), requested));
  }
  template <typename T>
  T* HostAlloc(TensorBase* tensor, size_t requested = 0) const {
    return static_cast<T*>(tensor->AllocateFrom(host_allocator_, CPUPlace(), CppTypeToDataType<T>::Type(), requested));
  }

 private:
  Place place_;
  Allocator* allocator_ = nullptr;
  Allocator* host_allocator_ = nullptr;
  Generator* generator_ = nullptr;
};

// The context class that the kernels of a backend take: the header of the backend says it. Kernels of any backend take
// what all contexts have.
template <Backend backend>
struct BackendContext {
  static_assert(backend != backend, "include the header of this backend's context, backends/<name>/<name>_context.h");
};
template <>
struct BackendContext<Backend::ALL_BACKEND> {
  using Type = DeviceContext;
};

}  // namespace phi
