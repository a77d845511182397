// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/slot_values.h"

#include "ir/core/builder.h"
#include "ir/core/builtin_attribute.h"

namespace phi::ir {

Type SlotValues::TypeOf(int slot) const {
  if (slot < 0) return Type();
  const DenseTensorMeta& meta = schedule_.metas[slot];
  const bool is_known = static_cast<size_t>(slot) < lowered_.slots.size();
  if (meta.dtype == DataType::UNDEFINED) return Type();
  TensorTypeKey key{TensorKind::Dense, meta.dtype, {}, meta.layout, !is_known || !lowered_.slots[slot].is_written};
  if (is_known && lowered_.slots[slot].is_array) key.kind = TensorKind::DenseArray;
  for (const int64_t dim : meta.dims) key.dims.push_back(dim < 0 ? Dim() : Dim(dim));
  return TensorType::get(context(), std::move(key));
}

void SlotValues::Define(int slot, Value value) {
  if (slot < 0) return;
  values_[slot] = value;
  latest_[HomeOf(slot).root] = value;
}

Value SlotValues::At(int slot) {
  if (slot < 0) return Value();
  if (const auto found = values_.find(slot); found != values_.end()) return found->second;
  const Home& home = HomeOf(slot);
  if (home.kind == Home::Kind::Constant) return AddConstant(slot);
  const auto root = latest_.find(home.root);
  if (root == latest_.end()) return Value();
  std::vector<NamedAttribute> attributes = {{"offset", Int64Attribute::get(context(), home.offset)}};
  DenseTensorMeta contiguous = schedule_.metas[slot];
  SetContiguousStrides(contiguous.dims, &contiguous.strides);
  if (contiguous.strides != schedule_.metas[slot].strides) {
    std::vector<Attribute> strides;
    for (const int64_t stride : schedule_.metas[slot].strides) {
      strides.push_back(Int64Attribute::get(context(), stride));
    }
    attributes.emplace_back("strides", ArrayAttribute::get(context(), {std::move(strides)}));
  }
  const Value value = Create("pd_kernel.alias", {root->second}, attributes, {TypeOf(slot)})->result(0);
  values_[slot] = value;
  return value;
}

std::vector<Value> SlotValues::AllAt(const std::vector<Slots>& all) {
  std::vector<Value> values;
  for (const Slots& slots : all) {
    if (slots.empty()) values.emplace_back();
    for (const int slot : slots) values.push_back(At(slot));
  }
  return values;
}

Value SlotValues::AddConstant(int slot) {
  TensorKey key;
  for (const auto& [at, tensor] : schedule_.constants) {
    if (at != slot) continue;
    key.dtype = tensor.dtype();
    key.dims.assign(tensor.dims().begin(), tensor.dims().end());
    key.bytes.assign(static_cast<const char*>(tensor.data()), BytesOf(tensor.meta()));
  }
  const NamedAttribute value{"value", TensorAttribute::get(context(), std::move(key))};
  const Value made = Create("builtin.constant", {}, {value}, {TypeOf(slot)})->result(0);
  values_[slot] = made;
  return made;
}

}  // namespace phi::ir
