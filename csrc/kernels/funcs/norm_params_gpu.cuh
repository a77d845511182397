// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/optional.h"
#include "core/dense_tensor.h"
#include "primitive/gpu/axis_team.cuh"

// Scales, biases and statistics of normalizations on the GPU: vectors of T or of the type that T computes in.
namespace phi::funcs {

// Reads one, or a constant in its place.
template <typename T>
class NormParam {
 public:
  explicit NormParam(const DenseTensor* param, primitive::Acc<T> absent = 0) : absent_(absent) {
    if (!param) return;
    if (param->dtype() == CppTypeToDataType<primitive::Acc<T>>::Type()) {
      wide_ = param->data<primitive::Acc<T>>();
    } else {
      narrow_ = param->data<T>();
    }
  }
  __device__ primitive::Acc<T> operator[](int64_t i) const {
    if (wide_) return wide_[i];
    return narrow_ ? static_cast<primitive::Acc<T>>(narrow_[i]) : absent_;
  }

 private:
  const primitive::Acc<T>* wide_ = nullptr;
  const T* narrow_ = nullptr;
  primitive::Acc<T> absent_;
};

// Writes one, of the type that its meta says; nothing if it is null.
template <typename T>
class NormParamOut {
 public:
  template <typename Context>
  NormParamOut(const Context& dev_ctx, DenseTensor* out) {
    if (!out) return;
    if (out->dtype() == CppTypeToDataType<primitive::Acc<T>>::Type()) {
      wide_ = dev_ctx.template Alloc<primitive::Acc<T>>(out);
    } else {
      narrow_ = dev_ctx.template Alloc<T>(out);
    }
  }
  __device__ void Set(int64_t i, primitive::Acc<T> value) const {
    if (wide_) wide_[i] = value;
    if (narrow_) narrow_[i] = static_cast<T>(value);
  }

 private:
  primitive::Acc<T>* wide_ = nullptr;
  T* narrow_ = nullptr;
};

}  // namespace phi::funcs
