// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/core/attribute.h"
#include "ir/core/op_info.h"
#include "ir/core/type.h"

namespace phi::ir {

// How the types or attributes of a class are written, `dialect.name<text>`, and read.
template <typename Handle>
struct TextForm {
  std::string name;  // with its dialect
  std::function<std::string(Handle)> print;
  std::function<Handle(IrContext*, const std::string& text)> parse;  // InvalidArgument for a text that is none
};

// A set of operators, types and attributes of one name. A dialect is the process's, and is only added to.
class Dialect {
 public:
  explicit Dialect(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }

  // One that is added again takes the place of the first, since a library may be compiled and loaded anew; programs
  // that there are keep the first. InvalidArgument for an operator of another dialect's name.
  void AddOps(std::span<const OpRow> rows);
  OpInfo Find(std::string_view op) const;  // by its whole name; null without one
  std::vector<std::string> OpNames() const;

  template <typename T>
  void AddType(TextForm<Type> form) {
    AddForm(TypeId::Get<T>(), std::move(form), &types_);
  }
  template <typename T>
  void AddAttribute(TextForm<Attribute> form) {
    AddForm(TypeId::Get<T>(), std::move(form), &attributes_);
  }
  // Before or after the operator itself is added; the last one holds.
  template <typename Interface>
  void AddInterface(std::string_view op, const typename Interface::Concept* table) {
    AddInterface(op, TypeId::Get<Interface>(), table);
  }
  template <typename T>
  void AddTrait(std::string_view op) {
    MutableOp(op)->AddTrait(TypeId::Get<T>());
  }

  const TextForm<Type>* FindType(TypeId id) const { return FindForm(types_, id); }
  const TextForm<Type>* FindType(std::string_view name) const { return FindForm(types_, name); }
  const TextForm<Attribute>* FindAttribute(TypeId id) const { return FindForm(attributes_, id); }
  const TextForm<Attribute>* FindAttribute(std::string_view name) const { return FindForm(attributes_, name); }

 private:
  template <typename Handle>
  using Forms = std::map<TypeId, TextForm<Handle>>;

  template <typename Handle>
  void AddForm(TypeId id, TextForm<Handle> form, Forms<Handle>* forms) {
    CheckName(form.name);
    const std::lock_guard<std::mutex> lock(mutex_);
    forms->emplace(id, std::move(form));
  }
  template <typename Handle>
  const TextForm<Handle>* FindForm(const Forms<Handle>& forms, TypeId id) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = forms.find(id);
    return found == forms.end() ? nullptr : &found->second;
  }
  template <typename Handle>
  const TextForm<Handle>* FindForm(const Forms<Handle>& forms, std::string_view name) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [id, form] : forms) {
      if (form.name == name) return &form;
    }
    return nullptr;
  }
  void AddInterface(std::string_view op, TypeId id, const void* concept_table);
  void CheckName(std::string_view name) const;
  OpInfoImpl* MutableOp(std::string_view op);

  const std::string name_;
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<OpInfoImpl>, std::less<>> ops_;
  std::vector<std::unique_ptr<OpInfoImpl>> replaced_;
  std::map<std::string, std::map<TypeId, const void*>, std::less<>> interfaces_;  // by operator
  Forms<Type> types_;
  Forms<Attribute> attributes_;
};

// All dialects of the process.
class DialectRegistry {
 public:
  static DialectRegistry& Instance();
  Dialect& GetOrCreate(std::string_view name);
  const Dialect* Find(std::string_view name) const;  // null without one
  OpInfo FindOp(std::string_view op) const;          // null without one
  std::vector<std::string> OpNames() const;          // sorted
  const TextForm<Type>* FindType(TypeId id) const;
  const TextForm<Attribute>* FindAttribute(TypeId id) const;

 private:
  std::vector<const Dialect*> All() const;
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Dialect>, std::less<>> dialects_;
};

// For the initializer of a static object.
bool RegisterOps(const char* dialect, std::span<const OpRow> rows);

}  // namespace phi::ir
