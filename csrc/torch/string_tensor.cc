// SPDX-License-Identifier: Apache-2.0
#include "torch/string_tensor.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <c10/core/TensorImpl.h>

#include <algorithm>
#include <atomic>

namespace phi::torch_bridge {

namespace {

std::atomic<void (*)(const at::Tensor&)> g_hook{nullptr};

// What torch's own operators see. They ask for strides or storage before they read, which says that there are none.
class StringsImpl final : public c10::TensorImpl {
 public:
  StringsImpl(Strings strings, at::IntArrayRef sizes)
      : TensorImpl(c10::DispatchKeySet(c10::DispatchKey::CPU), caffe2::TypeMeta::Make<uint8_t>(), c10::kCPU),
        strings_(std::move(strings)) {
    set_storage_access_should_throw();
    set_custom_sizes_strides(SizesStridesPolicy::CustomStrides);
    sizes_and_strides_.set_sizes(sizes);
    refresh_numel();
  }

  const Strings& strings() const { return strings_; }

  c10::intrusive_ptr<TensorImpl> shallow_copy_and_detach(const c10::VariableVersion& version,
                                                         bool allow_metadata_change) const override {
    auto copy = c10::make_intrusive<StringsImpl>(strings_, sizes_and_strides_.sizes_arrayref());
    copy_tensor_metadata(this, copy.get(), version, allow_metadata_change);
    return copy;
  }
  c10::intrusive_ptr<TensorImpl> shallow_copy_and_detach(c10::VariableVersion&& version,
                                                         bool allow_metadata_change) const override {
    return shallow_copy_and_detach(static_cast<const c10::VariableVersion&>(version), allow_metadata_change);
  }
  void shallow_copy_from(const c10::intrusive_ptr<TensorImpl>& other) override {
    const auto* from = dynamic_cast<const StringsImpl*>(other.get());
    TORCH_CHECK_TYPE(from != nullptr, "a StringTensor takes its data from another one, got a ", other->dtype().name());
    strings_ = from->strings_;
    copy_tensor_metadata(from, this, version_counter(), allow_tensor_metadata_change());
  }

 private:
  at::IntArrayRef strides_custom() const override { ThrowNoStrides(); }
  c10::SymIntArrayRef sym_strides_custom() const override { ThrowNoStrides(); }
  const char* tensorimpl_type_name() const override { return "StringTensor"; }
  [[noreturn]] static void ThrowNoStrides() {
    C10_THROW_ERROR(TypeError,
                    "a StringTensor has no strides: it is taken by the operators phi_torch.strings_*, called without "
                    "torch.compile and torch.func, and by no other; its memory are the tensors .offsets and .bytes");
  }

  Strings strings_;
};

void Check(const at::Tensor& tensor, at::ScalarType dtype, const char* what, int64_t size) {
  const bool fits = tensor.device().is_cpu() && tensor.layout() == at::kStrided && tensor.scalar_type() == dtype &&
                    tensor.dim() == 1 && tensor.is_contiguous() && (size < 0 || tensor.numel() == size);
  PADDLE_ENFORCE(fits,
                 errors::InvalidArgument("%s of a StringTensor: expected a contiguous tensor of %s on the CPU with one "
                                         "dimension%s, got %s with %d dimensions and %d elements",
                                         what,
                                         DataTypeName(ToPhi(dtype)),
                                         size < 0 ? "" : " and an element more than there are strings",
                                         c10::toString(tensor.scalar_type()),
                                         tensor.dim(),
                                         tensor.numel()));
}

// The memory is Python's, too, which may have written to it: whoever reads strings may rely on what is checked here.
void Check(const Strings& strings, int64_t count) {
  Check(strings.offsets, at::kLong, "offsets", count + 1);
  Check(strings.bytes, at::kByte, "bytes", -1);
  const int64_t* begin = strings.offsets.const_data_ptr<int64_t>();
  const bool ascends = std::is_sorted(begin, begin + count + 1);
  PADDLE_ENFORCE(
      ascends && begin[0] == 0 && begin[count] == strings.bytes.numel(),
      errors::InvalidArgument("offsets of a StringTensor: expected numbers from 0 to the number of bytes, %d, none of "
                              "them below the one before",
                              strings.bytes.numel()));
}

}  // namespace

at::Tensor MakeStrings(Strings strings, at::IntArrayRef sizes) {
  Check(strings, c10::multiply_integers(sizes));
  return at::detail::make_tensor<StringsImpl>(std::move(strings), sizes);
}

const Strings* FindStrings(const at::Tensor& tensor) {
  const auto* impl = dynamic_cast<const StringsImpl*>(tensor.unsafeGetTensorImpl());
  return impl != nullptr ? &impl->strings() : nullptr;
}

void SetStringsHook(void (*hook)(const at::Tensor&)) { g_hook = hook; }

StringTensor TorchForm<StringTensor>::ToPhi(const at::Tensor& tensor) {
  const Strings& strings = *FindStrings(tensor);
  Check(strings, tensor.numel());
  return StringTensor(torch_bridge::ToPhi(strings.offsets),
                      torch_bridge::ToPhi(strings.bytes),
                      DDim(tensor.sizes().data(), tensor.dim()));
}

at::Tensor TorchForm<StringTensor>::ToTorch(const StringTensor& tensor) {
  const Strings strings{torch_bridge::ToTorch(tensor.offsets()), torch_bridge::ToTorch(tensor.bytes())};
  at::Tensor result = MakeStrings(strings, Ref(tensor.dims()));
  if (const auto hook = g_hook.load()) hook(result);
  return result;
}

at::Tensor TorchForm<StringTensor>::Zeros(const DenseTensorMeta& meta, const at::TensorOptions& options) {
  const at::Tensor offsets = at::zeros({product(meta.dims) + 1}, options.dtype(at::kLong));
  return MakeStrings({offsets, at::empty({0}, options)}, Ref(meta.dims));
}

}  // namespace phi::torch_bridge
