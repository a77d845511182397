// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernels/funcs/along_axis.h"
#include "primitive/copy_nd.h"
#include "primitive/elementwise.h"
#include "primitive/fill.h"
#include "primitive/scatter_rows.h"

namespace phi {

namespace detail {

// The part of `values` that the indices reach.
template <typename T, typename Context>
DenseTensor PutPart(const Context& dev_ctx, const DenseTensor& values, const DDim& indices) {
  if (values.dims() == indices) return values;
  DenseTensor part = primitive::EmptyTensor<T>(dev_ctx, indices);
  primitive::Copy(dev_ctx, primitive::ViewOf(values, indices, values.strides()), &part);
  return part;
}

// How many values come to each place of a tensor of the shape `dims`, added to `self`.
template <typename T, typename Context>
DenseTensor CountsAt(const Context& dev_ctx, const DenseTensor& places, const DDim& dims, int self) {
  DenseTensor counts = primitive::EmptyTensor<T>(dev_ctx, dims);
  DenseTensor ones = primitive::EmptyTensor<T>(dev_ctx, places.dims());
  if (counts.numel() > 0) primitive::FillWith(dev_ctx, self, &counts);
  if (ones.numel() > 0) primitive::FillWith(dev_ctx, 1, &ones);
  primitive::ScatterTo(dev_ctx, primitive::ScatterOp::kAdd, places, ones, 1, true, &counts);
  return counts;
}

inline primitive::ScatterOp ScatterOpOf(const std::string& reduce) {
  using primitive::ScatterOp;
  if (reduce == "assign") return ScatterOp::kAssign;
  if (reduce == "amin") return ScatterOp::kMin;
  if (reduce == "amax") return ScatterOp::kMax;
  return reduce == "add" || reduce == "mean" ? ScatterOp::kAdd : ScatterOp::kMultiply;
}

// The mean, of integers rounded down; where nothing came, the value.
template <typename T>
struct MeanFunctor {
  HOSTDEVICE T operator()(T sum, int64_t count) const {
    if (count < 2) return sum;
    if constexpr (std::is_integral_v<T>) {
      const int64_t mean = static_cast<int64_t>(sum) / count;
      return static_cast<T>(mean * count > static_cast<int64_t>(sum) ? mean - 1 : mean);
    } else {
      return sum / static_cast<T>(count);
    }
  }
};

}  // namespace detail

template <typename T, typename Context>
void PutAlongAxisKernel(const Context& dev_ctx,
                        const DenseTensor& arr,
                        const DenseTensor& indices,
                        const DenseTensor& values,
                        int axis,
                        const std::string& reduce,
                        bool include_self,
                        DenseTensor* out) {
  const DenseTensor part = detail::PutPart<T>(dev_ctx, values, indices.dims());
  primitive::Copy(dev_ctx, arr, out);
  const DenseTensor places = funcs::PlacesAlongAxis(dev_ctx, indices, arr.dims(), axis);
  primitive::ScatterTo(dev_ctx, detail::ScatterOpOf(reduce), places, part, 1, include_self, out);
  if (reduce != "mean") return;
  const DenseTensor counts = detail::CountsAt<int64_t>(dev_ctx, places, arr.dims(), include_self ? 1 : 0);
  using C = primitive::ComputeType<T>;
  primitive::Elementwise<T, T, int64_t>(dev_ctx, out, detail::MeanFunctor<C>(), *out, counts);
}

namespace detail {

// What the gradient of a value is multiplied with, if it is not assigned or added: how much of the result at its place
// comes from it.
template <typename C>
struct PutShare {
  enum Kind : uint8_t { kMean, kExtreme, kProduct } kind;

  static Kind KindOf(const std::string& reduce) {
    if (reduce == "mean") return kMean;
    return reduce == "amin" || reduce == "amax" ? kExtreme : kProduct;
  }

