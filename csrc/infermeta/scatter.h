// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/meta_tensor.h"
#include "infermeta/indexing.h"
#include "infermeta/manipulation.h"

// InferMeta of the ops that write to elements of a tensor that indices name.
namespace phi {

template <class Dim>
void CheckUpdates(const char* name,
                  const MetaTensor<Dim>& updates,
                  const BasicDDim<Dim>& expected,
                  const MetaTensor<Dim>& x) {
  PADDLE_ENFORCE(
      updates.dims() == expected,
      errors::InvalidArgument("argument '%s': expected the shape %s, got %s", name, expected, updates.dims()));
  PADDLE_ENFORCE(
      updates.dtype() == x.dtype(),
      errors::InvalidType("argument '%s': expected the data type %s of the tensor that is written to, got %s",
                          name,
                          DataTypeName(x.dtype()),
                          DataTypeName(updates.dtype())));
}

// A tensor of the shape of x, and the incoming gradient handed on.
template <class Dim>
void ShareTarget(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  if (out == nullptr) return;
  out->share_dims(x);
  out->set_dtype(x.dtype());
}

// The shape of the slices of x at `index` along `axis`.
template <class Dim>
BasicDDim<Dim> SlicesDims(const MetaTensor<Dim>& x, const MetaTensor<Dim>& index, int64_t axis) {
  TensorMeta<Dim> meta;
  MetaTensor<Dim> slices(&meta);
  InferTakenDims(x, index, axis, &slices);
  return slices.dims();
}

template <class Dim>
void ScatterInferMeta(const MetaTensor<Dim>& x,
                      const MetaTensor<Dim>& index,
                      const MetaTensor<Dim>& updates,
                      bool,
                      MetaTensor<Dim>* out) {
  CheckUpdates("updates", updates, SlicesDims(x, index, 0), x);
  ShareTarget(x, out);
}

template <class Dim>
void ScatterGradInferMeta(const MetaTensor<Dim>& index,
                          const MetaTensor<Dim>& updates,
                          const MetaTensor<Dim>& out_grad,
                          bool,
                          MetaTensor<Dim>* x_grad,
                          MetaTensor<Dim>* updates_grad) {
  CheckUpdates("updates", updates, SlicesDims(out_grad, index, 0), out_grad);
  ShareTarget(out_grad, x_grad);
  ShareTarget(updates, updates_grad);
}

template <class Dim>
void ScatterNdAddInferMeta(const MetaTensor<Dim>& x,
                           const MetaTensor<Dim>& index,
                           const MetaTensor<Dim>& updates,
                           MetaTensor<Dim>* out) {
  CheckUpdates("updates", updates, NdSliceDims(x, index), x);
  ShareTarget(x, out);
}

template <class Dim>
void ScatterNdAddGradInferMeta(const MetaTensor<Dim>& index,
                               const MetaTensor<Dim>& updates,
                               const MetaTensor<Dim>& out_grad,
                               MetaTensor<Dim>* x_grad,
                               MetaTensor<Dim>* updates_grad) {
  CheckUpdates("updates", updates, NdSliceDims(out_grad, index), out_grad);
  ShareTarget(out_grad, x_grad);
  ShareTarget(updates, updates_grad);
}

template <class Dim>
void CheckAddValue(const MetaTensor<Dim>& x,
                   const MetaTensor<Dim>& index,
                   const MetaTensor<Dim>& add_value,
                   int64_t axis) {
  PADDLE_ENFORCE(index.dims().size() == 1,
                 errors::InvalidArgument("argument 'index': expected a vector, got the shape %s", index.dims()));
  CheckUpdates("add_value", add_value, SlicesDims(x, index, axis), x);
}

template <class Dim>
void IndexAddInferMeta(const MetaTensor<Dim>& x,
                       const MetaTensor<Dim>& index,
                       const MetaTensor<Dim>& add_value,
                       int64_t axis,
                       MetaTensor<Dim>* out) {
  CheckAddValue(x, index, add_value, axis);
  ShareTarget(x, out);
}

template <class Dim>
void IndexAddGradInferMeta(const MetaTensor<Dim>& index,
                           const MetaTensor<Dim>& add_value,
                           const MetaTensor<Dim>& out_grad,
                           int64_t axis,
                           MetaTensor<Dim>* x_grad,
                           MetaTensor<Dim>* add_value_grad) {
  CheckAddValue(out_grad, index, add_value, axis);
  ShareTarget(out_grad, x_grad);
  ShareTarget(add_value, add_value_grad);
}

template <class Dim>
void PutAlongAxisInferMeta(const MetaTensor<Dim>& arr,
                           const MetaTensor<Dim>& indices,
                           const MetaTensor<Dim>& values,
                           int64_t axis,
                           const std::string& reduce,
                           bool,
                           MetaTensor<Dim>* out) {
  CheckAlongAxis("arr", arr, indices, axis);
  PADDLE_ENFORCE(reduce == "assign" || reduce == "add" || reduce == "mul" || reduce == "multiply" || reduce == "mean" ||
                     reduce == "amin" || reduce == "amax",
                 errors::InvalidArgument(
                     "argument 'reduce': expected assign, add, mul, multiply, mean, amin or amax, got %s", reduce));
  const auto& dims = values.dims();
  bool holds = dims.size() == indices.dims().size();
  for (int i = 0; holds && i < dims.size(); ++i) holds = dims[i] >= indices.dims()[i];
  PADDLE_ENFORCE(holds,
                 errors::InvalidArgument(
                     "argument 'values': expected the shape %s or larger sizes, got %s", indices.dims(), dims));
  CheckUpdates("values", values, dims, arr);
  ShareTarget(arr, out);
}

template <class Dim>
void PutAlongAxisGradInferMeta(const MetaTensor<Dim>& arr,
                               const MetaTensor<Dim>& values,
                               MetaTensor<Dim>* arr_grad,
                               MetaTensor<Dim>* values_grad) {
  ShareTarget(arr, arr_grad);
  ShareTarget(values, values_grad);
}

}  // namespace phi
