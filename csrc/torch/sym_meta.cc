// SPDX-License-Identifier: Apache-2.0
#include "torch/sym_meta.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>

#include "core/channels_last.h"
#include "torch/convert.h"
#include "torch/out_tensor.h"
#include "torch/views/view_arguments.h"

namespace phi::torch_bridge {

using view_arguments::Ref;

void detail::ThrowNotMeta(const at::Tensor& tensor, const char* argument) {
  PADDLE_THROW(
      errors::InvalidArgument("argument '%s': expected a tensor on meta like another of the call, got one on %s; "
                              "move it with .to()",
                              argument,
                              tensor.device().str()));
}

void detail::ThrowTraced(const char* attribute, const char* kernel) {
  PADDLE_THROW(
      errors::Unimplemented("the kernel %s cannot be traced, since traces know dense tensors; pass %s=False, or call "
                            "it outside of torch.compile and torch.export",
                            kernel,
                            attribute));
}

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

SymInput SymImages(const at::Tensor& tensor, const std::string& data_format) {
  SymInput input(tensor, /*strided=*/false);
  const bool in_order = data_format == "NHWC" || data_format == "NDHWC" || tensor.is_contiguous();
  const auto format = tensor.dim() == 5 ? at::MemoryFormat::ChannelsLast3d : at::MemoryFormat::ChannelsLast;
  if (in_order || tensor.dim() < 4 || tensor.dim() > 5 || !tensor.is_contiguous(format)) return input;
  MetaTensor<SymInt> meta = input.meta();
  SetChannelsLast(BasicDDim<SymInt>(input.data_->dims), &meta);
  return input;
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

void SymOutput::CheckTarget(const at::Tensor& target, const char* argument, bool may_resize) const {
  // one without dimensions too: a number may be elsewhere, but not what is written
  if (!target.is_meta() && !target.unsafeGetTensorImpl()->is_python_dispatch()) detail::ThrowNotMeta(target, argument);
  const at::ScalarType dtype = torch_bridge::ToTorch(data_.dtype);
  if (dtype != target.scalar_type()) ThrowTargetType(argument, data_.dtype, target);
  if (!may_resize && !Ref(data_.dims).equals(target.sym_sizes())) {
    ThrowTargetShape(argument, data_.dims, target.sym_sizes());
  }
}

void SymOutput::BindTarget(const at::Tensor& target, const char* argument, bool may_resize) const {
  CheckTarget(target, argument, may_resize);
  if (Ref(data_.dims).equals(target.sym_sizes())) return;
  Make();  // refuses sizes whose product is too large, which resize_ on Meta takes
  target.resize__symint(Ref(data_.dims));
}

SymOutputList::SymOutputList(size_t size) : outputs_(size) {
  metas_.reserve(size);
  for (SymOutput& output : outputs_) metas_.push_back(output.meta());
  for (auto& meta : metas_) pointers_.push_back(&meta);
}

void SymOutputList::CheckTarget(at::TensorList targets, const char* argument, bool may_resize) const {
  for (size_t i = 0; i < outputs_.size(); ++i) outputs_[i].CheckTarget(targets[i], argument, may_resize);
}

void SymOutputList::BindTarget(at::TensorList targets, const char* argument, bool may_resize) const {
  CheckTarget(targets, argument, may_resize);
  for (size_t i = 0; i < outputs_.size(); ++i) outputs_[i].BindTarget(targets[i], argument, may_resize);
}

std::vector<at::Tensor> SymOutputList::Make() const {
  std::vector<at::Tensor> results;
  for (const SymOutput& output : outputs_) results.push_back(output.Make());
  return results;
}

}  // namespace phi::torch_bridge
