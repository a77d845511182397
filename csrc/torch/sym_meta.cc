// SPDX-License-Identifier: Apache-2.0
#include "torch/sym_meta.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>

#include "torch/convert.h"

namespace phi::torch_bridge {

namespace {
c10::SymIntArrayRef Ref(const BasicDDim<SymInt>& dims) { return {dims.Get(), static_cast<size_t>(dims.size())}; }
}  // namespace

SymInput::SymInput(const at::Tensor& tensor, bool strided) : data_(std::make_shared<TensorMeta<SymInt>>()) {
  const c10::SymIntArrayRef sizes = tensor.sym_sizes();
  data_->dims = BasicDDim<SymInt>(sizes.data(), static_cast<int64_t>(sizes.size()));
  data_->dtype = ToPhi(tensor.scalar_type());
  if (!strided || tensor.is_contiguous()) return;
  const c10::SymIntArrayRef strides = tensor.sym_strides();
  data_->strides = BasicDDim<SymInt>(strides.data(), static_cast<int64_t>(strides.size()));
  data_->contiguous = false;
  data_->dense = tensor.is_non_overlapping_and_dense();
}

SymInputList::SymInputList(at::TensorList tensors, bool strided) {
  for (const at::Tensor& tensor : tensors) inputs_.emplace_back(tensor, strided);
  metas_.reserve(inputs_.size());
  for (const SymInput& input : inputs_) metas_.push_back(input.meta());
  for (const auto& meta : metas_) pointers_.push_back(&meta);
}

at::Tensor SymOutput::Make() const {
  const auto options = at::TensorOptions().dtype(torch_bridge::ToTorch(data_.dtype)).device(at::kMeta);
  return data_.contiguous ? at::empty_symint(Ref(data_.dims), options)
                          : at::empty_strided_symint(Ref(data_.dims), Ref(data_.strides), options);
}

void SymOutput::CheckInplace(const at::Tensor& target, const char* argument) const {
  PADDLE_ENFORCE(torch_bridge::ToTorch(data_.dtype) == target.scalar_type(),
                 errors::InvalidType("argument '%s' receives the result: expected data type %s, got %s",
                                     argument,
                                     DataTypeName(data_.dtype),
                                     DataTypeName(ToPhi(target.scalar_type()))));
  PADDLE_ENFORCE(Ref(data_.dims).equals(target.sym_sizes()),
                 errors::InvalidArgument("argument '%s' receives the result: expected the shape %s, got %s",
                                         argument,
                                         data_.dims,
                                         target.sym_sizes()));
}

void SymOutput::Resize(const at::Tensor& target, const char* argument) const {
  if (!Ref(data_.dims).equals(target.sym_sizes())) target.resize__symint(Ref(data_.dims));
  CheckInplace(target, argument);
}

SymOutputList::SymOutputList(size_t size) : outputs_(size) {
  metas_.reserve(size);
  for (SymOutput& output : outputs_) metas_.push_back(output.meta());
  for (auto& meta : metas_) pointers_.push_back(&meta);
}

void SymOutputList::CheckInplace(at::TensorList targets, const char* argument) const {
  for (size_t i = 0; i < outputs_.size(); ++i) outputs_[i].CheckInplace(targets[i], argument);
}

std::vector<at::Tensor> SymOutputList::Make() const {
  std::vector<at::Tensor> results;
  for (const SymOutput& output : outputs_) results.push_back(output.Make());
  return results;
}

}  // namespace phi::torch_bridge
