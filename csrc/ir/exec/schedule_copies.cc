// SPDX-License-Identifier: Apache-2.0
#include "core/channels_last.h"
#include "core/device_context_pool.h"
#include "ir/core/builtin_attribute.h"
#include "ir/exec/scheduling.h"

// Copies: those of the program, and those that bring memory into another order.
namespace phi::ir {

namespace {

// The meta of a copy, whose memory has the order of the layout.
DenseTensorMeta InOrder(const DenseTensor& tensor, DataLayout layout) {
  DenseTensor copy(tensor.meta(), tensor.place());
  copy.set_layout(DataLayout::NCHW);
  copy.Resize(tensor.dims());
  MetaTensor<int64_t> meta(&copy);
  if (IsImageLayout(layout)) SetChannelsLast(tensor.dims(), &meta);
  return copy.meta();
}

}  // namespace

void Scheduling::VisitShape(const Step& step, std::vector<Action>* actions) {
  const int in = step.inputs[0][0], out = step.outputs[0][0];
  if (IsDynamic(in)) {
    SetDynamic(out);
    return AddDynamic(step, Action::Kind::Native, actions);
  }
  const DDim& dims = tensors_[in].dims();
  DenseTensorMeta meta;
  meta.dtype = DataType::INT64;
  meta.dims = {dims.size()};
  SetContiguousStrides(meta.dims, &meta.strides);
  DenseTensor shape(meta, CPUPlace());
  auto* data = DeviceContextPool::Instance().Get(CPUPlace())->Alloc<int64_t>(&shape);
  std::copy(dims.begin(), dims.end(), data);
  if (!written_[out]) return SetConstant(out, shape);
  const int constant = AddSlot();
  SetConstant(constant, shape);
  AddBuffer(out, meta);
  AddCopy(&step, constant, out, actions);
}

void Scheduling::VisitCopy(const Step& step, std::vector<Action>* actions) {
  const int from = step.inputs[0][0], to = step.outputs[0][0];
  if (IsDynamic(from) && step.shared.empty()) {
    SetDynamic(to);
  } else if (!IsDynamic(from)) {
    tensors_[to] = DenseTensor(InOrder(tensors_[from], program_.slots[to].declared.layout()), program_.place);
  }
  if (!step.shared.empty()) {
    const int target = step.shared[0].first;
    if (IsDynamic(from) || IsDynamic(target)) tensors_[to].set_meta(tensors_[target].meta());
    WriteOver(target, to);
  } else if (!IsDynamic(from)) {
    AddBuffer(to, tensors_[to].meta());
  }
  if (IsDynamic(from)) Pin(step.outputs);
  AddCopy(&step, from, to, actions);
}

int Scheduling::AddContiguous(int slot, std::vector<Action>* actions) {
  const int copy = AddSlot();
  AddBufferLike(copy, slot);
  AddCopy(nullptr, slot, copy, actions);
  return copy;
}

int Scheduling::AddChannelsLast(int slot, std::vector<Action>* actions) {
  const int copy = AddSlot();
  AddBuffer(copy, InOrder(tensors_[slot], ChannelsLastOf(tensors_[slot].dims().size())));
  AddCopy(nullptr, slot, copy, actions);
  return copy;
}

void Scheduling::AddBufferLike(int slot, int like) { AddBuffer(slot, InOrder(tensors_[like], DataLayout::NCHW)); }

bool Scheduling::IsImage(int slot) { return slot >= 0 && IsImageLayout(tensors_[slot].layout()); }

void Scheduling::FitFormat(Action* action, std::vector<Action>* actions) {
  const auto format = action->step->op->attribute<StrAttribute>("data_format");
  if (!format || (format.data() != "NHWC" && format.data() != "NDHWC")) return;
  std::vector<Slots> inputs = action->step->inputs;
  if (!Any(inputs, [&](int slot) { return IsImage(slot); })) return;
  for (Slots& slots : inputs) {
    for (int& slot : slots) {
      if (IsImage(slot)) slot = AddContiguous(slot, actions);
    }
  }
  action->own_inputs = std::move(inputs);
}

void Scheduling::MarkImages(const std::vector<Slots>& results) {
  for (const Slots& slots : results) {
    for (const int slot : slots) {
      if (slot < 0) continue;
      const bool is_image = !tensors_[slot].is_contiguous() && IsChannelsLast(tensors_[slot].meta());
      tensors_[slot].set_layout(is_image ? ChannelsLastOf(tensors_[slot].dims().size()) : DataLayout::NCHW);
    }
  }
}

}  // namespace phi::ir
