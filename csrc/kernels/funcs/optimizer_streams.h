// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/optional.h"
#include "kernels/funcs/elementwise_update.h"

// The tensors of an optimizer as streams of one pass.
namespace phi::funcs {

template <typename T, typename Context>
UpdateStream<T> MakeStream(const Context& dev_ctx, const DenseTensor& in, DenseTensor* out) {
  return {in.data<T>(), dev_ctx.template Alloc<T>(out)};
}

// `in` may be null.
template <typename T, typename Context>
OptionalStream<T> MakeOptionalStream(const Context& dev_ctx, const DenseTensor* in, DenseTensor* out) {
  return in ? OptionalStream<T>{in->data<T>(), dev_ctx.template Alloc<T>(out)} : OptionalStream<T>();
}

// A tensor of the i-th parameter: null where the list is absent, the only one where one serves all.
inline const DenseTensor* TensorAt(const paddle::optional<std::vector<const DenseTensor*>>& list, size_t i) {
  return list ? (*list)[i] : nullptr;
}
inline const DenseTensor& TensorAt(const std::vector<const DenseTensor*>& list, size_t i) {
  return *list[list.size() == 1 ? 0 : i];
}
inline DenseTensor* OutputAt(const std::vector<DenseTensor*>& list, size_t i) {
  return i < list.size() ? list[i] : nullptr;
}

// Calls use(type) with an element of a tensor of a half-precision parameter, which is either of its type T or a float.
template <typename T, typename Use>
void WithTypeOf(const DenseTensor& tensor, const Use& use) {
  using C = primitive::ComputeType<T>;
  tensor.dtype() == CppTypeToDataType<C>::Type() ? use(C()) : use(T());
}

// Calls use(stream) for a gradient of a parameter of the type T.
template <typename T, typename Use>
void WithGrad(const DenseTensor& grad, const Use& use) {
  WithTypeOf<T>(grad, [&](auto type) { use(UpdateStream<const decltype(type)>{grad.data<decltype(type)>()}); });
}

// Calls use(stream) for a master parameter, which may be null.
template <typename C, typename Context, typename Use>
void WithMaster(const Context& dev_ctx, const DenseTensor* master, DenseTensor* out, const Use& use) {
  master ? use(MakeStream<C>(dev_ctx, *master, out)) : use(NoStream());
}

// A tensor before and after a step.
struct StepTensor {
  const DenseTensor* before;
  DenseTensor* after;
};

// A step that has two states, of one data type: functor(param, master, first, second, grad). The master
// parameter may be null.
template <typename T, typename Context, typename Functor>
void UpdateWithStates(const Context& dev_ctx,
                      const Functor& functor,
                      const StepTensor& param,
                      const StepTensor& master,
                      const StepTensor& first,
                      const StepTensor& second,
                      const DenseTensor& grad) {
  using C = primitive::ComputeType<T>;
  const auto p = MakeStream<T>(dev_ctx, *param.before, param.after);
  const auto m = MakeOptionalStream<C>(dev_ctx, master.before, master.after);
  WithTypeOf<T>(*first.before, [&](auto type) {
    using M = decltype(type);
    const auto a = MakeStream<M>(dev_ctx, *first.before, first.after);
    const auto b = MakeStream<M>(dev_ctx, *second.before, second.after);
    WithGrad<T>(grad, [&](auto g) { UpdateElements<C>(dev_ctx, param.before->numel(), functor, p, m, a, b, g); });
  });
}

// The parameter that a step reads and writes: the master parameter, of which `param` is a copy, where it is used.
template <typename V>
HOSTDEVICE inline V MasterOr(bool has_master, const V& master, const V& param) {
  V value = param;  // a choice between references would keep both in memory
  if (has_master) value = master;
  return value;
}
template <typename V>
HOSTDEVICE inline void StoreParam(bool has_master, const V& value, V* param, V* master) {
  *param = value;
  if (has_master) *master = value;
}

}  // namespace phi::funcs
