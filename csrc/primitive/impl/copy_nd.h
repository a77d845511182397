// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>

#include "primitive/copy_nd.h"
#include "primitive/elementwise.h"
#include "primitive/impl/types.h"
#include "primitive/memcpy.h"
#include "primitive/permute.h"

namespace phi::primitive {

// Whether `out` is x with its dimensions in another order, which tiles copy faster than rows.
inline bool IsPermutation(const DenseTensor& x, const DenseTensor& out) {
  constexpr int64_t kWorth = 4096;  // elements
  return out.numel() >= kWorth && x.dims() == out.dims() && out.is_contiguous() && x.meta().dense && !x.is_contiguous();
}

template <typename Context>
void CopyPermuted(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  const int rank = x.dims().size();
  std::vector<int> order(rank);  // of the dimensions of x in memory
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return x.strides()[a] > x.strides()[b]; });
  std::vector<int> perm(rank);
  DDim dims = x.dims();
  for (int i = 0; i < rank; ++i) {
    perm[order[i]] = i;
    dims[i] = x.dims()[order[i]];
  }
  DenseTensor in_order = x;
  in_order.Resize(dims);
  GetPrimitive<Permute>(dev_ctx, x.dtype())(dev_ctx, in_order, perm, out);
}

template <typename Word, typename Context>
void CopyWords(const DeviceContext& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  const auto& context = static_cast<const Context&>(dev_ctx);
  if (x.is_contiguous() && out->is_contiguous() && x.dims() == out->dims()) {
    if (x.data() == out->data()) return;
    const auto copy = GetPrimitive<Memcpy>(dev_ctx, MemcpyKind::kDeviceToDevice);
    return copy(dev_ctx, out->data(), x.data(), x.numel() * sizeof(Word));
  }
  if (IsPermutation(x, *out)) return CopyPermuted(context, x, out);
  detail::RunElementwise<IdentityFunctor, Word, Word>(context, IdentityFunctor(), out, x);
}

template <typename Context>
bool RegisterCopyNd(Backend backend) {
  const auto add = [=](auto type) {
    using T = typename decltype(type)::Type;
    WithWord(sizeof(T), [=](auto word) {
      RegisterPrimitive<CopyNd>(backend, &CopyWords<decltype(word), Context>, CppTypeToDataType<T>::Type());
    });
  };
  ForEachType(add, AllTypes());
  return true;
}

}  // namespace phi::primitive
