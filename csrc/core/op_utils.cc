// SPDX-License-Identifier: Apache-2.0
#include "core/op_utils.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "common/enforce.h"
#include "core/kernel_factory.h"

namespace phi {

namespace {

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// `dense X` -> (dense, X), `X` -> ("", X).
std::pair<std::string_view, std::string> Use(std::string_view text) {
  const size_t space = text.find(' ');
  if (space == std::string_view::npos) return {"", std::string(text)};
  return {text.substr(0, space), std::string(text.substr(space + 1))};
}

std::vector<std::string> SlotNames(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view part : Split(text, ',')) names.push_back(Use(part).second);
  return names;
}

using Question = bool (ArgumentMappingContext::*)(const std::string&) const;

Question InputQuestion(std::string_view kind) {
  if (kind == "given") return &ArgumentMappingContext::HasInput;
  if (kind == "dense") return &ArgumentMappingContext::IsDenseTensorInput;
  if (kind == "selected_rows") return &ArgumentMappingContext::IsSelectedRowsInput;
  if (kind == "sparse_coo") return &ArgumentMappingContext::IsSparseCooTensorInput;
  if (kind == "sparse_csr") return &ArgumentMappingContext::IsSparseCsrTensorInput;
  if (kind == "tensor_array") return &ArgumentMappingContext::IsDenseTensorVectorInput;
  if (kind == "dense[]") return &ArgumentMappingContext::IsDenseTensorInputs;
  if (kind == "selected_rows[]") return &ArgumentMappingContext::IsSelectedRowsInputs;
  PADDLE_THROW(errors::InvalidArgument("a signature asks for an input of the unknown kind '%s'", std::string(kind)));
}

Question OutputQuestion(std::string_view kind) {
  if (kind == "given") return &ArgumentMappingContext::HasOutput;
  if (kind == "dense") return &ArgumentMappingContext::IsDenseTensorOutput;
  if (kind == "selected_rows") return &ArgumentMappingContext::IsSelectedRowsOutput;
  if (kind == "sparse_coo") return &ArgumentMappingContext::IsSparseCooTensorOutput;
  PADDLE_THROW(errors::InvalidArgument("a signature asks for an output of the unknown kind '%s'", std::string(kind)));
}

bool Fits(std::string_view slots, const ArgumentMappingContext& ctx, Question (*question)(std::string_view)) {
  for (const std::string_view part : Split(slots, ',')) {
    const auto [kind, name] = Use(part);
    if (!kind.empty() && !(ctx.*question(kind))(name)) return false;
  }
  return true;
}

// The name that counts: the last one is an attribute, or the slot that must be there.
std::string Choose(std::string_view alternatives, const ArgumentMappingContext& ctx) {
  const auto names = Split(alternatives, '|');
  for (size_t i = 0; i + 1 < names.size(); ++i) {
    if (ctx.HasInput(std::string(names[i]))) return std::string(names[i]);
  }
  return std::string(names.back());
}

KernelSignature Resolve(const SignatureRow& row, const ArgumentMappingContext& ctx) {
  std::vector<std::string> attrs;
  for (const std::string_view part : Split(row.attrs, ',')) attrs.push_back(Choose(part, ctx));
  return KernelSignature(row.kernel, SlotNames(row.inputs), std::move(attrs), SlotNames(row.outputs));
}

// Counts through all choices of the alternatives of a row.
void AddResults(const SignatureRow& row, std::vector<KernelSignature>* results) {
  std::vector<std::vector<std::string>> chosen = {{}};
  for (const std::string_view part : Split(row.attrs, ',')) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& attrs : chosen) {
      for (const std::string_view name : Split(part, '|')) {
        longer.push_back(attrs);
        longer.back().emplace_back(name);
      }
    }
    chosen = std::move(longer);
  }
  for (auto& attrs : chosen) {
    KernelSignature signature(row.kernel, SlotNames(row.inputs), std::move(attrs), SlotNames(row.outputs));
    if (std::find(results->begin(), results->end(), signature) == results->end())
      results->push_back(std::move(signature));
  }
}

KernelSignature Ask(const std::string& op_type, ArgumentMappingFn fn, const ArgumentMappingContext& ctx) {
  try {
    return fn(ctx);
  } catch (const std::bad_any_cast&) {
    PADDLE_THROW(errors::InvalidArgument(
        "the operator '%s' has an attribute of another type than the function that maps it expects", op_type));
  }
}

bool AddError(const char* what, const std::string& op_type) {
  KernelFactory::Instance().AddError(enforce::Format("%s of the operator '%s' is registered twice", what, op_type));
  return false;
}

