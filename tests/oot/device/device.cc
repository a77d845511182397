// SPDX-License-Identifier: Apache-2.0
// A device of somebody else, as small as it can be: torch's PrivateUse1 over the host's memory, and PHI's CUSTOM on it.
#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/Allocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <cstdlib>

#include "backends/custom/custom_context.h"
#include "core/device_context_pool.h"
#include "torch/registration.h"

namespace tiny {
namespace {

const c10::Device kDevice(c10::kPrivateUse1, 0);
const c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

class TorchAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    void* memory = std::malloc(bytes + 1);
    return {memory, memory, &std::free, kDevice};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &std::free; }
  void copy_data(void* to, const void* from, size_t bytes) const override { default_copy_data(to, from, bytes); }
};

TorchAllocator& Memory() {
  static TorchAllocator& memory = *new TorchAllocator;
  return memory;
}

at::ScalarType TypeOf(std::optional<at::ScalarType> dtype) {
  return dtype.value_or(c10::typeMetaToScalarType(c10::get_default_dtype()));
}

at::Tensor Empty(at::IntArrayRef size,
                 std::optional<at::ScalarType> dtype,
                 std::optional<at::Layout>,
                 std::optional<at::Device>,
                 std::optional<bool>,
                 std::optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(size, &Memory(), kKeys, TypeOf(dtype), format);
}

at::Tensor EmptyStrided(at::IntArrayRef size,
                        at::IntArrayRef strides,
                        std::optional<at::ScalarType> dtype,
                        std::optional<at::Layout>,
                        std::optional<at::Device>,
                        std::optional<bool>) {
  return at::detail::empty_strided_generic(size, strides, &Memory(), kKeys, TypeOf(dtype));
}

at::Tensor OnHost(const at::Tensor& tensor) {
  return at::from_blob(tensor.data_ptr(), tensor.sizes(), tensor.strides(), tensor.options().device(at::kCPU));
}

at::Tensor CopyFrom(const at::Tensor& from, const at::Tensor& to, bool) {
  OnHost(to).copy_(OnHost(from));
  return to;
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", TORCH_FN(Empty));
  m.impl("empty_strided", TORCH_FN(EmptyStrided));
  m.impl("_copy_from", TORCH_FN(CopyFrom));
  m.impl("as_strided", TORCH_FN(at::native::as_strided_tensorimpl));
}

class PhiAllocation final : public phi::Allocation {
 public:
  PhiAllocation(c10::DataPtr data, size_t bytes)
      : Allocation(data.get(), bytes, phi::CustomPlace(0)), data_(std::move(data)) {}

 private:
  c10::DataPtr data_;
};

class PhiAllocator final : public phi::Allocator {
 public:
  std::shared_ptr<phi::Allocation> Allocate(size_t bytes) override {
    return std::make_shared<PhiAllocation>(Memory().allocate(bytes), bytes);
  }
};

const bool registered = [] {
  c10::SetAllocator(c10::kPrivateUse1, &Memory());
  auto* context = new phi::CustomContext(phi::CustomPlace(0));
  context->SetAllocator(new PhiAllocator);
  phi::DeviceContextPool::Instance().SetContext(phi::AllocationType::CUSTOM, context);
  phi::torch_bridge::RegisterOps(c10::kPrivateUse1);
  return true;
}();

}  // namespace
}  // namespace tiny

C10_REGISTER_GUARD_IMPL(PrivateUse1, c10::impl::NoOpDeviceGuardImpl<c10::kPrivateUse1>)
