// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/plan.h"
#include "core/kernel_context.h"

// Calls by the name of a kernel, with arguments by position: for programs, an IR, and other languages.
//   KernelContext call(nullptr);
//   call.EmplaceBackInput(&x);
//   call.EmplaceBackAttr(int64_t{-1});
//   call.EmplaceBackOutput(&out);
//   const Plan plan = MakePlan("softmax", call);  // may be kept for other tensors of the same dtypes and places
//   InferMeta(plan, &call);                       // shapes and dtypes of the outputs, and the checks of the arguments
//   Run(plan, &call);
// `call` holds the arguments of the kernel, in its order. A kernel needs no operator of torch for this.
namespace phi {

class InferMetaContext;
struct InferMetaEntry;

// What a call asks for where its inputs do not say.
struct CallPreference {
  Place place = CPUPlace();              // of a call without tensors
  DataType dtype = DataType::UNDEFINED;  // of the key, in the place of the inputs'
};

// The key that the inputs of `call` ask for. `sources`, if given, receives where each part came from.
KernelKey MakeKey(const std::string& kernel_name,
                  const KernelContext& call,
                  const CallPreference& preference = {},
                  std::vector<std::string>* sources = nullptr);

// NotFound or Unimplemented, with what there is, when no kernel fits; InvalidArgument for tensors on several devices.
Plan MakePlan(const std::string& kernel_name, const KernelContext& call, const CallPreference& preference = {});
// The same, by a key that the caller knows; a call without tensors runs on `place`.
Plan MakePlan(const std::string& kernel_name, const KernelKey& key, const KernelContext& call, const Place& place);

// Runs the InferMeta function of the plan's kernel on the tensors of `call`: the outputs get shape, strides and dtype.
void InferMeta(const Plan& plan, KernelContext* call);
// The same, for a caller that keeps the entry of MetaFnFactory, and `context` from one call to the next.
void InferMeta(const InferMetaEntry& entry, const Plan& plan, KernelContext* call, InferMetaContext* context);

// Transforms what does not fit the kernel, and runs it. The outputs have gone through InferMeta; their memory is made
// where the plan says that results belong. `own` is the context that `call` was made with: a kernel that everything
// fits gets the call itself if this is the context of the plan's place; else the context of `call` is not used.
void Run(const Plan& plan, KernelContext* call, const DeviceContext* own = nullptr);

// What the tensors of `call` need before the kernel takes them, by their number among all tensors of the inputs; none
// where the kernel takes the call itself. A kernel of images with the channels last takes them marked as such.
// Unimplemented where they need more than copies of them.
struct InputTransform {
  int input;
  DataTransform what;
};
std::vector<InputTransform> TransformsOf(const Plan& plan, const KernelContext& call);

}  // namespace phi
