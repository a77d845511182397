// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_factory.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "common/enforce.h"
#include "core/yaml_places.h"

namespace phi {

const char* AttributeTypeName(AttributeType type) {
  constexpr const char* kNames[] = {"bool",
                                    "int64",
                                    "float64",
                                    "string",
                                    "bool[]",
                                    "int32[]",
                                    "int64[]",
                                    "float32[]",
                                    "float64[]",
                                    "string[]",
                                    "Scalar",
                                    "Scalar[]",
                                    "IntArray",
                                    "DataType",
                                    "DataLayout",
                                    "Place"};
  return kNames[static_cast<int>(type)];
}

namespace {

// A type's name as a person writes it.
std::string Demangle(const char* name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 ? text : name;
  std::free(text);
  return result;
}

}  // namespace

KernelSet::~KernelSet() {
  for (auto& plane : planes_) delete plane.load();
}

KernelSet::Plane* KernelSet::MakePlane(std::atomic<Plane*>& plane) const {
  auto made = std::make_unique<Plane>();
  for (auto& slot : *made) slot.store(nullptr, std::memory_order_relaxed);
  Plane* expected = nullptr;
  return plane.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel) ? made.release() : expected;
}

void KernelSet::ClearSelections() const {
  for (auto& plane : planes_) {
    if (Plane* p = plane.load()) {
      for (auto& slot : *p) slot.store(nullptr, std::memory_order_release);
    }
  }
}

std::string KernelSet::CheckSignature(const KernelKey& key, const Kernel& kernel) const {
  if (expected_.name == nullptr || kernel.is_functor() ||
      expected_.name == std::string_view(kernel.typed_signature())) {
    return "";
  }
  return enforce::Format(
      "kernel '%s' %s at %s:%d does not have the signature that %s says: its parameters must have the order and types "
      "of "
      "the YAML entry. Expected %s, got %s",
      name_,
      key,
      kernel.file(),
      kernel.line(),
      YamlPlace(caller_),
      Demangle(expected_.name),
      Demangle(kernel.typed_signature()));
}

std::vector<std::pair<KernelKey, const Kernel*>> KernelSet::kernels() const {
  const std::shared_lock<std::shared_mutex> lock(kernels_mutex_);
  std::vector<std::pair<KernelKey, const Kernel*>> found;
  for (const auto& [key, kernels] : kernels_) found.emplace_back(key, kernels.front());
  return found;
}

const Kernel* KernelSet::Find(const KernelKey& key) const {
  const std::shared_lock<std::shared_mutex> lock(kernels_mutex_);
  const auto it = kernels_.find(key);
  return it == kernels_.end() ? nullptr : it->second.front();
}

void KernelSet::ExpectSignature(const FunctionSignature& signature, const char* op) {
  const std::unique_lock<std::shared_mutex> lock(kernels_mutex_);
  if (expected_.name != nullptr && expected_.name != std::string_view(signature.name)) {
    KernelFactory::Instance().AddError(
        enforce::Format("kernel '%s' is called with two different signatures: %s at %s and %s at %s",
                        name_,
                        Demangle(expected_.name),
                        YamlPlace(caller_),
                        Demangle(signature.name),
                        YamlPlace(op)));
    return;
  }
  expected_ = signature;
  caller_ = op;
  for (auto it = kernels_.begin(); it != kernels_.end();) {
    std::erase_if(it->second, [&, &key = it->first](const Kernel* kernel) {
      const std::string error = CheckSignature(key, *kernel);
      if (!error.empty()) KernelFactory::Instance().AddError(error);
      return !error.empty();
    });
    it = it->second.empty() ? kernels_.erase(it) : std::next(it);
  }
}