  // Whether a value counts: for the mean all do, of extremes those that are the result, in a product zeros.
  HOSTDEVICE bool Counts(C value, C result) const {
    if (kind == kExtreme) return value == result || (value != value && result != result);
    return kind == kProduct ? value == C(0) : true;
  }
  // `counted` values at the place do; `product` is that of those which are not zero.
  HOSTDEVICE C operator()(C value, C result, int64_t counted, C product) const {
    if (kind != kProduct) return Counts(value, result) && counted > 0 ? C(1) / static_cast<C>(counted) : C(0);
    if (value == C(0)) return counted == 1 ? product : C(0);
    return counted == 0 ? product / value : C(0);
  }
};

// The gradient of what is at a place, for the last of the values that came to it.
template <typename T, typename Context>
void LastValueGrad(const Context& dev_ctx,
                   const DenseTensor& places,
                   const DenseTensor& out_grad,
                   DenseTensor* values_grad) {
  const int64_t m = places.numel();
  DenseTensor numbers = primitive::EmptyTensor<int64_t>(dev_ctx, {m});
  DenseTensor last = primitive::EmptyTensor<int64_t>(dev_ctx, {out_grad.numel()});
  const int64_t* place = places.data<int64_t>();
  int64_t* number = numbers.data<int64_t>();
  primitive::ForEach(dev_ctx, m, [=] HOSTDEVICE(int64_t i) { number[i] = i; });
  primitive::ScatterTo(dev_ctx, primitive::ScatterOp::kAssign, places, numbers, 1, true, &last);
  const int64_t* winner = last.data<int64_t>();
  const T* grad = out_grad.data<T>();
  T* to = dev_ctx.template Alloc<T>(values_grad);
  primitive::ForEach(dev_ctx, m, [=] HOSTDEVICE(int64_t i) { to[i] = winner[place[i]] == i ? grad[place[i]] : T(0); });
}

// The gradient of a tensor whose elements at these places are others in the result.
template <typename T, typename Context>
void GradElsewhere(const Context& dev_ctx, const DenseTensor& places, const DenseTensor& out_grad, DenseTensor* grad) {
  primitive::Copy(dev_ctx, out_grad, grad);
  DenseTensor zeros = primitive::EmptyTensor<T>(dev_ctx, {places.numel()});
  if (zeros.numel() > 0) primitive::FillWith(dev_ctx, 0, &zeros);
  primitive::ScatterTo(dev_ctx, primitive::ScatterOp::kAssign, places, zeros, 1, true, grad);
}

// Of values that are assigned or added, each gradient is one of the result's.
template <typename T, typename Context>
void PutWholeGrad(const Context& dev_ctx,
                  const DenseTensor& places,
                  const DenseTensor& out_grad,
                  bool assigns,
                  bool include_self,
                  DenseTensor* arr_grad,
                  DenseTensor* values_grad) {
  if (values_grad && assigns) {
    LastValueGrad<T>(dev_ctx, places, out_grad, values_grad);
  } else if (values_grad) {
    const int64_t* place = places.data<int64_t>();
    const T* grad = out_grad.data<T>();
    T* to = dev_ctx.template Alloc<T>(values_grad);
    primitive::ForEach(dev_ctx, places.numel(), [=] HOSTDEVICE(int64_t i) { to[i] = grad[place[i]]; });
  }
  if (arr_grad && include_self && !assigns) {
    primitive::Copy(dev_ctx, out_grad, arr_grad);
  } else if (arr_grad) {
    GradElsewhere<T>(dev_ctx, places, out_grad, arr_grad);
  }
}

}  // namespace detail

// A null gradient is not computed. Values that no index reaches have none.
template <typename T, typename Context>
void PutAlongAxisGradKernel(const Context& dev_ctx,
                            const DenseTensor& arr,
                            const DenseTensor& indices,
                            const DenseTensor& values,
                            const DenseTensor& out,
                            const DenseTensor& out_grad,
                            int axis,
                            const std::string& reduce,
                            bool include_self,
                            DenseTensor* arr_grad,
                            DenseTensor* values_grad) {
  const DDim& reached = indices.dims();
  if (values.dims() != reached) {
    const DenseTensor part = detail::PutPart<T>(dev_ctx, values, reached);
    DenseTensor part_grad = primitive::EmptyTensor<T>(dev_ctx, reached);
    DenseTensor* const wanted = values_grad ? &part_grad : nullptr;
    PutAlongAxisGradKernel<T>(dev_ctx, arr, indices, part, out, out_grad, axis, reduce, include_self, arr_grad, wanted);
    if (values_grad == nullptr) return;
    dev_ctx.template Alloc<T>(values_grad);
    if (values_grad->numel() > 0) primitive::FillWith(dev_ctx, 0, values_grad);
    DenseTensor target = primitive::ViewOf(*values_grad, reached, values_grad->strides());
    primitive::Copy(dev_ctx, part_grad, &target);
    return;
  }
  using C = primitive::ComputeType<T>;
  using primitive::ScatterOp;
  const int64_t n = arr.numel();
  const int64_t m = values.numel();
  const DenseTensor places = funcs::PlacesAlongAxis(dev_ctx, indices, arr.dims(), axis);
  if (reduce == "assign" || reduce == "add") {
    detail::PutWholeGrad<T>(dev_ctx, places, out_grad, reduce == "assign", include_self, arr_grad, values_grad);
    return;
  }
  const detail::PutShare<C> share{detail::PutShare<C>::KindOf(reduce)};
  DenseTensor counts = primitive::EmptyTensor<int64_t>(dev_ctx, {n});
  DenseTensor counted = primitive::EmptyTensor<int64_t>(dev_ctx, {m});
  DenseTensor products = primitive::EmptyTensor<C>(dev_ctx, {n});
  DenseTensor factors = primitive::EmptyTensor<C>(dev_ctx, {m});
  const int64_t* place = places.data<int64_t>();
  const T* own = arr.data<T>();
  const T* put = values.data<T>();
  const T* result = out.data<T>();
  const T* grad = out_grad.data<T>();
  int64_t* count = counts.data<int64_t>();
  int64_t* counting = counted.data<int64_t>();
  C* product = products.data<C>();
  C* factor = factors.data<C>();
  primitive::ForEach(dev_ctx, n, [=] HOSTDEVICE(int64_t i) {
    const C value = static_cast<C>(own[i]);
    count[i] = include_self && share.Counts(value, static_cast<C>(result[i]));
    product[i] = include_self && value != C(0) ? value : C(1);
  });
  primitive::ForEach(dev_ctx, m, [=] HOSTDEVICE(int64_t i) {
    const C value = static_cast<C>(put[i]);
    counting[i] = share.Counts(value, static_cast<C>(result[place[i]]));
    factor[i] = value != C(0) ? value : C(1);
  });
  primitive::ScatterTo(dev_ctx, ScatterOp::kAdd, places, counted, 1, true, &counts);
  primitive::ScatterTo(dev_ctx, ScatterOp::kMultiply, places, factors, 1, true, &products);
  if (values_grad) {
    T* to = dev_ctx.template Alloc<T>(values_grad);
    primitive::ForEach(dev_ctx, m, [=] HOSTDEVICE(int64_t i) {
      const int64_t at = place[i];
      const C part = share(static_cast<C>(put[i]), static_cast<C>(result[at]), count[at], product[at]);
      to[i] = static_cast<T>(static_cast<C>(grad[at]) * part);
    });
  }
  if (arr_grad == nullptr) return;
  if (include_self) {
    T* to = dev_ctx.template Alloc<T>(arr_grad);
    primitive::ForEach(dev_ctx, n, [=] HOSTDEVICE(int64_t i) {
      const C part = share(static_cast<C>(own[i]), static_cast<C>(result[i]), count[i], product[i]);
      to[i] = static_cast<T>(static_cast<C>(grad[i]) * part);
    });
  } else {
    detail::GradElsewhere<T>(dev_ctx, places, out_grad, arr_grad);
  }
}

}  // namespace phi
