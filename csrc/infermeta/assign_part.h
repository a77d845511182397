// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "common/int_array.h"
#include "common/scalar.h"
#include "core/meta_tensor.h"
#include "infermeta/broadcast.h"
#include "infermeta/data_types.h"
#include "infermeta/given.h"
#include "infermeta/number_one.h"
#include "infermeta/parts.h"
#include "infermeta/scatter.h"

// InferMeta of the ops that put values into a part of a tensor.
namespace phi {

// A shape broadcasts to that of the part.
template <class Dim>
void CheckAssigned(const char* name, const BasicDDim<Dim>& values, const BasicDDim<Dim>& part) {
  const int more = values.size() - part.size();
  for (int i = 0; i < values.size(); ++i) {
    PADDLE_ENFORCE(
        i < more ? values[i] == 1 : IsNumberOne(values[i]) || values[i] == part[i - more] || values[i] == 1,
        errors::InvalidArgument(
            "argument '%s': expected a shape that broadcasts to that of the part, %s, got %s", name, part, values));
  }
}

template <class Dim>
void SetValueInferMeta(const MetaTensor<Dim>& x,
                       const IntArrayBase<Dim>& starts,
                       const IntArrayBase<Dim>& ends,
                       const IntArrayBase<Dim>& steps,
                       const std::vector<int64_t>& axes,
                       const std::vector<int64_t>& decrease_axes,
                       const std::vector<int64_t>& none_axes,
                       const std::vector<int64_t>& shape,
                       const std::vector<Scalar>& values,
                       MetaTensor<Dim>* out) {
  const auto part = MakeAssignedPart(x.dims(), starts, ends, steps, axes, decrease_axes, none_axes);
  BasicDDim<Dim> dims;
  int64_t count = 1;
  for (const int64_t size : shape) {
    PADDLE_ENFORCE(size >= 0 && size <= INT32_MAX,
                   errors::InvalidArgument("argument 'shape': expected sizes below 2^31, got %d", size));
    dims.push_back(Dim(size));
    count = std::min<int64_t>(count * size, INT32_MAX);
  }
  PADDLE_ENFORCE(
      static_cast<int64_t>(values.size()) == count,
      errors::InvalidArgument("argument 'values': expected %d, the elements of 'shape', got %d", count, values.size()));
  CheckAssigned("shape", dims, part.dims);
  ShareTarget(x, out);
}

template <class Dim>
void SetValueGradInferMeta(const MetaTensor<Dim>& out_grad,
                           const IntArrayBase<Dim>& starts,
                           const IntArrayBase<Dim>& ends,
                           const IntArrayBase<Dim>& steps,
                           const std::vector<int64_t>& axes,
                           MetaTensor<Dim>* x_grad) {
  MakeSteppedPart(out_grad.dims(), axes, starts, ends, steps, "steps");
  ShareTarget(out_grad, x_grad);
}

template <class Dim>
void SetValueWithTensorInferMeta(const MetaTensor<Dim>& x,
                                 const MetaTensor<Dim>& values,
                                 const IntArrayBase<Dim>& starts,
                                 const IntArrayBase<Dim>& ends,
                                 const IntArrayBase<Dim>& steps,
                                 const std::vector<int64_t>& axes,
                                 const std::vector<int64_t>& decrease_axes,
                                 const std::vector<int64_t>& none_axes,
                                 MetaTensor<Dim>* out) {
  const auto part = MakeAssignedPart(x.dims(), starts, ends, steps, axes, decrease_axes, none_axes);
  PADDLE_ENFORCE(values.dtype() == x.dtype(),
                 errors::InvalidType("argument 'values': expected the data type of 'x', %s, got %s",
                                     DataTypeName(x.dtype()),
                                     DataTypeName(values.dtype())));
  CheckAssigned("values", values.dims(), part.dims);
  ShareTarget(x, out);
}

template <class Dim>
void SetValueWithTensorGradInferMeta(const MetaTensor<Dim>& values,
                                     const MetaTensor<Dim>& out_grad,
                                     const IntArrayBase<Dim>& starts,
                                     const IntArrayBase<Dim>& ends,
                                     const IntArrayBase<Dim>& steps,
                                     const std::vector<int64_t>& axes,
                                     const std::vector<int64_t>& decrease_axes,
                                     const std::vector<int64_t>& none_axes,
                                     MetaTensor<Dim>* x_grad,
                                     MetaTensor<Dim>* values_grad) {
  const auto part = MakeAssignedPart(out_grad.dims(), starts, ends, steps, axes, decrease_axes, none_axes);
  CheckOneType("values", values, "out_grad", out_grad);
  CheckAssigned("values", values.dims(), part.dims);
  ShareTarget(out_grad, x_grad);
  ShareTarget(values, values_grad);
}

// Masks stand for what their elements decide on, so what is put is checked by the kernel where there is one.
template <class Dim>
void IndexPutInferMeta(const MetaTensor<Dim>& x,
                       const std::vector<const MetaTensor<Dim>*>& indices,
                       const MetaTensor<Dim>& value,
                       bool,
                       MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(!indices.empty(), errors::InvalidArgument("argument 'indices': expected at least one tensor"));
  PADDLE_ENFORCE(value.dtype() == x.dtype(),
                 errors::InvalidType("argument 'value': expected the data type of 'x', %s, got %s",
                                     DataTypeName(x.dtype()),
                                     DataTypeName(value.dtype())));
  int axis = 0;
  bool masks = false;
  BasicDDim<Dim> dims;
  for (const MetaTensor<Dim>* index : indices) {
    const bool is_mask = index->dtype() == DataType::BOOL;
    if (!is_mask) CheckIndexType("indices", *index);
    const int columns = is_mask ? index->dims().size() : 1;
    PADDLE_ENFORCE(!is_mask || columns > 0,
                   errors::InvalidArgument("argument 'indices': expected masks with dimensions, got one without"));
    PADDLE_ENFORCE(axis + columns <= x.dims().size(),
                   errors::InvalidArgument(
                       "argument 'indices': expected at most %d of them, the dimensions of 'x'; a mask counts as its "
                       "dimensions",
                       x.dims().size()));
    for (int i = 0; is_mask && i < columns; ++i) {
      PADDLE_ENFORCE(
          index->dims(i) == x.dims(axis + i),
          errors::InvalidArgument(
              "argument 'indices': expected a mask of the sizes of 'x', %s, got %s", x.dims(), index->dims()));
    }
    axis += columns;
    masks = masks || is_mask;
    if (!is_mask) dims = BroadcastDims(dims, index->dims(), "indices", "indices");
  }
  for (; axis < x.dims().size(); ++axis) dims.push_back(x.dims(axis));
  if (!masks) {
    PADDLE_ENFORCE(
        value.dims().size() <= dims.size(),
        errors::InvalidArgument(
            "argument 'value': expected at most %d dimensions, those of %s, got %s", dims.size(), dims, value.dims()));
    CheckAssigned("value", value.dims(), dims);
  }
  ShareTarget(x, out);
}

template <class Dim>
void IndexPutGradInferMeta(const MetaTensor<Dim>& x,
                           const MetaTensor<Dim>& value,
                           MetaTensor<Dim>* x_grad,
                           MetaTensor<Dim>* value_grad) {
  ShareTarget(x, x_grad);
  ShareTarget(value, value_grad);
}

}  // namespace phi
