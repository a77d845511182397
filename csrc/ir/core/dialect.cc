// SPDX-License-Identifier: Apache-2.0
#include "ir/core/dialect.h"

#include <algorithm>

#include "common/enforce.h"

namespace phi::ir {

namespace {

std::string_view DialectOf(std::string_view op) { return op.substr(0, op.find('.')); }

}  // namespace

void Dialect::CheckName(std::string_view name) const {
  PADDLE_ENFORCE(
      DialectOf(name) == name_ && name.size() > name_.size() + 1,
      errors::InvalidArgument("'%s' is no name in the dialect '%s': expected '%s.name'", name, name_, name_));
}

void Dialect::AddOps(std::span<const OpRow> rows) {
  for (const OpRow& row : rows) {
    CheckName(row.name);
    const std::lock_guard<std::mutex> lock(mutex_);
    std::unique_ptr<OpInfoImpl>& op = ops_[row.name];
    if (op) replaced_.push_back(std::move(op));
    op = std::make_unique<OpInfoImpl>(row, this);
    for (const auto& [id, table] : interfaces_[row.name]) op->AddInterface(id, table);
  }
}

void Dialect::AddInterface(std::string_view op, TypeId id, const void* concept_table) {
  CheckName(op);
  const std::lock_guard<std::mutex> lock(mutex_);
  interfaces_[std::string(op)][id] = concept_table;
  if (const auto found = ops_.find(op); found != ops_.end()) found->second->AddInterface(id, concept_table);
}

OpInfo Dialect::Find(std::string_view op) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = ops_.find(op);
  return found == ops_.end() ? OpInfo() : OpInfo(found->second.get());
}

std::vector<std::string> Dialect::OpNames() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, op] : ops_) names.push_back(name);
  return names;
}

OpInfoImpl* Dialect::MutableOp(std::string_view op) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = ops_.find(op);
  PADDLE_ENFORCE(found != ops_.end(), errors::NotFound("the dialect '%s' has no operator '%s'", name_, op));
  return found->second.get();
}

DialectRegistry& DialectRegistry::Instance() {
  static auto& registry = *new DialectRegistry();  // operators outlive every static object
  return registry;
}

Dialect& DialectRegistry::GetOrCreate(std::string_view name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = dialects_.find(name);
  if (found != dialects_.end()) return *found->second;
  PADDLE_ENFORCE(!name.empty() && name.find('.') == std::string_view::npos,
                 errors::InvalidArgument("'%s' is no name for a dialect: expected one word without a dot", name));
  return *dialects_.emplace(name, std::make_unique<Dialect>(std::string(name))).first->second;
}

const Dialect* DialectRegistry::Find(std::string_view name) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = dialects_.find(name);
  return found == dialects_.end() ? nullptr : found->second.get();
}

OpInfo DialectRegistry::FindOp(std::string_view op) const {
  const Dialect* dialect = Find(DialectOf(op));
  return dialect ? dialect->Find(op) : OpInfo();
}

std::vector<const Dialect*> DialectRegistry::All() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<const Dialect*> all;
  for (const auto& [name, dialect] : dialects_) all.push_back(dialect.get());
  return all;
}

std::vector<std::string> DialectRegistry::OpNames() const {
  std::vector<std::string> names;
  for (const Dialect* dialect : All()) {
    const std::vector<std::string> own = dialect->OpNames();
    names.insert(names.end(), own.begin(), own.end());
  }
  std::sort(names.begin(), names.end());
  return names;
}

const TextForm<Type>* DialectRegistry::FindType(TypeId id) const {
  for (const Dialect* dialect : All()) {
    if (const auto* form = dialect->FindType(id)) return form;
  }
  return nullptr;
}

const TextForm<Attribute>* DialectRegistry::FindAttribute(TypeId id) const {
  for (const Dialect* dialect : All()) {
    if (const auto* form = dialect->FindAttribute(id)) return form;
  }
  return nullptr;
}

bool RegisterOps(const char* dialect, std::span<const OpRow> rows) {
  DialectRegistry::Instance().GetOrCreate(dialect).AddOps(rows);
  return true;
}

}  // namespace phi::ir
