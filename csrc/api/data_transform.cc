// SPDX-License-Identifier: Apache-2.0
#include "api/data_transform.h"

#include "core/channels_last.h"
#include "core/device_context_pool.h"
#include "primitive/cast.h"
#include "primitive/copy_nd.h"
#include "primitive/memcpy.h"
#include "primitive/tensor_copy.h"

namespace phi {

std::ostream& operator<<(std::ostream& os, const DataTransform& transform) {
  const char* comma = "";
  const auto next = [&]() -> std::ostream& {
    os << comma;
    comma = ", ";
    return os;
  };
  if (transform.make_contiguous) next() << "make contiguous";
  if (transform.layout != DataLayout::ALL_LAYOUT) next() << "bring to " << DataLayoutName(transform.layout);
  if (transform.dtype != DataType::UNDEFINED) next() << "cast to " << DataTypeName(transform.dtype);
  if (transform.place != Place()) next() << "copy to " << transform.place;
  return os;
}

bool TakesChannelsLast(const TensorArgDef& def, int flags, const DenseTensor& tensor) {
  return IsImageLayout(def.layout) && def.layout == ChannelsLastOf(tensor.dims().size()) && !(flags & kStrided);
}

DataTransform NeededTransform(const DenseTensor& tensor,
                              const TensorArgDef& def,
                              int flags,
                              const TransformTarget& target,
                              const char* argument) {
  DataTransform transform;
  if (flags & (kSkipTransform | kNoBuffer)) return transform;
  if (TakesChannelsLast(def, flags, tensor)) {
    if (!IsChannelsLast(tensor.meta())) transform.layout = def.layout;
  } else {
    transform.make_contiguous = !(flags & kStrided) && !target.takes_strides && !tensor.is_contiguous();
  }
  if (def.dtype != DataType::ALL_DTYPE && def.dtype != tensor.dtype()) {
    const bool is_operand = flags & kPromoted;
    const bool to_complex =
        IsComplexType(def.dtype) && !IsComplexType(tensor.dtype()) && (is_operand || IsFloatingType(tensor.dtype()));
    if ((flags & kTransDtype) || to_complex) transform.dtype = def.dtype;
    PADDLE_ENFORCE(!is_operand || transform.dtype == def.dtype,
                   errors::InvalidType("argument '%s': expected %s, the data type of the kernel, got %s; cast the "
                                       "operands to one data type",
                                       argument,
                                       DataTypeName(def.dtype),
                                       DataTypeName(tensor.dtype())));
  }
  if (def.backend == Backend::ALL_BACKEND) return transform;
  const Place wanted = def.backend == Backend::CPU ? CPUPlace() : target.place;
  if (tensor.place() == wanted) return transform;
  const bool may_move =
      target.is_fallback || tensor.dims().size() == 0 || (def.backend == Backend::CPU && target.place != CPUPlace());
  PADDLE_ENFORCE(may_move,
                 errors::InvalidArgument(
                     "argument '%s': expected a tensor on %s like the others, got one on %s; move it with .to()",
                     argument,
                     wanted.DebugString(),
                     tensor.place().DebugString()));
  transform.place = wanted;
  return transform;
}

namespace {

const DeviceContext& ContextOf(const Place& place) { return *DeviceContextPool::Instance().Get(place); }

// `out`, which is allocated, = x as `dtype`, by the device's primitives or else by its TensorCopy.
void CopyTo(const DeviceContext& context, const DenseTensor& x, DataType dtype, DenseTensor* out) {
  const Backend backend = PlaceToBackend(context.GetPlace());
  context.Alloc(out, dtype);
  if (out->numel() == 0) return;
  const auto copy = dtype == x.dtype() ? FindPrimitive<primitive::CopyNd>(backend, dtype)
                                       : FindPrimitive<primitive::Cast>(backend, x.dtype(), dtype);
  copy != nullptr ? copy(context, x, out) : GetPrimitive<primitive::TensorCopy>(context)(context, x, out);
}

}  // namespace

DenseTensor CopiedTo(const DenseTensor& tensor, const Place& place) {
  using primitive::MemcpyKind;
  const bool to_host = is_cpu_place(place);
  const bool from_host = is_cpu_place(tensor.place());
  const MemcpyKind kind = to_host     ? MemcpyKind::kDeviceToHost
                          : from_host ? MemcpyKind::kHostToDevice
                                      : MemcpyKind::kDeviceToDevice;
  const Place& device = to_host ? tensor.place() : place;
  const auto copy_bytes = FindPrimitive<primitive::Memcpy>(PlaceToBackend(device), kind);
  if (copy_bytes != nullptr && !tensor.meta().dense) {
    DataTransform contiguous;
    contiguous.make_contiguous = true;
    return CopiedTo(Transformed(tensor, contiguous), place);
  }
  DenseTensor copy;
  copy.set_meta(tensor.meta());
  if (copy_bytes == nullptr) copy.Resize(tensor.dims());
  ContextOf(place).Alloc(&copy, tensor.dtype());
  if (tensor.numel() == 0) return copy;
  if (copy_bytes == nullptr) {
    GetPrimitive<primitive::TensorCopy>(ContextOf(place))(ContextOf(place), tensor, &copy);
    return copy;
  }
  if (!to_host && !from_host) ContextOf(tensor.place()).Wait();
  copy_bytes(ContextOf(device), copy.data(), tensor.data(), tensor.numel() * SizeOf(tensor.dtype()));
  ContextOf(device).Wait();
  return copy;
}

DenseTensor Transformed(const DenseTensor& tensor, const DataTransform& transform) {
  DenseTensor current = tensor;
  const auto copy_as = [&](DataType dtype, DataLayout layout) {
    DenseTensor copy;
    copy.Resize(current.dims());
    if (IsImageLayout(layout)) {
      MetaTensor<int64_t> meta(&copy);
      SetChannelsLast(current.dims(), &meta);
    }
    CopyTo(ContextOf(current.place()), current, dtype, &copy);
    current = std::move(copy);
  };
  if (transform.make_contiguous) copy_as(current.dtype(), DataLayout::NCHW);
  if (transform.layout != DataLayout::ALL_LAYOUT) copy_as(current.dtype(), transform.layout);
  if (transform.dtype != DataType::UNDEFINED) copy_as(transform.dtype, current.layout());
  if (transform.place != Place()) current = CopiedTo(current, transform.place);
  return current;
}

}  // namespace phi
