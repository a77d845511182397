// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_factory.h"

#include <cstring>
#include <sstream>

#include "common/enforce.h"

namespace phi {

const char* AttributeTypeName(AttributeType type) {
  constexpr const char* kNames[] = {"bool",     "int64",    "float64", "string",  "bool[]",    "int32[]",   "int64[]", "float32[]",
                                    "float64[]", "string[]", "Scalar",  "Scalar[]", "IntArray", "DataType", "DataLayout", "Place"};
  return kNames[static_cast<int>(type)];
}

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

void KernelSet::CheckSignature(const KernelKey& key, const Kernel& kernel) const {
  PADDLE_ENFORCE(
      expected_signature_.empty() || expected_signature_ == kernel.typed_signature(),
      errors::InvalidType("kernel '%s' %s at %s:%d does not have the signature that %s says. Parameters must have the "
                          "names, order and types of the YAML entry (expected %s, got %s)",
                          name_, key, kernel.file(), kernel.line(), yaml_place_, expected_signature_, kernel.typed_signature()));
}

void KernelSet::ExpectSignature(const char* typed_signature, const char* yaml_place) {
  const std::lock_guard<std::mutex> lock(mutex_);
  PADDLE_ENFORCE(expected_signature_.empty() || expected_signature_ == typed_signature,
                 errors::InvalidType("kernel '%s' is called with two different signatures, from %s and from %s",
                                     name_, yaml_place_, yaml_place));
  expected_signature_ = typed_signature;
  yaml_place_ = yaml_place;
  for (const auto& [key, kernel] : kernels_) CheckSignature(key, kernel);
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
  set.CheckSignature(key, kernel);
  const auto it = set.kernels_.find(key);
  if (it == set.kernels_.end()) {
    set.kernels_.emplace(key, std::move(kernel));
  } else {
    PADDLE_ENFORCE(override,
                   errors::AlreadyExists("kernel '%s' %s is registered twice: at %s:%d and at %s:%d", name, key,
                                         it->second.file(), it->second.line(), kernel.file(), kernel.line()));
    it->second = std::move(kernel);
  }
  set.ClearSelections();
}

void KernelFactory::ClearSelections() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [name, set] : sets_) set->ClearSelections();
}

}  // namespace phi
