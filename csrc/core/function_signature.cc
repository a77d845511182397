// SPDX-License-Identifier: Apache-2.0
#include "core/function_signature.h"

namespace phi {

template <typename T>
  requires std::is_constructible_v<Attribute, std::in_place_type_t<T>, const T&>
void Box(KernelContext* ctx, const T& attribute) {
  ctx->EmplaceBackAttr(Attribute(std::in_place_type<T>, attribute));
}

template void Box(KernelContext*, const bool&);
template void Box(KernelContext*, const int64_t&);
template void Box(KernelContext*, const double&);
template void Box(KernelContext*, const std::string&);
template void Box(KernelContext*, const std::vector<bool>&);
template void Box(KernelContext*, const std::vector<int>&);
template void Box(KernelContext*, const std::vector<int64_t>&);
template void Box(KernelContext*, const std::vector<float>&);
template void Box(KernelContext*, const std::vector<double>&);
template void Box(KernelContext*, const std::vector<std::string>&);
template void Box(KernelContext*, const Scalar&);
template void Box(KernelContext*, const std::vector<Scalar>&);
template void Box(KernelContext*, const IntArray&);
template void Box(KernelContext*, const DataType&);
template void Box(KernelContext*, const DataLayout&);
template void Box(KernelContext*, const Place&);

// Here, so that not every caller of a kernel compiles the destructors of all kinds of attributes.
KernelContext::KernelContext(const DeviceContext* ctx) : device_context_(ctx) {}
KernelContext::~KernelContext() = default;

void KernelContext::Miss(const char* what, size_t i, size_t count) {
  PADDLE_THROW(errors::OutOfRange("the kernel takes %s %d, but the call brings only %d", what, i, count));
}

void KernelContext::MissInput(int i) {
  PADDLE_THROW(errors::InvalidArgument("input %d of the kernel call is required", i));
}

void KernelContext::RefuseTensor(const char* what, int i) {
  PADDLE_THROW(
      errors::InvalidType("%s tensor %d of the kernel call is of another tensor class than the kernel takes", what, i));
}

void KernelContext::RefuseAttribute(size_t i, const Attribute& attribute) {
  const char* type = AttributeTypeName(static_cast<AttributeType>(attribute.index()));
  PADDLE_THROW(
      errors::InvalidType("attribute %d of the kernel call has another type (%s) than the kernel takes", i, type));
}

}  // namespace phi