Kernel KernelSet::MakeKernel(const KernelKey& key, KernelFunctor functor, std::string file, int line) const {
  const std::shared_lock<std::shared_mutex> lock(kernels_mutex_);
  PADDLE_ENFORCE_NOT_NULL(expected_.define, errors::NotFound("no loaded operator calls a kernel '%s'", name_));
  Kernel kernel(std::move(functor), std::move(file), line);
  expected_.define(key, kernel.mutable_args_def());
  return kernel;
}

const Kernel* KernelSet::Insert(const KernelKey& key, Kernel kernel, bool override, std::string* error) {
  const std::unique_lock<std::shared_mutex> lock(kernels_mutex_);
  *error = CheckSignature(key, kernel);
  if (!error->empty()) return nullptr;
  std::vector<const Kernel*>& kernels = kernels_[key];
  const auto place = std::find_if(
      kernels.begin(), kernels.end(), [&](const Kernel* other) { return other->priority() <= kernel.priority(); });
  if (place != kernels.end() && (*place)->priority() == kernel.priority() && !override) {
    *error = enforce::Format("kernel '%s' %s is registered twice: at %s:%d and at %s:%d",
                             name_,
                             key,
                             (*place)->file(),
                             (*place)->line(),
                             kernel.file(),
                             kernel.line());
    return nullptr;
  }
  owned_.push_back(std::make_unique<const Kernel>(std::move(kernel)));
  return *kernels.insert(place, owned_.back().get());
}

KernelFactory& KernelFactory::Instance() {
  static KernelFactory& factory = *new KernelFactory;  // never destroyed: kernels may run while the process ends
  return factory;
}

KernelSet& KernelFactory::GetOrCreate(const std::string& name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& set = sets_[name];
  if (!set) set = std::make_unique<KernelSet>(name);
  return *set;
}

const KernelSet* KernelFactory::Find(const std::string& name) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto it = sets_.find(name);
  return it == sets_.end() ? nullptr : it->second.get();
}

void* KernelFactory::FindTyped(const std::string& name, const KernelKey& key, const char* typed_signature) const {
  const KernelSet* set = Find(name);
  const Kernel* kernel = set != nullptr ? set->Find(key) : nullptr;
  const bool fits = kernel != nullptr && std::strcmp(kernel->typed_signature(), typed_signature) == 0;
  return fits ? kernel->GetVariadicKernelFn<void*>() : nullptr;
}

std::vector<std::string> KernelFactory::Names() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, set] : sets_) names.push_back(name);
  return names;
}

const Kernel* KernelFactory::Register(const std::string& name, const KernelKey& key, Kernel kernel, bool override) {
  KernelSet& set = GetOrCreate(name);
  std::string error;
  const Kernel* registered = set.Insert(key, std::move(kernel), override, &error);
  if (registered == nullptr) {
    AddError(error);
    return nullptr;
  }
  const std::lock_guard<std::mutex> lock(set.mutex_);
  set.ClearSelections();
  return registered;
}

std::string KernelFactory::NameIn(const std::string& extension, const std::string& name) const {
  const std::string own = extension + "::" + name;
  return !extension.empty() && Find(own) != nullptr ? own : name;
}

void KernelFactory::Remove(const std::string& name, const KernelKey& key, const Kernel* kernel) {
  KernelSet& set = GetOrCreate(name);
  {
    const std::unique_lock<std::shared_mutex> lock(set.kernels_mutex_);
    const auto it = set.kernels_.find(key);
    if (it == set.kernels_.end()) return;
    std::erase(it->second, kernel);
    if (it->second.empty()) set.kernels_.erase(it);
  }
  const std::lock_guard<std::mutex> lock(set.mutex_);
  set.ClearSelections();
}

void KernelFactory::AddError(const std::string& error) {
  const std::lock_guard<std::mutex> lock(mutex_);
  errors_.push_back(error);
}

std::vector<std::string> KernelFactory::TakeErrors() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(errors_, {});
}

void KernelFactory::ClearSelections() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [name, set] : sets_) set->ClearSelections();
}

}  // namespace phi
