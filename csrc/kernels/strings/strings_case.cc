// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <string>

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "core/string_tensor.h"
#include "kernels/funcs/utf8.h"
#include "kernels/strings/case_tables.h"

namespace phi::strings {

// What a letter becomes: of ASCII, and of all scripts.
struct Casing {
  uint8_t first, last;  // of ASCII
  int distance;
  std::span<const CaseRange> ranges;

  uint8_t OfAscii(uint8_t byte) const {
    return first <= byte && byte <= last ? static_cast<uint8_t>(byte + distance) : byte;
  }
  char32_t Of(char32_t c) const {
    const auto after =
        std::upper_bound(ranges.begin(), ranges.end(), c, [](char32_t v, const CaseRange& r) { return v < r.first; });
    if (after == ranges.begin()) return c;
    const CaseRange& range = after[-1];
    return c <= range.last && (c - range.first) % range.step == 0 ? c + range.distance : c;
  }
};

constexpr Casing kLower{'A', 'Z', 'a' - 'A', kToLower};
constexpr Casing kUpper{'a', 'z', 'A' - 'a', kToUpper};

std::string OfUtf8(std::string_view text, int64_t string, const Casing& casing) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const auto [value, length] = funcs::FirstOfUtf8(text.substr(i));
    PADDLE_ENFORCE(length > 0,
                   errors::InvalidArgument("argument 'x': string %d is no UTF-8 at its byte %d; letters of ASCII alone "
                                           "change in any bytes without use_utf8_encoding",
                                           string,
                                           i));
    funcs::AppendUtf8(casing.Of(value), &result);
    i += length;
  }
  return result;
}

template <typename Context>
void Convert(const Context& dev_ctx, const StringTensor& x, bool use_utf8, const Casing& casing, StringTensor* out) {
  const int64_t count = x.numel();
  const int64_t* begins = x.offsets().data<int64_t>();
  const uint8_t* bytes = x.bytes().data<uint8_t>();
  int64_t* offsets = dev_ctx.template Alloc<int64_t>(&out->mutable_offsets()->Resize({count + 1}));
  DenseTensor* to = out->mutable_bytes();
  if (!use_utf8) {
    std::copy_n(begins, count + 1, offsets);
    uint8_t* result = dev_ctx.template Alloc<uint8_t>(&to->Resize({begins[count]}));
    std::transform(bytes, bytes + begins[count], result, [&](uint8_t byte) { return casing.OfAscii(byte); });
    return;
  }
  std::string all;  // a letter and its other case may differ in length
  offsets[0] = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto* begin = reinterpret_cast<const char*>(bytes) + begins[i];
    all += OfUtf8({begin, static_cast<size_t>(begins[i + 1] - begins[i])}, i, casing);
    offsets[i + 1] = static_cast<int64_t>(all.size());
  }
  std::copy(all.begin(), all.end(), dev_ctx.template Alloc<uint8_t>(&to->Resize({offsets[count]})));
}

template <typename T, typename Context>
void StringLowerKernel(const Context& dev_ctx, const StringTensor& x, bool use_utf8_encoding, StringTensor* out) {
  Convert(dev_ctx, x, use_utf8_encoding, kLower, out);
}

template <typename T, typename Context>
void StringUpperKernel(const Context& dev_ctx, const StringTensor& x, bool use_utf8_encoding, StringTensor* out) {
  Convert(dev_ctx, x, use_utf8_encoding, kUpper, out);
}

}  // namespace phi::strings

PD_REGISTER_KERNEL(strings_lower, CPU, ALL_LAYOUT, phi::strings::StringLowerKernel, phi::dtype::pstring) {}
PD_REGISTER_KERNEL(strings_upper, CPU, ALL_LAYOUT, phi::strings::StringUpperKernel, phi::dtype::pstring) {}
