// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"

namespace phi {
namespace {

TensorArgDef ArgDefOf(const KernelKey& key, TensorKind kind, bool is_list, bool is_optional) {
  const DataLayout layout = key.layout() == DataLayout::ANY ? DataLayout::NCHW : key.layout();
  return {key.backend(), layout, key.dtype(), kind, is_list, is_optional};
}

}  // namespace

void KernelArgsDef::AddInput(const KernelKey& key, TensorKind kind, bool is_list, bool is_optional) {
  inputs_.push_back(ArgDefOf(key, kind, is_list, is_optional));
}

void KernelArgsDef::AddOutput(const KernelKey& key, TensorKind kind, bool is_list) {
  outputs_.push_back(ArgDefOf(key, kind, is_list, false));
}

void KernelArgsDef::AddAttribute(AttributeType type) { attributes_.push_back(type); }

Kernel TypedKernel::Make(const KernelKey& key, const char* file, int line) const {
  Kernel kernel(call, fn, signature.name, file, line);
  signature.define(key, kernel.mutable_args_def());
  return kernel;
}

bool KernelRegistration::Register(std::span<const std::pair<DataType, TypedKernel>> kernels) const {
  KernelFactory& factory = KernelFactory::Instance();
  const std::string full_name = factory.NameIn(extension, name);
  for (const auto& [dtype, typed] : kernels) {
    const KernelKey key(backend, layout, dtype);
    Kernel kernel = typed.Make(key, file, line);
    adjust(key, &kernel);
    factory.Register(full_name, key, std::move(kernel));
  }
  return true;
}

}  // namespace phi
