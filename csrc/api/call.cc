// SPDX-License-Identifier: Apache-2.0
#include "api/call.h"

namespace phi {

namespace {
const Place kHost = CPUPlace();
}  // namespace

void Call::PrepareSlow() {
  guard_.Enter(place());
  context_ = DeviceContextPool::Instance().Get(selected_->has_fallback_cpu ? CPUPlace() : place());
  if (selected_->has_fallback_cpu) site_.WarnFallback(key_.key());
  if (plan_ == nullptr) return;
  plan_->op = site_.op();
  plan_->kernel_name = site_.kernels().name();
  plan_->key = key_.key();
  plan_->selected = SelectKernelOrThrowError(site_.kernels(), plan_->key, true, &plan_->steps);
  plan_->place = selected_->has_fallback_cpu ? kHost : place();
  plan_->result_place = place();
}

void Call::Transform(const InputRule& rule, DenseTensor* tensor, GivenMeta* given) {
  const auto& defs = selected_->kernel->args_def().input_defs();
  // an input that only InferMeta reads has no definition
  const TensorArgDef def = rule.position >= 0 ? defs.at(rule.position) : TensorArgDef();
  const Place& where = selected_->has_fallback_cpu ? kHost : place();
  const TransformTarget target{where, selected_->is_stride_kernel, selected_->has_fallback_cpu};
  const DataTransform transform = NeededTransform(*tensor, def, rule.flags, target, rule.name);
  if (TakesChannelsLast(def, rule.flags, *tensor)) tensor->set_layout(def.layout);
  if (!transform) return;
  if (plan_ != nullptr) plan_->transforms.push_back({rule.name, transform});
  const DataType dtype = tensor->dtype();
  *tensor = Transformed(*tensor, transform);
  if (transform.dtype == DataType::UNDEFINED) return;
  *given = std::make_unique<DenseTensor>(*tensor);
  (*given)->set_type(dtype);
}

}  // namespace phi