template <typename T>
const T* Find(const std::map<std::string, T>& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace

std::vector<KernelSignature> ResultsOf(const std::vector<SignatureRow>& rows) {
  std::vector<KernelSignature> results;
  for (const SignatureRow& row : rows) AddResults(row, &results);
  return results;
}

OpUtilsMap& OpUtilsMap::Instance() {
  static OpUtilsMap map;
  return map;
}

bool OpUtilsMap::InsertBaseKernelName(const std::string& op_type, const std::string& kernel) {
  const std::lock_guard lock(mutex_);
  return base_kernel_names_.emplace(op_type, kernel).second || AddError("the base kernel name", op_type);
}

bool OpUtilsMap::InsertArgumentMappingFn(const std::string& op_type, ArgumentMappingFn fn) {
  const std::lock_guard lock(mutex_);
  return functions_.emplace(op_type, fn).second || AddError("the mapping function", op_type);
}

bool OpUtilsMap::InsertSignatures(const std::string& op_type, std::initializer_list<SignatureRow> rows) {
  const std::lock_guard lock(mutex_);
  return rows_.emplace(op_type, rows).second || AddError("the list of signatures", op_type);
}

std::string OpUtilsMap::GetBaseKernelName(const std::string& op_type) const {
  {
    const std::lock_guard lock(mutex_);
    if (const std::string* name = Find(base_kernel_names_, op_type)) return *name;
  }
  const OpInfo* info = OpInfoMap::Instance().Find(op_type);
  return info != nullptr && info->kernel != nullptr ? info->kernel : op_type;
}

ArgumentMappingFn OpUtilsMap::GetArgumentMappingFn(const std::string& op_type) const {
  const std::lock_guard lock(mutex_);
  const ArgumentMappingFn* fn = Find(functions_, op_type);
  return fn != nullptr ? *fn : nullptr;
}

KernelSignature OpUtilsMap::GetDefaultSignature(const std::string& op_type) const {
  const OpInfo* info = OpInfoMap::Instance().Find(op_type);
  PADDLE_ENFORCE_NOT_NULL(info, errors::NotFound("no operator of programs has the name '%s'", op_type));
  std::vector<std::string> inputs, attrs, outputs;
  for (const SlotInfo& slot : info->inputs) {
    if (!slot.dispensable && !slot.extra) inputs.emplace_back(slot.name);
  }
  for (const AttributeInfo& attr : info->attrs) {
    if (!attr.extra) attrs.emplace_back(attr.name);
  }
  for (const SlotInfo& slot : info->outputs) {
    if (!slot.extra) outputs.emplace_back(slot.name);
  }
  return KernelSignature(GetBaseKernelName(op_type), std::move(inputs), std::move(attrs), std::move(outputs));
}

// Those that a library registered stand before those of the tree.
std::vector<SignatureRow> OpUtilsMap::RowsOf(const std::string& op_type) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto* rows = Find(rows_, op_type)) return *rows;
  }
  const OpInfo* info = OpInfoMap::Instance().Find(op_type);
  return info == nullptr ? std::vector<SignatureRow>() : std::vector(info->signatures.begin(), info->signatures.end());
}

bool OpUtilsMap::Maps(const std::string& op_type) const {
  return OpInfoMap::Instance().Find(op_type) != nullptr || GetArgumentMappingFn(op_type) != nullptr ||
         !RowsOf(op_type).empty();
}

std::vector<KernelSignature> OpUtilsMap::Signatures(const std::string& op_type) const {
  const std::vector<SignatureRow> rows = RowsOf(op_type);
  if (!rows.empty()) return ResultsOf(rows);
  PADDLE_ENFORCE(GetArgumentMappingFn(op_type) == nullptr,
                 errors::Unimplemented("the function that maps the operator '%s' does not declare what it answers; add "
                                       "PD_REGISTER_SIGNATURES(%s, ...) beside it",
                                       op_type,
                                       op_type));
  const OpInfo* info = OpInfoMap::Instance().Find(op_type);
  if (info != nullptr && info->kernel == nullptr) return {};
  return {GetDefaultSignature(op_type)};
}

KernelSignature OpUtilsMap::Map(const std::string& op_type, const ArgumentMappingContext& ctx) const {
  const std::vector<SignatureRow> rows = RowsOf(op_type);
  if (const ArgumentMappingFn fn = GetArgumentMappingFn(op_type)) {
    KernelSignature signature = Ask(op_type, fn, ctx);
    if (rows.empty() || signature.name == KernelSignature::kUnregistered) return signature;
    const auto declared = ResultsOf(rows);
    PADDLE_ENFORCE(std::find(declared.begin(), declared.end(), signature) != declared.end(),
                   errors::Fatal("the function that maps the operator '%s' answers %s, which is none of its signatures",
                                 op_type,
                                 signature.DebugString()));
    return signature;
  }
  const OpInfo* info = OpInfoMap::Instance().Find(op_type);
  PADDLE_ENFORCE(info == nullptr || !info->by_function,
                 errors::Unimplemented("the function that maps the operator '%s' is missing", op_type));
  for (const SignatureRow& row : rows) {
    if (Fits(row.inputs, ctx, &InputQuestion) && Fits(row.outputs, ctx, &OutputQuestion)) return Resolve(row, ctx);
  }
  if (!rows.empty() || (info != nullptr && info->kernel == nullptr)) {
    return KernelSignature(KernelSignature::kUnregistered, {}, {}, {});
  }
  return GetDefaultSignature(op_type);
}

}  // namespace phi
