// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_selection.h"

#include <sstream>

#include "common/flags.h"
#include "core/channels_last.h"

// Of a trimmed build: what trimmed it.
#ifndef PHI_TRIM_NOTE
#define PHI_TRIM_NOTE ""
#endif

namespace phi {

namespace {

// Tries keys in turn, and remembers what it tried.
class Search {
 public:
  Search(const KernelSet& set, std::vector<SelectionStep>* steps) : set_(set), steps_(steps) {}

  bool Try(Backend backend, DataLayout layout, DataType dtype, const char* why) {
    const KernelKey key(backend, layout, dtype);
    const Kernel* kernel = set_.Find(key);
    if (steps_) steps_->push_back({key, why, kernel != nullptr});
    if (kernel == nullptr) return false;
    result.kernel = kernel;
    result.key = key;
    return true;
  }

  // The layouts and dtypes of one backend, from special to general.
  bool TryBackend(Backend backend, const KernelKey& key, const char* why) {
    if (key.layout() != DataLayout::ALL_LAYOUT && key.layout() != DataLayout::STRIDED &&
        Try(backend, key.layout(), key.dtype(), why)) {
      return true;
    }
    return Try(backend, DataLayout::ALL_LAYOUT, key.dtype(), why) ||
           Try(backend, DataLayout::ALL_LAYOUT, DataType::ALL_DTYPE, "a kernel for any dtype");
  }

  KernelResult result;

 private:
  const KernelSet& set_;
  std::vector<SelectionStep>* steps_;
};

std::string Candidates(const KernelSet& set) {
  std::ostringstream os;
  // one line per registration: keys that differ in dtype alone and come from one place stand together
  std::map<std::string, std::string> lines;
  for (const auto& [key, kernel] : set.kernels()) {
    std::ostringstream head;
    head << "(" << BackendName(key.backend()) << ", " << DataLayoutName(key.layout()) << ") at " << kernel->file()
         << ":" << kernel->line();
    lines[head.str()] += std::string(" ") + DataTypeName(key.dtype());
  }
  for (const auto& [head, dtypes] : lines) os << "\n  " << head << ":" << dtypes;
  return os.str();
}

// Why kernels may be missing that the sources have; empty for a build of everything.
std::string TrimNote() {
  const std::string note = PHI_TRIM_NOTE;
  return note.empty() ? "" : " " + note + ": rebuild with what is missing listed, or without PHI_OPS.";
}

[[noreturn]] void ThrowNoKernel(const KernelSet& set, const KernelKey& key) {
  const auto kernels = set.kernels();
  if (kernels.empty()) {
    PADDLE_THROW(
        errors::NotFound("the kernel '%s' is not registered by any loaded library; load the library that has it "
                         "(phi_torch.load_library) or rebuild with it.%s",
                         set.name(),
                         TrimNote()));
  }
  bool dtype_elsewhere = false;
  bool cpu_has_it = false;
  for (const auto& [have, kernel] : kernels) {
    if (have.backend() == key.backend()) dtype_elsewhere = true;
    if (have.backend() == Backend::CPU && have.dtype() == key.dtype()) cpu_has_it = true;
  }
  const char* remedy = dtype_elsewhere ? "Cast the inputs to a registered data type, or register a kernel for this key"
                       : cpu_has_it ? "Move the tensors to the CPU, or set the flag cpu_fallback to 'warn' or 'silent'"
                                    : "Register a kernel for this key with PD_REGISTER_KERNEL";
  PADDLE_THROW(errors::Unimplemented(
      "no kernel '%s' for %s. Registered:%s\n%s.%s", set.name(), key, Candidates(set), remedy, TrimNote()));
}

}  // namespace

KernelResult SelectKernelOrThrowError(const KernelSet& set,
                                      const KernelKey& key,
                                      bool use_strided_kernel,
                                      std::vector<SelectionStep>* steps) {
  const Flags& flags = Flags::Instance();
  const Backend backend = key.backend();
  const Backend device = backend == Backend::GPUDNN   ? Backend::GPU
                         : backend == Backend::ONEDNN ? Backend::CPU
                                                      : backend;
  Search search(set, steps);

  constexpr const char* kStrided = "a kernel that takes any strides";
  if (use_strided_kernel && flags.use_stride_kernel &&
      (search.Try(device, DataLayout::STRIDED, key.dtype(), kStrided) ||
       search.Try(Backend::ALL_BACKEND, DataLayout::STRIDED, key.dtype(), kStrided))) {
    search.result.is_stride_kernel = true;
    return search.result;
  }
  if (device == Backend::CPU && (backend == Backend::ONEDNN || flags.use_onednn) &&
      search.TryBackend(Backend::ONEDNN, key, "the flag use_onednn is on")) {
    return search.result;
  }
  if (device == Backend::GPU && (backend == Backend::GPUDNN || flags.use_cudnn) &&
      search.TryBackend(Backend::GPUDNN, key, "the flag use_cudnn is on")) {
    return search.result;
  }
  if (search.TryBackend(device, key, "the key asked for")) return search.result;
  if (device == Backend::GPU && flags.use_kps &&
      search.TryBackend(Backend::KPS, key, "a kernel on kernel primitives")) {
    return search.result;
  }
  if (search.TryBackend(Backend::ALL_BACKEND, key, "a kernel for any backend")) return search.result;
  if (device != Backend::CPU && flags.cpu_fallback != static_cast<int>(FallbackPolicy::kError) &&
      search.TryBackend(Backend::CPU, key, "CPU fallback")) {
    search.result.has_fallback_cpu = true;
    return search.result;
  }
  ThrowNoKernel(set, key);
}

namespace {

bool TakesInputsAsTheyAre(const KernelResult& result) {
  if (result.has_fallback_cpu) return false;
  for (const TensorArgDef& def : result.kernel->args_def().input_defs()) {
    const bool as_is = def.backend == result.key.backend() && !IsComplexType(def.dtype) && !IsImageLayout(def.layout);
    if (!as_is) return false;
  }
  return true;
}

}  // namespace

const KernelResult& KernelSet::SelectSlow(const KernelKey& key, bool use_strided_kernel) const {
  const std::lock_guard<std::mutex> lock(mutex_);  // a library may be registering more
  auto result = std::make_unique<KernelResult>(SelectKernelOrThrowError(*this, key, use_strided_kernel));
  result->takes_inputs_as_they_are = TakesInputsAsTheyAre(*result);
  results_.push_back(std::move(result));
  Slot(key, use_strided_kernel).store(results_.back().get(), std::memory_order_release);
  return *results_.back();
}

}  // namespace phi
