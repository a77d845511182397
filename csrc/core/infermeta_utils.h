// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <forward_list>
#include <map>
#include <shared_mutex>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/attribute.h"
#include "core/meta_tensor.h"

// InferMeta functions by kernel name, for callers that have arguments by position (programs) and not by type.
namespace phi {

// The arguments of a boxed InferMeta call. A null input is an absent optional one, a null output one not wanted.
class InferMetaContext {
 public:
  using Meta = MetaTensor<int64_t>;

  // Without arguments, for another call; their places stay allocated.
  void Clear() {
    inputs_.Clear();
    outputs_.Clear();
    attributes_.clear();
  }
  // How many tensors and attributes there will be at most, so that they are put together without moving.
  void Reserve(size_t tensors, size_t attributes) {
    inputs_.Reserve(tensors);
    outputs_.Reserve(tensors);
    attributes_.reserve(attributes);
  }
  // An argument without tensors; AddInput and AddOutput add to the last one.
  void BeginInput() { inputs_.Begin(); }
  void AddInput(const Meta& input) { inputs_.metas.push_back(input); }
  void BeginOutput() { outputs_.Begin(); }
  void AddOutput(const Meta& output) { outputs_.metas.push_back(output); }
  // The attribute is not copied.
  void EmplaceBackAttr(const Attribute* attribute) { attributes_.push_back(attribute); }

  std::span<Meta> InputsAt(size_t i) { return inputs_.At(i, "input"); }
  std::span<Meta> OutputsAt(size_t i) { return outputs_.At(i, "output"); }
  const Attribute& AttrAt(size_t i) {
    PADDLE_ENFORCE(i < attributes_.size(), TooFew("attribute", i, attributes_.size()));
    return *attributes_[i];
  }

 private:
  static ErrorSummary TooFew(const char* what, size_t i, size_t size) {
    return errors::OutOfRange("InferMeta takes %s %d, but the call brings only %d", what, i, size);
  }

  struct Arguments {
    std::vector<Meta> metas;
    std::vector<size_t> begins;

    void Clear() {
      metas.clear();
      begins.clear();
    }
    void Reserve(size_t size) {
      metas.reserve(size);
      begins.reserve(size);
    }
    void Begin() { begins.push_back(metas.size()); }
    std::span<Meta> At(size_t i, const char* what) {
      PADDLE_ENFORCE(i < begins.size(), TooFew(what, i, begins.size()));
      const size_t end = i + 1 < begins.size() ? begins[i + 1] : metas.size();
      return {metas.data() + begins[i], end - begins[i]};
    }
  };

  Arguments inputs_;
  Arguments outputs_;
  std::vector<const Attribute*> attributes_;
};

struct InferMetaCursor {
  InferMetaContext* ctx;
  size_t input = 0;
  size_t output = 0;
  size_t attr = 0;
};

// How a boxed call finds the argument of each parameter type.
template <typename P>
struct InferMetaArg {
  using Value = std::decay_t<P>;
  static Value Unbox(InferMetaCursor& c) {
    const Value* value = std::get_if<Value>(&c.ctx->AttrAt(c.attr));
    PADDLE_ENFORCE_NOT_NULL(value, errors::InvalidType("attribute %d has another type than InferMeta takes", c.attr));
    ++c.attr;
    return *value;
  }
};
template <>
struct InferMetaArg<const MetaTensor<int64_t>&> {
  static MetaTensor<int64_t> Unbox(InferMetaCursor& c) { return c.ctx->InputsAt(c.input++).front(); }
};
template <>
struct InferMetaArg<MetaTensor<int64_t>*> {
  static MetaTensor<int64_t>* Unbox(InferMetaCursor& c) {
    MetaTensor<int64_t>& output = c.ctx->OutputsAt(c.output++).front();
    return output ? &output : nullptr;
  }
};
template <>
struct InferMetaArg<const std::vector<const MetaTensor<int64_t>*>&> {
  static std::vector<const MetaTensor<int64_t>*> Unbox(InferMetaCursor& c) {
    std::vector<const MetaTensor<int64_t>*> pointers;
    for (const auto& meta : c.ctx->InputsAt(c.input++)) pointers.push_back(&meta);
    return pointers;
  }
};
template <>
struct InferMetaArg<std::vector<MetaTensor<int64_t>*>> {
  static std::vector<MetaTensor<int64_t>*> Unbox(InferMetaCursor& c) {
    std::vector<MetaTensor<int64_t>*> pointers;
    for (auto& meta : c.ctx->OutputsAt(c.output++)) pointers.push_back(meta ? &meta : nullptr);
    return pointers;
  }
};

using InferMetaFn = void (*)(InferMetaContext*);

template <auto fn>
struct InferMetaImpl;
template <typename... Params, void (*fn)(Params...)>
struct InferMetaImpl<fn> {
  static void Call(InferMetaContext* ctx) {
    InferMetaCursor cursor{ctx};
    auto args = std::tuple<decltype(InferMetaArg<Params>::Unbox(cursor))...>{InferMetaArg<Params>::Unbox(cursor)...};
    std::apply([](auto&... a) { fn(a...); }, args);
  }
};

// An attribute of an InferMeta function: the kernel's at `position`, or for one that the kernel lacks a value.
struct InferMetaAttribute {
  int position;
  Attribute otherwise = DataType::UNDEFINED;  // which is that of the kernel's key
};

// An output of the kernel that may have the memory of an input, and is there if that is.
struct InplacePair {
  int output;
  int input;
};

// A kernel's InferMeta function, which of the kernel's arguments it takes, and what the kernel may write over.
struct InferMetaEntry {
  InferMetaFn function;
  bool takes_all = true;
  std::vector<int> inputs = {};
  std::vector<InferMetaAttribute> attributes = {};
  std::vector<InplacePair> inplace = {};
};

// kernel name -> InferMeta.
class MetaFnFactory {
 public:
  static MetaFnFactory& Instance();
  bool Contains(const std::string& kernel) const;
  const InferMetaEntry& Get(const std::string& kernel) const;  // never freed
  // Stands before what was inserted for the kernel earlier: a library may be loaded again, made anew.
  void Insert(const std::string& kernel, InferMetaEntry entry);

 private:
  mutable std::shared_mutex mutex_;  // extensions are loaded while others run
  std::map<std::string, std::forward_list<InferMetaEntry>> entries_;
};

}  // namespace phi

// For a function that takes the arguments of the kernel.
#define PD_REGISTER_INFER_META_FN(kernel, fn)                                             \
  [[maybe_unused]] static const bool phi_infer_meta_##kernel = [] {                       \
    ::phi::MetaFnFactory::Instance().Insert(#kernel, {&::phi::InferMetaImpl<&fn>::Call}); \
    return true;                                                                          \
  }()
