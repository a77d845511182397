// SPDX-License-Identifier: Apache-2.0
#include "torch/emulated/aten.h"

#include <ATen/EmptyTensor.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include <array>
#include <tuple>
#include <vector>

#include "backends/emulated/memory.h"
#include "torch/emulated/allocators.h"

namespace phi::torch_bridge {

namespace {

const c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

at::ScalarType TypeOf(std::optional<at::ScalarType> dtype) {
  return dtype.value_or(c10::typeMetaToScalarType(c10::get_default_dtype()));
}

at::Tensor Empty(at::IntArrayRef size,
                 std::optional<at::ScalarType> dtype,
                 std::optional<at::Layout>,
                 std::optional<at::Device> device,
                 std::optional<bool>,
                 std::optional<at::MemoryFormat> format) {
  const c10::OptionalDeviceGuard guard(device);
  return at::detail::empty_generic(size, EmulatedDeviceMemory(), kKeys, TypeOf(dtype), format);
}

at::Tensor EmptyStrided(at::IntArrayRef size,
                        at::IntArrayRef strides,
                        std::optional<at::ScalarType> dtype,
                        std::optional<at::Layout>,
                        std::optional<at::Device> device,
                        std::optional<bool>) {
  const c10::OptionalDeviceGuard guard(device);
  return at::detail::empty_strided_generic(size, strides, EmulatedDeviceMemory(), kKeys, TypeOf(dtype));
}

at::Tensor OnHost(const at::Tensor& tensor) {
  return at::from_blob(tensor.data_ptr(), tensor.sizes(), tensor.strides(), tensor.options().device(at::kCPU));
}

at::Tensor CopyFrom(const at::Tensor& from, const at::Tensor& to, bool) {
  const emulated::AccessToAll access;
  OnHost(to).copy_(OnHost(from));
  return to;
}

// New memory where the old is too small, with what that held.
const at::Tensor& Resize(const at::Tensor& self, at::IntArrayRef size, std::optional<at::MemoryFormat> format) {
  const at::Tensor strided = at::empty(size, self.options().device(at::kMeta).memory_format(format));
  const size_t bytes = self.storage_offset() * self.itemsize() + strided.storage().nbytes();
  const c10::Storage& storage = self.storage();
  if (bytes > storage.nbytes()) {
    const c10::DeviceGuard guard(self.device());
    c10::DataPtr memory = EmulatedDeviceMemory()->allocate(bytes);
    EmulatedDeviceMemory()->copy_data(memory.get(), storage.data(), storage.nbytes());
    storage.set_data_ptr_noswap(std::move(memory));
    storage.set_nbytes(bytes);
  }
  self.unsafeGetTensorImpl()->set_sizes_and_strides(strided.sizes(), strided.strides());
  return self;
}

at::Tensor CopyFromAndResize(const at::Tensor& from, const at::Tensor& to) {
  Resize(to, from.sizes(), std::nullopt);
  return CopyFrom(from, to, false);
}

// Convolutions have no fallback.
at::Tensor Convolution(const at::Tensor& input,
                       const at::Tensor& weight,
                       const std::optional<at::Tensor>& bias,
                       at::IntArrayRef stride,
                       at::IntArrayRef padding,
                       at::IntArrayRef dilation,
                       bool transposed,
                       at::IntArrayRef output_padding,
                       int64_t groups) {
  const bool is_biased = bias && bias->defined();
  const std::optional<at::Tensor> bias_on_host = is_biased ? std::optional(bias->cpu()) : std::nullopt;
  return at::convolution(
             input.cpu(), weight.cpu(), bias_on_host, stride, padding, dilation, transposed, output_padding, groups)
      .to(input.device());
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> ConvolutionBackward(const at::Tensor& out_grad,
                                                                   const at::Tensor& input,
                                                                   const at::Tensor& weight,
                                                                   at::IntArrayRef stride,
                                                                   at::IntArrayRef padding,
                                                                   at::IntArrayRef dilation,
                                                                   bool transposed,
                                                                   at::IntArrayRef output_padding,
                                                                   int64_t groups,
                                                                   std::array<bool, 3> wanted) {
  const std::vector<int64_t> bias_sizes{out_grad.size(1)};
  const auto grads = at::convolution_backward(out_grad.cpu(),
                                              input.cpu(),
                                              weight.cpu(),
                                              bias_sizes,
                                              stride,
                                              padding,
                                              dilation,
                                              transposed,
                                              output_padding,
                                              groups,
                                              wanted);
  const auto to_device = [&](const at::Tensor& grad) { return grad.defined() ? grad.to(input.device()) : grad; };
  return {to_device(std::get<0>(grads)), to_device(std::get<1>(grads)), to_device(std::get<2>(grads))};
}

// Not for operators of ours, which have kernels or an error.
void OnCopiesInHostMemory(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      op.schema().getNamespace() == "aten", op.schema().operator_name(), " does not run on an emulated GPU");
  at::native::cpu_fallback(op, stack);
}

}  // namespace

void RegisterAtenOnDevice() {
  constexpr c10::DispatchKey kKey = c10::DispatchKey::PrivateUse1;
  static auto& functions = *new torch::Library(torch::Library::IMPL, "aten", kKey, __FILE__, __LINE__);
  functions.impl("empty.memory_format", TORCH_FN(Empty));
  functions.impl("empty_strided", TORCH_FN(EmptyStrided));
  functions.impl("_copy_from", TORCH_FN(CopyFrom));
  functions.impl("_copy_from_and_resize", TORCH_FN(CopyFromAndResize));
  functions.impl("resize_", TORCH_FN(Resize));
  functions.impl("as_strided", TORCH_FN(at::native::as_strided_tensorimpl));
  functions.impl("view", TORCH_FN(at::native::view));
  functions.impl("_reshape_alias", TORCH_FN(at::native::_reshape_alias));
  functions.impl("unfold", TORCH_FN(at::native::unfold));
  functions.impl("view_as_real", TORCH_FN(at::native::view_as_real));
  functions.impl("view_as_complex", TORCH_FN(at::native::view_as_complex));
  functions.impl("convolution_overrideable", TORCH_FN(Convolution));
  functions.impl("convolution_backward_overrideable", TORCH_FN(ConvolutionBackward));
  static auto& others = *new torch::Library(torch::Library::IMPL, "_", kKey, __FILE__, __LINE__);
  others.fallback(torch::CppFunction::makeFromBoxedFunction<&OnCopiesInHostMemory>());
}

}  // namespace phi::torch_bridge
