// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/optional.h"
#include "core/channels_last.h"
#include "core/kernel_registry.h"

// A kernel with an attribute data_format, as a kernel of the layout NHWC or NDHWC: each tensor of that layout becomes
// one on the same memory whose shape ends with the channels, and "NCHW" becomes "NHWC".
namespace phi {

namespace detail {

// [n, c, h, w] with the channels last in memory as [n, h, w, c].
inline DDim ChannelsToEnd(const DDim& dims) {
  DDim result = dims;
  for (int i = 1; i + 1 < dims.size(); ++i) result[i] = dims[i + 1];
  result[dims.size() - 1] = dims[1];
  return result;
}
inline DDim ChannelsToFront(const DDim& dims) {
  DDim result = dims;
  for (int i = 2; i < dims.size(); ++i) result[i] = dims[i - 1];
  result[1] = dims[dims.size() - 1];
  return result;
}

inline DenseTensor ChannelsToEnd(const DenseTensor& x) {
  DenseTensor view = x;
  view.Resize(ChannelsToEnd(x.dims()));
  view.set_layout(DataLayout::NCHW);
  return view;
}

// An output whose shape ends with the channels, on the memory of one where they are second.
class ChannelsLastOut final : public DenseTensor {
 public:
  explicit ChannelsLastOut(DenseTensor* out) : DenseTensor(ChannelsToEnd(*out)), out_(out) {}
  void* AllocateFrom(Allocator* allocator, const Place& place, DataType dtype, size_t requested) override {
    MetaTensor<int64_t> meta(out_);  // the kernel may have decided on the shape
    SetChannelsLast(ChannelsToFront(dims()), &meta);
    void* data = out_->AllocateFrom(allocator, place, dtype, requested);
    set_type(dtype);
    Borrow(place, data);
    return data;
  }

 private:
  DenseTensor* out_;
};

template <typename P>
struct ChannelsLastArg {
  explicit ChannelsLastArg(P value) : value(value) {}
  P get() { return value; }
  P value;
};
template <>
struct ChannelsLastArg<const DenseTensor&> {
  explicit ChannelsLastArg(const DenseTensor& x) : given(x), is_image(IsImageLayout(x.layout())) {
    if (is_image) view = ChannelsToEnd(x);
  }
  const DenseTensor& get() { return is_image ? view : given; }
  const DenseTensor& given;
  bool is_image;
  DenseTensor view;
};
template <>
struct ChannelsLastArg<DenseTensor*> {
  explicit ChannelsLastArg(DenseTensor* out) : given(out) {
    if (out != nullptr && IsImageLayout(out->layout())) view.emplace(out);
  }
  DenseTensor* get() { return view ? &*view : given; }
  DenseTensor* given;
  std::optional<ChannelsLastOut> view;
};
template <>
struct ChannelsLastArg<const paddle::optional<DenseTensor>&> {
  explicit ChannelsLastArg(const paddle::optional<DenseTensor>& x) : given(x) {
    if (x && IsImageLayout(x->layout())) view = ChannelsToEnd(*x);
  }
  const paddle::optional<DenseTensor>& get() { return view ? view : given; }
  const paddle::optional<DenseTensor>& given;
  paddle::optional<DenseTensor> view;
};
template <>
struct ChannelsLastArg<std::vector<DenseTensor*>> {
  explicit ChannelsLastArg(std::vector<DenseTensor*> given) : outs(std::move(given)) {
    views.reserve(outs.size());  // pointers to them stay
    for (DenseTensor*& out : outs) {
      if (out != nullptr && IsImageLayout(out->layout())) out = &views.emplace_back(out);
    }
  }
  const std::vector<DenseTensor*>& get() { return outs; }
  std::vector<DenseTensor*> outs;
  std::vector<ChannelsLastOut> views;
};
template <>
struct ChannelsLastArg<const std::string&> {
  explicit ChannelsLastArg(const std::string& text)
      : value(text == "NCHW"    ? "NHWC"
              : text == "NCDHW" ? "NDHWC"
                                : text) {}
  const std::string& get() { return value; }
  std::string value;
};

}  // namespace detail

template <auto kernel>
struct ChannelsLast;

template <typename Context, typename... Params, void (*kernel)(const Context&, Params...)>
struct ChannelsLast<kernel> {
  static void Run(const Context& dev_ctx, Params... args) {
    kernel(dev_ctx, detail::ChannelsLastArg<Params>(args).get()...);
  }
};

}  // namespace phi

// PD_REGISTER_CHANNELS_LAST_KERNEL(pool2d, CPU, NHWC, phi::Pool2dKernel, float, double) {}, beside that for ALL_LAYOUT.
#define PD_REGISTER_CHANNELS_LAST_KERNEL(name, backend, layout, fn, ...) \
  PHI_REGISTER_KERNEL(                                                   \
      __COUNTER__, name, backend, layout, ::phi::ChannelsLast<&PHI_KERNEL_OF_TYPE(fn, backend)>::Run, __VA_ARGS__)
