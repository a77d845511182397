// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "api/input.h"
#include "api/key_builder.h"
#include "api/op_site.h"
#include "api/trace.h"
#include "core/channels_last.h"
#include "core/device_context_pool.h"
#include "core/device_guard.h"

namespace phi {

// A typed call of an operator's kernel, step by step:
//   Call call(site);
//   call.AddToKey(rules, x, y);    // the key, from the inputs; key() for what else has a say
//   call.Prepare(rules, x, y);     // the kernel, and what fits it in the place of what does not
//   call.Run<Fn>(x, y, &out);      // after InferMeta
// These are the steps of a Plan, which is put together for those who observe the call.
class Call {
 public:
  explicit Call(const OpSite& site)
      : site_(site),
        plan_(IsObserved() ? std::make_unique<Plan>() : nullptr),
        key_(plan_ ? &plan_->sources : nullptr) {}

  template <size_t n, typename... Inputs>
  void AddToKey(const InputRule (&rules)[n], const Inputs&... inputs) {
    static_assert(n == sizeof...(Inputs));
    const InputRule* rule = rules;
    (AddInput(*rule++, inputs), ...);
  }
  KeyBuilder& key() { return key_; }
  // The layout of the key, from images whose shape has the order of `data_format`.
  void SetLayout(const InputRule& rule, Input* images, const std::string& data_format) {
    const DataLayout layout = ImageLayout(images->tensor(), data_format);
    if (__builtin_expect(layout == DataLayout::ALL_LAYOUT, 1)) return;
    images->mutable_tensor()->set_layout(layout);
    key_.SetLayout(layout, rule.name);
  }

  void Prepare() {
    selected_ = &site_.kernels().Select(key_.key());
    if (__builtin_expect(is_cpu_place(place()) && plan_ == nullptr, 1)) {
      context_ = DeviceContextPool::Instance().Get(CPUPlace());
    } else {
      PrepareSlow();
    }
  }
  template <size_t n, typename... Inputs>
  void Prepare(const InputRule (&rules)[n], Inputs&... inputs) {
    static_assert(n == sizeof...(Inputs));
    Prepare();
    const InputRule* rule = rules;
    (PrepareInput(*rule++, &inputs), ...);
  }

  // Fn is the normalised function type: void(const DeviceContext&, ...).
  template <typename Fn, typename... Args>
  void Run(Args&&... args) {
    if (__builtin_expect(plan_ != nullptr, 0) && !Observe(std::move(*plan_))) return;
    const Kernel& kernel = *selected_->kernel;
    if (__builtin_expect(kernel.is_functor(), 0)) {
      return SignatureOf<Fn>::CallBoxed(kernel, *context_, std::forward<Args>(args)...);
    }
    kernel.GetVariadicKernelFn<Fn*>()(*context_, std::forward<Args>(args)...);
  }

  // where the results belong
  const Place& place() const { return key_.place(); }

 private:
  void AddInput(const InputRule& rule, const Input& input) {
    if (!(rule.flags & kSkipTransform)) key_.Add(input.tensor(), rule.name);
  }
  void AddInput(const InputRule& rule, const OptionalInput& input) {
    if (input.tensor() && !(rule.flags & kSkipTransform)) key_.Add(*input.tensor(), rule.name);
  }
  template <typename T>
  void AddInput(const InputRule& rule, const InputOf<T>& input) {
    if (!(rule.flags & kSkipTransform)) key_.Add(input.tensor(), rule.name);
  }
  template <typename T>
  void AddInput(const InputRule& rule, const OptionalInputOf<T>& input) {
    if (input.tensor() && !(rule.flags & kSkipTransform)) key_.Add(*input.tensor(), rule.name);
  }
  // only the first element counts, as in PHI
  template <typename T, typename One>
  void AddInput(const InputRule& rule, const ListOf<T, One>& inputs) {
    if (inputs.size() != 0) AddInput(rule, inputs[0]);
  }
  template <typename T, typename One>
  void AddInput(const InputRule& rule, const OptionalListOf<T, One>& inputs) {
    if (inputs.list()) AddInput(rule, *inputs.list());
  }

  void PrepareInput(const InputRule& rule, Input* input) {
    PrepareTensor(rule, input->mutable_tensor(), input->mutable_given());
  }
  void PrepareInput(const InputRule& rule, OptionalInput* input) {
    if (input->tensor()) PrepareTensor(rule, &**input->mutable_tensor(), input->mutable_given());
  }
  template <typename T>
  void PrepareInput(const InputRule&, InputOf<T>*) {}
  template <typename T>
  void PrepareInput(const InputRule&, OptionalInputOf<T>*) {}
  template <typename T, typename One>
  void PrepareInput(const InputRule& rule, ListOf<T, One>* inputs) {
    for (size_t i = 0; i < inputs->size(); ++i) PrepareInput(rule, &(*inputs)[i]);
    inputs->Finish();
  }
  template <typename T, typename One>
  void PrepareInput(const InputRule& rule, OptionalListOf<T, One>* inputs) {
    if (!inputs->list()) return;
    PrepareInput(rule, &*inputs->list());
    inputs->Finish();
  }

  void PrepareTensor(const InputRule& rule, DenseTensor* tensor, GivenMeta* given) {
    const bool fits = selected_->takes_inputs_as_they_are && !(rule.flags & kTransDtype) &&
                      tensor->place() == place() &&
                      ((rule.flags & (kStrided | kNoBuffer)) || tensor->is_contiguous() || selected_->is_stride_kernel);
    if (__builtin_expect(!fits, 0)) Transform(rule, tensor, given);
  }
  void Transform(const InputRule& rule, DenseTensor* tensor, GivenMeta* given);
  // The rest for other devices, a CPU fallback, and an observed call.
  void PrepareSlow();

  const OpSite& site_;
  std::unique_ptr<Plan> plan_;  // null unless observed
  KeyBuilder key_;
  const KernelResult* selected_ = nullptr;
  const DeviceContext* context_ = nullptr;
  DeviceGuard guard_;
};

}  // namespace phi
