// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/place.h"
#include "core/kernel_key.h"
#include "core/tensor_base.h"

namespace phi {

class DeviceContext;
class KernelContext;

// PHI's attribute ABI: every kind of attribute that a kernel may take.
enum class AttributeType : uint8_t {
  BOOL,
  INT64,    // also int and size_t, which travel as int64_t
  FLOAT64,  // also float, which travels as double
  STRING,
  BOOLS,
  INT32S,
  INT64S,
  FLOAT32S,
  FLOAT64S,
  STRINGS,
  SCALAR,
  SCALARS,
  INT_ARRAY,
  DATA_TYPE,
  DATA_LAYOUT,
  PLACE,
};

const char* AttributeTypeName(AttributeType type);

// What a kernel wants of a tensor argument: the target of data transform.
struct TensorArgDef {
  Backend backend = Backend::ALL_BACKEND;
  DataLayout layout = DataLayout::ALL_LAYOUT;
  DataType dtype = DataType::ALL_DTYPE;
  TensorKind kind = TensorKind::kDense;
  bool is_list = false;
  bool is_optional = false;

  TensorArgDef& SetBackend(Backend v) {
    backend = v;
    return *this;
  }
  TensorArgDef& SetDataLayout(DataLayout v) {
    layout = v;
    return *this;
  }
  TensorArgDef& SetDataType(DataType v) {
    dtype = v;
    return *this;
  }
};

class KernelArgsDef {
 public:
  std::vector<TensorArgDef>& input_defs() { return inputs_; }
  const std::vector<TensorArgDef>& input_defs() const { return inputs_; }
  std::vector<TensorArgDef>& output_defs() { return outputs_; }
  const std::vector<TensorArgDef>& output_defs() const { return outputs_; }
  std::vector<AttributeType>& attribute_defs() { return attributes_; }
  const std::vector<AttributeType>& attribute_defs() const { return attributes_; }

  // What a kernel of this key wants, if it does not say otherwise.
  void AddInput(const KernelKey& key, TensorKind kind, bool is_list, bool is_optional);
  void AddOutput(const KernelKey& key, TensorKind kind, bool is_list);
  void AddAttribute(AttributeType type);

 private:
  std::vector<TensorArgDef> inputs_;
  std::vector<TensorArgDef> outputs_;
  std::vector<AttributeType> attributes_;
};

using KernelFn = void (*)(KernelContext* ctx, void* typed_fn);
using KernelFunctor = std::function<void(KernelContext*)>;

// A function for one key, callable in two ways: boxed through a KernelContext, or typed. A functor, such as a function
// of another language, is called boxed only.
class Kernel {
 public:
  Kernel(KernelFunctor functor, std::string file, int line)
      : fn_(nullptr),
        typed_fn_(nullptr),
        typed_signature_(""),
        file_(std::move(file)),
        line_(line),
        functor_(std::move(functor)) {}
  Kernel(KernelFn fn, void* typed_fn, const char* typed_signature, const char* file, int line)
      : fn_(fn), typed_fn_(typed_fn), typed_signature_(typed_signature), file_(file), line_(line) {}

  void operator()(KernelContext* ctx) const { is_functor() ? functor_(ctx) : fn_(ctx, typed_fn_); }
  bool is_functor() const { return fn_ == nullptr; }
  // Sig is the normalised signature: Ret(const DeviceContext&, ...), see function_signature.h.
  template <typename Fn>
  Fn GetVariadicKernelFn() const {
    return reinterpret_cast<Fn>(typed_fn_);
  }
  const char* typed_signature() const { return typed_signature_; }
  const std::string& file() const { return file_; }
  int line() const { return line_; }
  // Among kernels of one key the one of the highest priority is selected.
  int priority() const { return priority_; }
  void set_priority(int priority) { priority_ = priority; }

  const KernelArgsDef& args_def() const { return args_def_; }
  KernelArgsDef* mutable_args_def() { return &args_def_; }
  const TensorArgDef& InputAt(size_t i) const { return args_def_.input_defs().at(i); }
  TensorArgDef& InputAt(size_t i) { return args_def_.input_defs().at(i); }
  TensorArgDef& OutputAt(size_t i) { return args_def_.output_defs().at(i); }

 private:
  KernelFn fn_;
  void* typed_fn_;
  const char* typed_signature_;
  std::string file_;
  int line_;
  int priority_ = 0;
  KernelFunctor functor_;
  KernelArgsDef args_def_;
};

}  // namespace phi
