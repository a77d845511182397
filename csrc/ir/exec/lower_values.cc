// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "core/channels_last.h"
#include "core/device_context_pool.h"
#include "core/visit_type.h"
#include "ir/core/builtin_attribute.h"
#include "ir/exec/kernel_argument.h"
#include "ir/exec/lowering.h"

namespace phi::ir {

namespace {

// A tensor of these values on the host.
template <typename T>
DenseTensor HostTensor(const std::vector<T>& values, DataType dtype, const DDim& dims) {
  DenseTensor tensor({.dims = dims, .strides = contiguous_strides(dims), .dtype = dtype}, CPUPlace());
  void* data = DeviceContextPool::Instance().Get(CPUPlace())->Alloc(&tensor, dtype);
  if (!values.empty()) std::memcpy(data, values.data(), values.size() * sizeof(T));
  return tensor;
}

DenseTensor HostTensor(const std::vector<Scalar>& numbers, DataType dtype, const std::vector<int64_t>& shape) {
  const DDim dims = make_ddim(shape);
  PADDLE_ENFORCE(
      static_cast<int64_t>(numbers.size()) == product(dims),
      errors::InvalidArgument(
          "attribute 'values': expected as many numbers as the shape %s has elements, got %d", dims, numbers.size()));
  DenseTensor tensor({.dims = dims, .strides = contiguous_strides(dims), .dtype = dtype}, CPUPlace());
  PD_VISIT_ALL_TYPES(dtype, "assign_value_", ([&] {
                       auto* data = DeviceContextPool::Instance().Get(CPUPlace())->Alloc<data_t>(&tensor);
                       for (const Scalar& number : numbers) *data++ = number.to<data_t>();
                     }));
  return tensor;
}

DenseTensor DeclaredTensor(Type type, const Place& place) {
  DenseTensorMeta meta;
  if (const auto tensor = type.dyn_cast<TensorType>()) {
    meta.dtype = tensor.dtype();
    meta.dims.set_rank(static_cast<int64_t>(tensor.dims().size()));
    for (size_t i = 0; i < tensor.dims().size(); ++i) {
      meta.dims[static_cast<int>(i)] = tensor.dims()[i].is_number() ? tensor.dims()[i].number() : 1;
    }
    SetContiguousStrides(meta.dims, &meta.strides);
  }
  return DenseTensor(meta, place);
}

}  // namespace

int Lowering::NewSlot(Value value) {
  const int slot = AddSlot(value.name(), value.type());
  out_->slots[slot].is_written = aliases_->IsWritten(value);
  slots_[value] = {slot};
  return slot;
}

int Lowering::AddSlot(std::string name, Type type) {
  Slot slot{std::move(name), DeclaredTensor(type, out_->place)};
  slot.is_array = type.isa<DenseTensorArrayType>();
  PADDLE_ENFORCE(type.isa<DenseTensorType>() || slot.is_array,
                 errors::Unimplemented("expected dense tensors and arrays of them, got %s", type));
  out_->slots.push_back(std::move(slot));
  return static_cast<int>(out_->slots.size()) - 1;
}

Slots Lowering::NewSlots(Value value) {
  Slots slots;
  if (const auto list = value.type().dyn_cast<VectorType>()) {
    for (const Type type : list.elements()) {
      slots.push_back(type ? AddSlot(value.name(), type) : -1);
      if (type) out_->slots.back().is_written = aliases_->IsWritten(value);
    }
    slots_[value] = slots;
  } else if (value.type()) {
    slots = {NewSlot(value)};
  } else {
    slots = {-1};
  }
  return slots;
}

Slots Lowering::SlotsOf(Value value) const {
  if (!value) return {};
  const auto found = slots_.find(value);
  PADDLE_ENFORCE(found != slots_.end(), errors::PreconditionNotMet("an operand comes from what cannot run"));
  return found->second;
}

int Lowering::SlotOf(const Operation& op, size_t operand) const {
  const Slots slots = SlotsOf(op.operand(operand));
  PADDLE_ENFORCE(slots.size() == 1 && slots[0] >= 0,
                 errors::InvalidArgument("operand %d: expected one tensor, got %d", operand, slots.size()));
  return slots[0];
}

void Lowering::AddConstant(Value value, const DenseTensor& tensor, Body* body) {
  if (!aliases_->IsWritten(value)) {
    out_->constants.emplace_back(NewSlot(value), tensor);
    return;
  }
  const int constant = AddSlot(value.name(), value.type());
  out_->constants.emplace_back(constant, tensor);
  AddCopy(*value.defining_op(), constant, NewSlot(value), -1, body);
}

void Lowering::AddCopy(const Operation& op, int from, int to, int shared, Body* body) {
  Step step;
  step.kind = Step::Kind::Copy;
  step.op = &op;
  step.inputs = {{from}};
  step.outputs = {{to}};
  if (shared >= 0) step.shared.emplace_back(shared, to);
  body->steps.push_back(std::move(step));
}

void Lowering::LowerParameter(const Operation& op, Body* body) {
  const std::string& name = Text(op, "name");
  const Parameter* parameter = out_->program->weights()->Find(name);
  const auto persistable = op.attribute<BoolAttribute>("persistable");
  if (parameter == nullptr && persistable && !persistable.data()) return LowerState(op, body);
  PADDLE_ENFORCE_NOT_NULL(
      parameter, errors::NotFound("the program has no weight '%s'; set it: program.weights.set(name, tensor)", name));
  parameters_[name] = NewSlot(op.result(0));
  out_->slots[parameters_[name]].declared.set_type(parameter->dtype);
  out_->parameters.push_back({parameters_[name], name, *parameter});
  if (parameter->is_mutable && aliases_->IsWritten(op.result(0))) out_->writes_parameters = true;
}

void Lowering::LowerConstant(const Operation& op, Body* body) {
  const auto value = op.attribute<TensorAttribute>("value");
  PADDLE_ENFORCE(value, errors::Unimplemented("attribute 'value': expected a tensor"));
  const auto& key = value.key();
  AddConstant(op.result(0),
              HostTensor(std::vector<char>(key.bytes.begin(), key.bytes.end()), key.dtype, make_ddim(key.dims)),
              body);
}

void Lowering::LowerIntArray(const Operation& op, Body* body) {
  const auto type = op.result(0).type().dyn_cast<DenseTensorType>();
  PADDLE_ENFORCE(type, errors::InvalidArgument("expected a dense tensor as the result"));
  std::vector<int64_t> values;
  const phi::Attribute list = KernelArgument(AttributeType::INT64S, op.attribute("value"));
  values = std::get<std::vector<int64_t>>(list);
  const DDim dims{static_cast<int64_t>(values.size())};
  if (type.dtype() == DataType::INT32) {
    return AddConstant(
        op.result(0), HostTensor(std::vector<int32_t>(values.begin(), values.end()), DataType::INT32, dims), body);
  }
  PADDLE_ENFORCE(type.dtype() == DataType::INT64,
                 errors::Unimplemented("expected int32 or int64, got %s", type.dtype()));
  AddConstant(op.result(0), HostTensor(values, DataType::INT64, dims), body);
}

void Lowering::LowerAssign(const Operation& op, Body* body) {
  const auto dtype = op.attribute<DataTypeAttribute>("dtype");
  PADDLE_ENFORCE(dtype, errors::InvalidArgument("attribute 'dtype': expected a data type"));
  const phi::Attribute shape = KernelArgument(AttributeType::INT64S, op.attribute("shape"));
  const phi::Attribute values = KernelArgument(AttributeType::SCALARS, op.attribute("values"));
  const int constant = AddSlot(op.result(0).name(), op.result(0).type());
  out_->constants.emplace_back(
      constant, HostTensor(std::get<std::vector<Scalar>>(values), dtype.data(), std::get<std::vector<int64_t>>(shape)));
  AddCopy(op, constant, NewSlot(op.result(0)), SlotOf(op, 0), body);
}

void Lowering::LowerAssignOut(const Operation& op, Body* body) {
  AddCopy(op, SlotOf(op, 0), NewSlot(op.result(0)), SlotOf(op, 1), body);
}

void Lowering::LowerData(const Operation& op, Body*) {
  const auto col = op.attribute<Int32Attribute>("col");
  feeds_.emplace_back(col ? col.data() : 0, Port{Text(op, "name"), NewSlot(op.result(0)), op.result(0).type()});
}

void Lowering::LowerFetch(const Operation& op, Body*) {
  const bool is_fetch = op.name() == "pd_op.fetch";
  const auto col = op.attribute<Int32Attribute>("col");
  fetches_.emplace_back(is_fetch && col ? col.data() : 0,
                        Port{Text(op, is_fetch ? "name" : "output_name"), SlotOf(op, 0), op.operand(0).type()});
  if (op.num_results() == 1) slots_[op.result(0)] = SlotsOf(op.operand(0));
}

void Lowering::LowerCombine(const Operation& op, Body*) {
  Slots all;
  for (size_t i = 0; i < op.num_operands(); ++i) all.push_back(op.operand(i) ? SlotOf(op, i) : -1);
  slots_[op.result(0)] = all;
}

void Lowering::LowerSplit(const Operation& op, Body*) {
  const Slots all = SlotsOf(op.operand(0));
  for (size_t i = 0; i < op.num_results(); ++i) {
    if (op.result(i).type()) slots_[op.result(i)] = {all.at(i)};
  }
}

void Lowering::LowerSlice(const Operation& op, Body*) {
  slots_[op.result(0)] = {SlotsOf(op.operand(0)).at(op.attribute<Int32Attribute>("index").data())};
}

void Lowering::LowerIdentity(const Operation& op, Body* body) {
  const bool copies = aliases_->IsWritten(op.result(0)) && op.name() == "builtin.to_vtensor";
  if (copies) return AddCopy(op, SlotOf(op, 0), NewSlot(op.result(0)), -1, body);
  slots_[op.result(0)] = SlotsOf(op.operand(0));
}

void Lowering::LowerYield(const Operation& op, Body* body) {
  for (size_t i = 0; i < op.num_operands(); ++i) body->yields.push_back(SlotOf(op, i));
}

void Lowering::LowerChannelsLast(const Operation& op, Body* body) {
  const int from = SlotOf(op, 0), to = NewSlot(op.result(0));
  out_->slots[to].declared.set_layout(ChannelsLastOf(out_->slots[to].declared.dims().size()));
  AddCopy(op, from, to, -1, body);
}

void Lowering::LowerStore(const Operation& op, Body* body) {
  const std::string& name = Text(op, "parameter_name");
  const Parameter* parameter = out_->program->weights()->Find(name);
  PADDLE_ENFORCE_NOT_NULL(parameter, errors::NotFound("the program has no weight '%s'", name));
  PADDLE_ENFORCE(
      parameter->is_mutable,
      errors::PreconditionNotMet("weight '%s' is written, but is not mutable; set it with is_mutable=True", name));
  auto found = parameters_.find(name);
  if (found == parameters_.end()) {
    found = parameters_.emplace(name, AddSlot(name, op.operand(0).type())).first;
    out_->parameters.push_back({found->second, name, *parameter});
  }
  out_->slots[found->second].is_written = out_->writes_parameters = true;
  AddCopy(op, SlotOf(op, 0), AddSlot(name, op.operand(0).type()), found->second, body);
}

}  // namespace phi::ir
