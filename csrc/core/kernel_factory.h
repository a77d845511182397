// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/function_signature.h"

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
  // The kernel of each key, as of now; a kernel is never freed.
  std::vector<std::pair<KernelKey, const Kernel*>> kernels() const;
  const Kernel* Find(const KernelKey& key) const;

  // The kernel for a key, by PHI's order of fallbacks; NotFound/Unimplemented errors list what there is.
  const KernelResult& Select(const KernelKey& key, bool use_strided_kernel = true) const {
    const KernelResult* found = Slot(key, use_strided_kernel).load(std::memory_order_acquire);
    return __builtin_expect(found != nullptr, 1) ? *found : SelectSlow(key, use_strided_kernel);
  }

  // The signature that the generated API calls; every kernel must have it.
  void ExpectSignature(const FunctionSignature& signature, const char* op);
  // A kernel for this key from a functor, which takes the arguments of that signature.
  // Raises NotFound when no operator calls a kernel of this name.
  Kernel MakeKernel(const KernelKey& key, KernelFunctor functor, std::string file, int line) const;

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
  // The kernel, null with an error when it is refused.
  const Kernel* Insert(const KernelKey& key, Kernel kernel, bool override, std::string* error);
  // The error of a kernel that does not have the expected signature; empty if it has.
  std::string CheckSignature(const KernelKey& key, const Kernel& kernel) const;
  // Forget what was selected: a library registered more, or a flag changed.
  void ClearSelections() const;

  std::string name_;
  mutable std::shared_mutex kernels_mutex_;
  std::map<KernelKey, std::vector<const Kernel*>> kernels_;  // of each key the one to select first
  std::vector<std::unique_ptr<const Kernel>> owned_;         // never freed before the set: a thread may be in one
  FunctionSignature expected_ = {};
  std::string caller_;  // the op whose signature it is
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
  // The function of the kernel for exactly this key, to be called with this typed signature; null if there is none.
  void* FindTyped(const std::string& name, const KernelKey& key, const char* typed_signature) const;
  // An error, naming both places, if the key is taken by a kernel of the same priority and `override` is false, or if
  // the signature differs from the YAML's. Registrations run while a library is loaded, where an exception would end
  // the process: the kernel is refused, and the error waits for TakeErrors. Returns the registered kernel, null if it
  // is refused.
  const Kernel* Register(const std::string& name, const KernelKey& key, Kernel kernel, bool override = false);
  // The name of a kernel that a library of the extension `extension` registers: its own ops' kernels have the
  // extension's name before theirs, others are kernels for the ops of someone else.
  std::string NameIn(const std::string& extension, const std::string& name) const;
  // Takes a registration back; the kernel that it stood before is selected again.
  void Remove(const std::string& name, const KernelKey& key, const Kernel* kernel);
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
