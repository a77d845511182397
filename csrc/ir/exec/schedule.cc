// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/schedule.h"

#include "ir/exec/error.h"
#include "ir/exec/scheduling.h"
#include "program/kernel_attribute.h"

namespace phi::ir {

std::unique_ptr<Schedule> Scheduling::Run(const std::vector<DDim>& input_dims) {
  made_->input_dims = input_dims;
  const size_t slots = program_.slots.size() + program_.slots.size() / 4;
  tensors_.reserve(slots), lives_.reserve(slots), written_.reserve(slots), made_->homes.reserve(slots);
  made_->actions.reserve(program_.body.steps.size() + program_.outputs.size());
  for (const Slot& slot : program_.slots) AddSlot(slot.is_written);
  std::vector<Action>* actions = &made_->actions;
  for (size_t i = 0; i < program_.inputs.size(); ++i) {
    DenseTensorMeta meta = program_.slots[program_.inputs[i].slot].declared.meta();
    meta.dims = input_dims[i];
    SetContiguousStrides(meta.dims, &meta.strides);
    made_->inputs.push_back(AddOutside(program_.inputs[i].slot, Home::Kind::Input, meta, actions));
  }
  for (const PortParameter& parameter : program_.parameters) {
    DenseTensorMeta meta;
    meta.dtype = parameter.parameter.dtype;
    meta.dims = DDim(parameter.parameter.dims);
    SetContiguousStrides(meta.dims, &meta.strides);
    int slot = parameter.slot;
    if (parameter.parameter.is_mutable) {
      SetOutside(slot, Home::Kind::Parameter, meta);
    } else {
      slot = AddOutside(slot, Home::Kind::Parameter, meta, actions);
    }
    made_->parameters.emplace_back(slot, parameter.parameter.data);
  }
  for (const auto& [slot, tensor] : program_.constants) SetConstant(slot, tensor);
  Visit(program_.body, actions);
  AddOutputs(actions);
  ReuseInputs();
  Plan();
  made_->metas.reserve(tensors_.size());
  for (const DenseTensor& tensor : tensors_) made_->metas.push_back(tensor.meta());
  return std::move(made_);
}

int Scheduling::AddSlot(bool is_written) {
  tensors_.emplace_back(DenseTensorMeta(), program_.place);
  made_->homes.emplace_back();
  lives_.emplace_back();
  written_.push_back(is_written);
  return static_cast<int>(tensors_.size()) - 1;
}

void Scheduling::SetOutside(int slot, Home::Kind kind, const DenseTensorMeta& meta) {
  HomeOf(slot) = {kind, slot};
  tensors_[slot].set_meta(meta);
  tensors_[slot].Borrow(program_.place, kNowhere);
}

int Scheduling::AddOutside(int slot, Home::Kind kind, const DenseTensorMeta& meta, std::vector<Action>* actions) {
  if (!written_[slot]) {
    SetOutside(slot, kind, meta);
    return slot;
  }
  const int outside = AddSlot();
  SetOutside(outside, kind, meta);
  AddBuffer(slot, meta);
  AddCopy(nullptr, outside, slot, actions);
  return outside;
}

void Scheduling::SetConstant(int slot, const DenseTensor& tensor) {
  HomeOf(slot) = {Home::Kind::Constant, slot};
  tensors_[slot] = tensor;
  made_->constants.emplace_back(slot, tensor);
}

void Scheduling::SetDynamic(int slot) {
  if (slot < 0) return;
  HomeOf(slot) = {Home::Kind::Dynamic, slot};
  tensors_[slot] = DenseTensor(
      program_.slots.size() > static_cast<size_t>(slot) ? program_.slots[slot].declared.meta() : DenseTensorMeta(),
      program_.place);
}

void Scheduling::SetMade(int slot, const DenseTensorMeta& meta) {
  SetOutside(slot, Home::Kind::Made, meta);
  Touch(slot);
}

void Scheduling::AddBuffer(int slot, const DenseTensorMeta& meta) {
  HomeOf(slot) = {Home::Kind::Arena, slot};
  tensors_[slot].set_meta(meta);
  tensors_[slot].Borrow(program_.place, kNowhere);
  lives_[slot].bytes = BytesOf(meta);
  Touch(slot);
}

void Scheduling::SetAlias(int slot, int of, int64_t offset) {
  HomeOf(slot) = {HomeOf(of).kind, HomeOf(of).root, HomeOf(of).offset + offset};
}

void Scheduling::Touch(int slot) {
  if (slot < 0 || !HasLife(slot)) return;
  const int root = HomeOf(slot).root;
  Life& life = lives_[root];
  life.first = std::min(life.first, time_);
  life.last = std::max(life.last, time_);
  for (Loop& loop : loops_) {
    if (life.first < loop.begin) loop.outer.insert(root);
  }
}

void Scheduling::TouchAll(const std::vector<Slots>& all) {
  for (const Slots& slots : all) {
    for (const int slot : slots) Touch(slot);
  }
}

void Scheduling::Pin(const std::vector<Slots>& all) {
  TouchAll(all);
  for (const Slots& slots : all) {
    for (const int slot : slots) {
      if (slot >= 0 && HasLife(slot)) lives_[HomeOf(slot).root].last = kAlways;
    }
  }
}

void Scheduling::Visit(const Body& body, std::vector<Action>* actions) {
  for (const Step& step : body.steps) {
    ++time_;
    const size_t before = actions->size();
    try {
      Visit(step, actions);
    } catch (...) {
      RethrowFor(step, step.inputs, tensors_);
    }
    for (size_t i = before; i < actions->size(); ++i) {
      if ((*actions)[i].step == nullptr) (*actions)[i].step = &step;
      if ((*actions)[i].time == 0) (*actions)[i].time = time_;
    }
  }
}

void Scheduling::Visit(const Step& step, std::vector<Action>* actions) {
  switch (step.kind) {
    case Step::Kind::Call:
    case Step::Kind::View:
      return VisitKernel(step, actions);
    case Step::Kind::Shape:
      return VisitShape(step, actions);
    case Step::Kind::Copy:
      return VisitCopy(step, actions);
    case Step::Kind::If:
      return VisitIf(step, actions);
    case Step::Kind::While:
      return VisitWhile(step, actions);
    case Step::Kind::Fused:
      return VisitFused(step, actions);
    case Step::Kind::Native:
      return VisitNative(step, actions);
  }
}

int64_t BytesOf(const DenseTensorMeta& meta) {
  int64_t bytes = static_cast<int64_t>(SizeOf(meta.dtype));
  for (const int64_t d : meta.dims) {
    if (d == 0) return 0;
  }
  for (const int64_t d : meta.dims) {
    PADDLE_ENFORCE(!__builtin_mul_overflow(bytes, d, &bytes),
                   errors::OutOfRange("a tensor of shape %s has more bytes than an address can count", meta.dims));
  }
  return bytes;
}

void AddArguments(const Plan& plan,
                  const std::vector<Slots>& inputs,
                  const std::vector<phi::Attribute>& attributes,
                  const std::vector<Slots>& outputs,
                  std::vector<DenseTensor>* tensors,
                  KernelContext* call) {
  const auto at = [&](int slot) { return slot < 0 ? nullptr : &(*tensors)[slot]; };
  const auto& args = plan.kernel().args_def();
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!args.input_defs().at(i).is_list) {
      call->EmplaceBackInput(inputs[i].empty() ? nullptr : at(inputs[i][0]));
      continue;
    }
    std::vector<const TensorBase*> list;
    for (const int slot : inputs[i]) list.push_back(at(slot));
    call->EmplaceBackInputs(list);
  }
  call->BorrowAttrs(attributes);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!args.output_defs().at(i).is_list) {
      call->EmplaceBackOutput(outputs[i].empty() ? nullptr : at(outputs[i][0]));
      continue;
    }
    std::vector<TensorBase*> list;
    for (const int slot : outputs[i]) list.push_back(at(slot));
    call->EmplaceBackOutputs(list);
  }
}

std::vector<phi::Attribute> AttributesOf(const Step& step, const std::vector<DenseTensor>& tensors) {
  std::vector<phi::Attribute> attributes = step.attributes;
  const auto& types = step.plan.kernel().args_def().attribute_defs();
  for (const auto& [at, slots] : step.tensor_attributes) {
    std::vector<const DenseTensor*> values;
    for (const int slot : slots) values.push_back(&tensors[slot]);
    attributes[at] = KernelAttribute(types.at(at), values);
  }
  return attributes;
}

std::unique_ptr<Schedule> MakeSchedule(const Lowered& program,
                                       const std::vector<DDim>& input_dims,
                                       int64_t max_memory) {
  return Scheduling(program, max_memory).Run(input_dims);
}

}  // namespace phi::ir
