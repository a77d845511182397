// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_context.h"
#include "common/optional.h"
#include "primitive/loop/vec_loop.h"

// Scales, biases and statistics of normalizations on the CPU: vectors of T or of the type that T computes in.
namespace phi::funcs {

// A temporary of n elements that lives as long as the object.
template <typename T>
class Scratch {
 public:
  Scratch(const CPUContext& dev_ctx, int64_t n) {
    tensor_.Resize({n});
    data_ = dev_ctx.Alloc<T>(&tensor_);
  }
  T* data() { return data_; }

 private:
  DenseTensor tensor_;
  T* data_;
};

// `param` as Acc<T>; n times `absent` when there is none. Values of another type are converted into a temporary.
template <typename T>
class NormParam {
 public:
  NormParam(const CPUContext& dev_ctx, const DenseTensor* param, int64_t n, primitive::Acc<T> absent = 0) {
    if (param && param->dtype() == CppTypeToDataType<primitive::Acc<T>>::Type()) {
      data_ = param->data<primitive::Acc<T>>();
      return;
    }
    temporary_.Resize({n});
    primitive::Acc<T>* to = dev_ctx.Alloc<primitive::Acc<T>>(&temporary_);
    data_ = to;
    if (param) {
      primitive::VecMap(n, to, [](const primitive::Vec<T>& v) { return v; }, param->data<T>());
    } else {
      std::fill_n(to, n, absent);
    }
  }
  const primitive::Acc<T>* data() const { return data_; }

 private:
  DenseTensor temporary_;
  const primitive::Acc<T>* data_;
};

// Writes n values to an output of T or Acc<T>, whichever its meta says.
template <typename T>
void StoreNormParam(const CPUContext& dev_ctx, int64_t n, const primitive::Acc<T>* values, DenseTensor* out) {
  if (out->dtype() == CppTypeToDataType<primitive::Acc<T>>::Type()) {
    primitive::Acc<T>* to = dev_ctx.Alloc<primitive::Acc<T>>(out);
    if (to != values) std::copy_n(values, n, to);
  } else {
    primitive::VecMap(n, dev_ctx.Alloc<T>(out), [](const primitive::Vec<T>& v) { return v; }, values);
  }
}

}  // namespace phi::funcs
