// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "common/optional.h"
#include "core/selected_rows.h"
#include "kernels/funcs/numbers_of_host.h"
#include "primitive/copy_nd.h"
#include "primitive/scatter.h"
#include "primitive/scatter_rows.h"

namespace phi::funcs {

// A tensor of an optimizer's state as a step takes it: whole, or the rows that have a gradient.
template <typename In>  // DenseTensor or paddle::optional of it
struct StepPart {
  In in;
  DenseTensor* target;  // null where the optimizer has no such tensor
  bool of_rows = false;
  DenseTensor rows = {};

  DenseTensor* out() { return of_rows ? &rows : target; }
};

// A step of an optimizer whose gradient is SelectedRows, by the kernel of dense tensors. It is the step with zeros in
// the other rows; if `only_rows`, it is made on the rows that have a gradient alone, and the others stay.
class StepOnRows {
 public:
  StepOnRows(const DeviceContext& dev_ctx, const SelectedRows& grad, bool only_rows)
      : dev_ctx_(dev_ctx), dims_(grad.GetCompleteDims()), only_rows_(only_rows && product(dims_) > 1) {
    std::vector<int64_t> places = grad.rows();
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    if (!only_rows_) {
      SumRows(grad.rows(), grad.value(), dims_[0]);
    } else if (places.size() == grad.rows().size()) {
      places_ = ToDevice(dev_ctx, grad.rows());
      grad_ = grad.value();
    } else {  // each row once
      std::vector<int64_t> slots;
      for (const int64_t row : grad.rows())
        slots.push_back(std::lower_bound(places.begin(), places.end(), row) - places.begin());
      places_ = ToDevice(dev_ctx, places);
      SumRows(slots, grad.value(), places.size());
    }
  }

  const DenseTensor& grad() const { return grad_; }

  StepPart<DenseTensor> Take(const DenseTensor& state, DenseTensor* target) const {
    StepPart<DenseTensor> part{state, target};
    if (!only_rows_ || state.dims() != dims_) return part;
    part.of_rows = true;
    part.rows.Resize(grad_.dims());
    dev_ctx_.Alloc(&part.rows, state.dtype());
    if (part.rows.numel() > 0)
      GetPrimitive<primitive::Gather>(dev_ctx_)(dev_ctx_, Table(dims_[0]), places_, state, &part.rows);
    part.in = part.rows;
    return part;
  }
  StepPart<paddle::optional<DenseTensor>> Take(const paddle::optional<DenseTensor>& state, DenseTensor* target) const {
    StepPart<paddle::optional<DenseTensor>> part{state, target};
    if (!state) return part;
    StepPart<DenseTensor> given = Take(*state, target);
    part.in = given.in;
    part.of_rows = given.of_rows;
    part.rows = given.rows;
    return part;
  }

  // After the step: what became of a part of `state` goes to its rows.
  template <typename In>
  void PutBack(const StepPart<In>& part, const In& state) const {
    if (part.of_rows) Put(part.rows, Whole(state), part.target);
  }

 private:
  static const DenseTensor& Whole(const DenseTensor& state) { return state; }
  static const DenseTensor& Whole(const paddle::optional<DenseTensor>& state) { return *state; }

  void Put(const DenseTensor& rows, const DenseTensor& state, DenseTensor* target) const {
    if (!target->IsSharedBufferWith(state)) primitive::Copy(dev_ctx_, state, target);
    primitive::ScatterTo(dev_ctx_, primitive::ScatterOp::kAssign, places_, rows, Width(), true, target);
  }

  int64_t Width() const { return dims_[0] == 0 ? 0 : product(dims_) / dims_[0]; }
  primitive::LookupTable Table(int64_t rows) const { return {"grad", 1, rows, Width(), /*wraps=*/false}; }

  // grad_ [rows, ...] = the sums of `values` by the row that each goes to.
  void SumRows(const std::vector<int64_t>& to, const DenseTensor& values, int64_t rows) {
    DDim dims = dims_;
    dims[0] = rows;
    grad_.Resize(dims);
    dev_ctx_.Alloc(&grad_, values.dtype());
    if (grad_.numel() == 0) return;
    GetPrimitive<primitive::ScatterSum>(dev_ctx_, values.dtype())(
        dev_ctx_, Table(rows), ToDevice(dev_ctx_, to), values, &grad_);
  }

  const DeviceContext& dev_ctx_;
  DDim dims_;  // of the parameter
  bool only_rows_;
  DenseTensor places_;  // of the rows of grad_ in the parameter
  DenseTensor grad_;
};

}  // namespace phi::funcs
