// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_factory.h"

#include <cxxabi.h>

#include <cstdlib>
#include <utility>

#include "common/enforce.h"

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
  if (expected_signature_.empty() || expected_signature_ == kernel.typed_signature()) return "";
  return enforce::Format(
      "kernel '%s' %s at %s:%d does not have the signature that %s says: its parameters must have the order and types "
      "of "
      "the YAML entry. Expected %s, got %s",
      name_,
      key,
      kernel.file(),
      kernel.line(),
      yaml_place_,
      Demangle(expected_signature_.c_str()),
      Demangle(kernel.typed_signature()));
}

void KernelSet::ExpectSignature(const char* typed_signature, const char* yaml_place) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!expected_signature_.empty() && expected_signature_ != typed_signature) {
    KernelFactory::Instance().AddError(
        enforce::Format("kernel '%s' is called with two different signatures: %s at %s and %s at %s",
                        name_,
                        Demangle(expected_signature_.c_str()),
                        yaml_place_,
                        Demangle(typed_signature),
                        yaml_place));
    return;
  }
  expected_signature_ = typed_signature;
  yaml_place_ = yaml_place;
  for (auto it = kernels_.begin(); it != kernels_.end();) {
    const std::string error = CheckSignature(it->first, it->second);
    if (!error.empty()) KernelFactory::Instance().AddError(error);
    it = error.empty() ? std::next(it) : kernels_.erase(it);
  }
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

std::vector<std::string> KernelFactory::Names() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, set] : sets_) names.push_back(name);
  return names;
}

void KernelFactory::Register(const std::string& name, const KernelKey& key, Kernel kernel, bool override) {
  KernelSet& set = GetOrCreate(name);
  const std::lock_guard<std::mutex> lock(set.mutex_);
  const std::string error = set.CheckSignature(key, kernel);
  if (!error.empty()) return AddError(error);
  const auto it = set.kernels_.find(key);
  if (it == set.kernels_.end()) {
    set.kernels_.emplace(key, std::move(kernel));
  } else if (override) {
    it->second = std::move(kernel);
  } else {
    return AddError(enforce::Format("kernel '%s' %s is registered twice: at %s:%d and at %s:%d",
                                    name,
                                    key,
                                    it->second.file(),
                                    it->second.line(),
                                    kernel.file(),
                                    kernel.line()));
  }
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
