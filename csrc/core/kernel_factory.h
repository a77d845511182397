// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/kernel.h"

namespace phi {

// The outcome of a selection.
struct KernelResult {
  const Kernel* kernel = nullptr;
  KernelKey key;                  // of the chosen kernel
  bool has_fallback_cpu = false;  // the data must go to the CPU and back
  bool is_stride_kernel = false;  // takes inputs with any strides
  // the argument definitions ask for nothing but tensors of the key's backend; a call need not look at them
  bool takes_inputs_as_they_are = false;
};

// All kernels of one name, and what selection found for each key that was asked for.
class KernelSet {
 public:
  explicit KernelSet(std::string name) : name_(std::move(name)) {}
  ~KernelSet();

  const std::string& name() const { return name_; }
  const std::map<KernelKey, Kernel>& kernels() const { return kernels_; }
  const Kernel* Find(const KernelKey& key) const {
    const auto it = kernels_.find(key);
    return it == kernels_.end() ? nullptr : &it->second;
  }

  // The kernel for a key, by PHI's order of fallbacks; NotFound/Unimplemented errors list what there is.
  const KernelResult& Select(const KernelKey& key, bool use_strided_kernel = true) const {
    const KernelResult* found = Slot(key, use_strided_kernel).load(std::memory_order_acquire);
    return __builtin_expect(found != nullptr, 1) ? *found : SelectSlow(key, use_strided_kernel);
  }

  // The typed signature that the generated API calls; every kernel must have it.
  void ExpectSignature(const char* typed_signature, const char* yaml_place);

 private:
  friend class KernelFactory;
  static constexpr int kLayouts = static_cast<int>(DataLayout::NUM_DATA_LAYOUTS);
  static constexpr int kDtypes = static_cast<int>(DataType::NUM_DATA_TYPES);
  static constexpr int kBackends = static_cast<int>(Backend::NUM_BACKENDS);
  using Plane = std::array<std::atomic<const KernelResult*>, 2 * kLayouts * kDtypes>;

  std::atomic<const KernelResult*>& Slot(const KernelKey& key, bool strided) const {
    std::atomic<Plane*>& plane = planes_[static_cast<int>(key.backend())];
    Plane* p = plane.load(std::memory_order_acquire);
    if (__builtin_expect(p == nullptr, 0)) p = MakePlane(plane);
    return (*p)[(strided * kLayouts + static_cast<int>(key.layout())) * kDtypes + static_cast<int>(key.dtype())];
  }
  Plane* MakePlane(std::atomic<Plane*>& plane) const;
  const KernelResult& SelectSlow(const KernelKey& key, bool use_strided_kernel) const;
  // The error of a kernel that does not have the expected signature; empty if it has.
  std::string CheckSignature(const KernelKey& key, const Kernel& kernel) const;
  // Forget what was selected: a library registered more, or a flag changed.
  void ClearSelections() const;

  std::string name_;
  std::map<KernelKey, Kernel> kernels_;
  std::string expected_signature_;
  std::string yaml_place_;
  mutable std::atomic<Plane*> planes_[kBackends] = {};
  mutable std::mutex mutex_;
  // results are never freed before the set: another thread may still read one
  mutable std::vector<std::unique_ptr<KernelResult>> results_;
};

// name -> key -> Kernel.
class KernelFactory {
 public:
  static KernelFactory& Instance();

  // The set of this name, made empty when there is none yet; the reference stays valid.
  KernelSet& GetOrCreate(const std::string& name);
  const KernelSet* Find(const std::string& name) const;
  std::vector<std::string> Names() const;
  // An error, naming both places, if the key is taken and `override` is false, or if the signature differs from the
  // YAML's. Registrations run while a library is loaded, where an exception would end the process: the kernel is
  // refused, and the error waits for TakeErrors.
  void Register(const std::string& name, const KernelKey& key, Kernel kernel, bool override = false);
  // All errors of registrations since the last call.
  std::vector<std::string> TakeErrors();
  void AddError(const std::string& error);
  void ClearSelections() const;

 private:
  KernelFactory() = default;
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<KernelSet>> sets_;
  std::vector<std::string> errors_;
};

}  // namespace phi
