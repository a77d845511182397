// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
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

  void EmplaceBackInput(Meta input) { inputs_.push_back({std::move(input)}); }
  void EmplaceBackInputs(std::vector<Meta> inputs) { inputs_.push_back(std::move(inputs)); }
  void EmplaceBackOutput(Meta output) { outputs_.push_back({std::move(output)}); }
  void EmplaceBackOutputs(std::vector<Meta> outputs) { outputs_.push_back(std::move(outputs)); }
  void EmplaceBackAttr(Attribute attribute) { attributes_.push_back(std::move(attribute)); }

  std::vector<Meta>& InputsAt(size_t i) { return At(inputs_, i, "input"); }
  std::vector<Meta>& OutputsAt(size_t i) { return At(outputs_, i, "output"); }
  const Attribute& AttrAt(size_t i) { return At(attributes_, i, "attribute"); }

 private:
  template <typename V>
  static typename V::value_type& At(V& v, size_t i, const char* what) {
    PADDLE_ENFORCE(i < v.size(),
                   errors::OutOfRange("InferMeta takes %s %d, but the call brings only %d", what, i, v.size()));
    return v[i];
  }

  std::vector<std::vector<Meta>> inputs_;
  std::vector<std::vector<Meta>> outputs_;
  std::vector<Attribute> attributes_;
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
  static MetaTensor<int64_t> Unbox(InferMetaCursor& c) { return c.ctx->InputsAt(c.input++).at(0); }
};
template <>
struct InferMetaArg<MetaTensor<int64_t>*> {
  static MetaTensor<int64_t>* Unbox(InferMetaCursor& c) {
    MetaTensor<int64_t>& output = c.ctx->OutputsAt(c.output++).at(0);
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
    for (auto& meta : c.ctx->OutputsAt(c.output++)) pointers.push_back(&meta);
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

// A kernel's InferMeta function, and which of the kernel's arguments it takes.
struct InferMetaEntry {
  InferMetaFn function;
  bool takes_all = true;
  std::vector<int> inputs = {};
  std::vector<InferMetaAttribute> attributes = {};
};

// kernel name -> InferMeta.
class MetaFnFactory {
 public:
  static MetaFnFactory& Instance();
  bool Contains(const std::string& kernel) const { return entries_.count(kernel) != 0; }
  const InferMetaEntry& Get(const std::string& kernel) const;
  void Insert(const std::string& kernel, InferMetaEntry entry) { entries_.emplace(kernel, std::move(entry)); }

 private:
  std::map<std::string, InferMetaEntry> entries_;
};

}  // namespace phi

// For a function that takes the arguments of the kernel.
#define PD_REGISTER_INFER_META_FN(kernel, fn)                                             \
  [[maybe_unused]] static const bool phi_infer_meta_##kernel = [] {                       \
    ::phi::MetaFnFactory::Instance().Insert(#kernel, {&::phi::InferMetaImpl<&fn>::Call}); \
    return true;                                                                          \
  }()
