// SPDX-License-Identifier: Apache-2.0
#include "torch/views/plain_view.h"

#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/VariableTypeUtils.h>

namespace phi::torch_bridge {

namespace {

bool HasPlainKeys(const at::Tensor& x) {
  constexpr c10::DispatchKeySet kIgnored =
      c10::autograd_dispatch_keyset_with_ADInplaceOrView | c10::autocast_dispatch_keyset;
  const c10::TensorImpl& impl = *x.unsafeGetTensorImpl();
  if (impl.key_set() - kIgnored != c10::DispatchKeySet(c10::DispatchKey::CPU)) return false;
  if (impl.has_symbolic_sizes_strides()) return false;
  const c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();
  return keys.included_ == c10::default_included_set && keys.excluded_ == c10::default_excluded_set;
}

}  // namespace

PlainTensor::PlainTensor(const at::Tensor& x, c10::SymIntArrayRef argument)
    : x_(x), is_plain_(x.unsafeGetTensorImpl()->autograd_meta() == nullptr && HasPlainKeys(x)) {
  const auto ints = is_plain_ ? c10::asIntArrayRefSlowOpt(argument) : std::nullopt;
  is_plain_ = ints.has_value();
  if (!is_plain_) return;
  sizes_.assign(x.sizes().data(), x.dim());
  strides_.assign(x.strides().data(), x.dim());
  argument_ = IntArray(ints->data(), ints->size());
}

at::Tensor PlainTensor::View(const DDim& sizes, const DDim& strides, int64_t offset, bool one_of_several) const {
  using torch::autograd::CreationMeta;
  at::Tensor view(c10::make_intrusive<c10::TensorImpl>(
      c10::TensorImpl::VIEW, c10::Storage(x_.storage()), x_.key_set(), x_.dtype()));
  const auto rank = static_cast<size_t>(sizes.size());
  view.unsafeGetTensorImpl()->set_sizes_and_strides(
      {sizes.Get(), rank}, {strides.Get(), rank}, x_.storage_offset() + offset);
  const CreationMeta recorded = one_of_several ? CreationMeta::MULTI_OUTPUT_NODE : CreationMeta::DEFAULT;
  const CreationMeta meta = at::GradMode::is_enabled() ? recorded : CreationMeta::NO_GRAD_MODE;
  return torch::autograd::as_view(x_, view, true, true, nullptr, nullptr, meta);
}

bool CopiesPlainly(const at::Tensor& x) { return HasPlainKeys(x) && !x.requires_grad() && !x._fw_grad(0).defined(); }

}  // namespace phi::torch_bridge
