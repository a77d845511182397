// SPDX-License-Identifier: Apache-2.0
#include "core/bound_call.h"

#include <mutex>
#include <string_view>
#include <unordered_map>

namespace phi {

namespace {

struct Binders {
  std::mutex mutex;
  std::unordered_map<std::string_view, BoundCall (*)(KernelContext*, void*)> of_signatures;
};

Binders& AllBinders() {
  static Binders& binders = *new Binders;  // never destroyed, as the kernels are not
  return binders;
}

struct Boxed {
  const Kernel* kernel;
  KernelContext* call;
};

}  // namespace

bool RegisterBinders(std::initializer_list<BinderRow> rows) {
  const std::lock_guard<std::mutex> lock(AllBinders().mutex);
  for (const BinderRow& row : rows) AllBinders().of_signatures.emplace(row.signature, row.bind);
  return true;
}

BoundCall Bind(const Kernel& kernel, KernelContext* call) {
  if (!kernel.is_functor()) {
    const std::lock_guard<std::mutex> lock(AllBinders().mutex);
    const auto found = AllBinders().of_signatures.find(kernel.typed_signature());
    if (found != AllBinders().of_signatures.end()) return found->second(call, kernel.GetVariadicKernelFn<void*>());
  }
  const auto run = [](void* bound) {
    auto& boxed = *static_cast<Boxed*>(bound);
    (*boxed.kernel)(boxed.call);
  };
  return {run, std::make_shared<Boxed>(Boxed{&kernel, call})};
}

}  // namespace phi
