// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "core/infermeta_utils.h"
#include "infermeta/decided_by_values.h"
#include "ir/exec/native_ops.h"
#include "ir/exec/scheduling.h"

namespace phi::ir {

namespace {
constexpr int64_t kMostKnown = 64;  // elements of a tensor that is computed with the schedule

// Whether the kernel finds a size of a result in its data.
bool IsFound(const DenseTensor& tensor) {
  const DDim& dims = tensor.dims();
  return std::find(dims.begin(), dims.end(), kDecidedByValues) != dims.end();
}
}  // namespace

void Scheduling::AddDynamic(const Step& step, Action::Kind kind, std::vector<Action>* actions) {
  Action action;
  action.kind = kind;
  action.step = &step;
  if (kind == Action::Kind::Native) {
    TouchAll(step.inputs);
  } else {
    FitFormat(&action, actions);
    Pin(action.inputs());
    for (const auto& [at, slots] : step.tensor_attributes) Pin({slots});
  }
  actions->push_back(std::move(action));
}

void Scheduling::MakeDynamic(const Step& step, std::vector<Action>* actions) {
  for (const Slots& slots : step.outputs) {
    for (const int slot : slots) SetDynamic(slot);
  }
  AddDynamic(step, Action::Kind::Dynamic, actions);
}

void Scheduling::VisitNative(const Step& step, std::vector<Action>* actions) {
  std::optional<std::vector<DenseTensorMeta>> metas;
  if (step.native->infer != nullptr && !Any(step.inputs, [&](int slot) { return IsDynamic(slot); })) {
    try {
      metas = step.native->infer(step, tensors_, [&](int slot) { return IsKnown(slot); });
    } catch (const enforce::EnforceNotMet&) {
      if (unsure_ == 0) throw;
    }
  }
  size_t made = 0;
  for (const Slots& slots : step.outputs) {
    for (const int slot : slots) {
      if (!metas) SetDynamic(slot);
      if (metas && slot >= 0) SetMade(slot, metas->at(made));
      ++made;
    }
  }
  AddDynamic(step, Action::Kind::Native, actions);
}

void Scheduling::VisitKernel(const Step& step, std::vector<Action>* actions) {
  bool is_static = !step.is_dynamic && !Any(step.inputs, [&](int slot) { return IsDynamic(slot); });
  for (const auto& [at, slots] : step.tensor_attributes) {
    is_static = is_static && std::all_of(slots.begin(), slots.end(), [&](int slot) { return IsKnown(slot); });
  }
  if (!is_static) return MakeDynamic(step, actions);
  if (unsure_ == 0) return VisitStatic(step, actions);
  try {
    VisitStatic(step, actions);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    // of a branch that is not taken for these shapes, or of a loop without rounds: an error only where it runs
    MakeDynamic(step, actions);
  }
}

void Scheduling::VisitStatic(const Step& step, std::vector<Action>* actions) {
  Action action;
  action.step = &step;
  if (!step.tensor_attributes.empty()) action.own_attributes = AttributesOf(step, tensors_);
  const bool has_images = Any(step.inputs, [&](int slot) { return IsImage(slot); });
  if (has_images) FitFormat(&action, actions);
  const bool is_declared = !has_images && !Any(step.inputs, [&](int slot) {
    return slot >= 0 && (static_cast<size_t>(slot) >= program_.slots.size() ||
                         tensors_[slot].dtype() != program_.slots[slot].declared.dtype());
  });
  call_.Clear();
  AddArguments(step.plan, action.inputs(), action.attributes(), step.outputs, &tensors_, &call_);
  if (!is_declared) {
    action.plan = std::make_shared<phi::Plan>(MakePlan(step.plan.kernel_name, call_, step.preference));
  }
  for (const Slots& slots : step.outputs) {
    for (const int slot : slots) {
      if (slot >= 0) tensors_[slot] = DenseTensor(DenseTensorMeta(), program_.place);
    }
  }
  InferMeta(*step.infer_meta, action.chosen(), &call_, &infer_meta_context_);
  if (has_images) MarkImages(step.outputs);
  const bool is_found = Any(step.outputs, [&](int slot) { return slot >= 0 && IsFound(tensors_[slot]); });
  if (is_found) return MakeDynamic(step, actions);
  if (Evaluates(step)) return Evaluate(step, action);
  if (step.kind == Step::Kind::View) return VisitView(step, std::move(action), actions);
  Fit(&action, actions);
  const auto inplace = [&](int output) {
    return std::find_if(
        step.shared.begin(), step.shared.end(), [&](const auto& pair) { return pair.second == output; });
  };
  TouchAll(action.inputs());
  for (const Slots& slots : step.outputs) {
    for (const int slot : slots) {
      if (slot < 0) continue;
      const auto shared = inplace(slot);
      if (shared == step.shared.end()) {
        AddBuffer(slot, tensors_[slot].meta());
      } else {
        WriteOver(shared->first, slot);
      }
    }
  }
  AddCandidates(step, action);
  actions->push_back(std::move(action));
}

void Scheduling::WriteOver(int operand, int slot) {
  const DenseTensorMeta &from = tensors_[operand].meta(), &to = tensors_[slot].meta();
  PADDLE_ENFORCE(
      from.dims == to.dims && from.dtype == to.dtype && from.strides == to.strides,
      errors::InvalidArgument(
          "an in-place operation makes %s%s of %s%s; expected the same", to.dtype, to.dims, from.dtype, from.dims));
  SetAlias(slot, operand, 0);
  tensors_[slot].Borrow(program_.place, tensors_[operand].data());
  Touch(slot);
}

bool Scheduling::Evaluates(const Step& step) {
  if (!step.is_pure || Any(step.inputs, [&](int slot) { return !IsKnown(slot); })) return false;
  return !Any(step.outputs,
              [&](int slot) { return slot >= 0 && (written_[slot] || tensors_[slot].numel() > kMostKnown); });
}

void Scheduling::Evaluate(const Step& step, const Action& action) {
  phi::Run(action.chosen(), &call_, &context_);
  for (const Slots& slots : step.outputs) {
    for (const int slot : slots) {
      if (slot >= 0) SetConstant(slot, DenseTensor(tensors_[slot]));
    }
  }
}

void Scheduling::VisitView(const Step& step, Action action, std::vector<Action>* actions) {
  // what cannot be a view of tensors with any strides is one of a contiguous copy
  const bool may_copy = step.plan.kernel_name == "reshape" || step.plan.kernel_name == "flatten";
  if (may_copy && !tensors_[step.inputs[0][0]].is_contiguous()) {
    action.own_inputs = step.inputs;
    (*action.own_inputs)[0][0] = AddContiguous(step.inputs[0][0], actions);
  }
  KernelContext call(&context_);
  AddArguments(action.chosen(), action.inputs(), action.attributes(), step.outputs, &tensors_, &call);
  phi::Run(action.chosen(), &call, &context_);  // it only says what is where
  const int from = action.inputs()[0][0];
  if (IsImage(from)) MarkImages(step.outputs);
  for (const int slot : step.outputs[0]) {
    const auto* begin = static_cast<const char*>(std::as_const(tensors_[slot]).data());
    SetAlias(slot, from, begin - static_cast<const char*>(std::as_const(tensors_[from]).data()));
    Touch(slot);
  }
  Touch(from);
}

void Scheduling::AddCopy(const Step* step, int from, int to, std::vector<Action>* actions) {
  Touch(from), Touch(to);
  Action action;
  action.kind = Action::Kind::Copy;
  action.step = step;
  action.moves = {{from, to}};
  actions->push_back(std::move(action));
}

void Scheduling::Fit(Action* action, std::vector<Action>* actions) {
  const std::vector<InputTransform> transforms = TransformsOf(action->chosen(), call_);
  for (const InputTransform& transform : transforms) {
    PADDLE_ENFORCE(transform.what.place == Place(), errors::Unimplemented("a tensor is needed as: %s", transform.what));
    const auto& defs = action->chosen().kernel().args_def().input_defs();
    int flat = 0;
    if (!action->own_inputs) action->own_inputs = action->step->inputs;
    std::vector<Slots>& inputs = *action->own_inputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      for (int& slot : inputs[i]) {
        if (flat++ == transform.input) slot = Fitting(slot, transform.what, actions);
      }
      if (inputs[i].empty() && !defs[i].is_list) ++flat;  // an absent one
    }
  }
}

int Scheduling::Fitting(int slot, const DataTransform& what, std::vector<Action>* actions) {
  if (what.layout != DataLayout::ALL_LAYOUT) {
    DataTransform before = what;
    before.layout = DataLayout::ALL_LAYOUT;
    return AddChannelsLast(before ? Fitting(slot, before, actions) : slot, actions);
  }
  if (!tensors_[slot].is_contiguous()) slot = AddContiguous(slot, actions);
  if (what.dtype == DataType::UNDEFINED || what.dtype == tensors_[slot].dtype()) return slot;
  const int cast = AddSlot();
  Action action;
  action.own_inputs.emplace(1, Slots{slot});
  action.own_attributes.emplace(1, what.dtype);
  action.moves = {{slot, cast}};
  KernelContext call(&context_);
  call.EmplaceBackInput(&tensors_[slot]);
  call.EmplaceBackAttr(what.dtype);
  call.EmplaceBackOutput(&tensors_[cast]);
  action.plan = std::make_shared<phi::Plan>(MakePlan("cast", call, {.place = program_.place}));
  InferMeta(*action.plan, &call);
  Touch(slot);
  AddBuffer(cast, tensors_[cast].meta());
  actions->push_back(std::move(action));
  return cast;
}

}  // namespace phi::ir
