// SPDX-License-Identifier: Apache-2.0
#include "program/kernel_operator.h"

#include <algorithm>

#include "common/enforce.h"
#include "core/device_context_pool.h"
#include "core/op_utils.h"
#include "program/kernel_attribute.h"

namespace phi {

namespace {

// The input that the kernel may write an output to; -1 for none.
int InplaceInput(const std::string& kernel, size_t output) {
  for (const InplacePair& pair : MetaFnFactory::Instance().Get(kernel).inplace) {
    if (pair.output == static_cast<int>(output)) return pair.input;
  }
  return -1;
}

bool IsAbsent(const KernelContext& call, int input) {
  const auto& [begin, end] = call.InputRangeAt(input);
  return begin == end || call.InputAt<TensorBase>(begin) == nullptr;
}

bool IsVariable(const OpAttribute& value) {
  return std::holds_alternative<VariableName>(value) || std::holds_alternative<std::vector<VariableName>>(value);
}

std::vector<std::string> NamesIn(const OpAttribute& value) {
  std::vector<std::string> names;
  if (const auto* one = std::get_if<VariableName>(&value)) names.push_back(one->name);
  if (const auto* many = std::get_if<std::vector<VariableName>>(&value)) {
    for (const VariableName& one : *many) names.push_back(one.name);
  }
  return names;
}

void AddDefaults(const OpInfo* info, OpAttributeMap* attributes) {
  if (info == nullptr) return;
  for (const AttributeInfo& attr : info->attrs) {
    if (attr.default_value != nullptr && attributes->count(attr.name) == 0) {
      attributes->emplace(attr.name, DefaultValue(attr));
    }
  }
  if (info->forward != nullptr) AddDefaults(OpInfoMap::Instance().Find(info->forward), attributes);
}

bool IsGradient(const std::string& type) {
  const OpInfo* info = OpInfoMap::Instance().Find(type);
  return info != nullptr && info->forward != nullptr;
}

}  // namespace

KernelOperator::KernelOperator(OpDesc desc, DataType float32)
    : OperatorBase(std::move(desc)), attributes_(this->desc().attrs), float32_(float32) {
  AddDefaults(OpInfoMap::Instance().Find(this->desc().type), &attributes_);
}

KernelOperator::~KernelOperator() = default;

const KernelSignature* KernelOperator::signature() const { return prepared_ ? &prepared_->signature : nullptr; }
const Plan* KernelOperator::plan() const { return prepared_ ? &prepared_->plan : nullptr; }

KernelSignature KernelOperator::Map(const Scope& scope) const {
  const auto kinds = [&](const VariableNameMap& slots) {
    SlotKinds result;
    for (const auto& [slot, names] : slots) {
      for (const std::string& name : names) {
        if (name == kEmptyVarName) continue;
        const Variable* variable = scope.FindVar(name);
        result[slot].push_back(variable != nullptr ? variable->Kind() : VariableKind::kAbsent);
      }
    }
    return result;
  };
  SlotKinds outputs = kinds(desc().outputs);
  for (auto& [slot, variables] : outputs) {  // what is not there yet becomes a dense tensor
    std::replace(variables.begin(), variables.end(), VariableKind::kAbsent, VariableKind::kDense);
  }
  const SlotArguments arguments(kinds(desc().inputs), std::move(outputs), attributes_, /*for_infer_shape=*/false);
  return OpUtilsMap::Instance().Map(desc().type, arguments);
}

std::string KernelOperator::Misfit(const KernelSignature& signature) const {
  return phi::Misfit(CalledBy(signature, attributes_), desc(), attributes_);
}

void KernelOperator::AddInputs(const Scope& scope, PreparedCall* prepared) const {
  const auto& defs = ArgumentsOf(prepared->called.signature.name)->input_defs();
  const auto& slots = prepared->called.signature.input_names;
  if (prepared->called.is_aligned) prepared->AlignBy(KernelAttribute(AttributeType::INT64, attributes_.at("axis")));
  for (size_t i = 0; i < defs.size(); ++i) {
    std::vector<const TensorBase*> tensors;
    for (Variable* variable : i < slots.size() ? Inputs(scope, slots[i]) : std::vector<Variable*>()) {
      if (variable == nullptr) continue;
      const TensorBase* tensor = TensorOf(*variable);
      PADDLE_ENFORCE_NOT_NULL(tensor,
                              errors::InvalidType("operator '%s', slot %s: expected a tensor", desc().type, slots[i]));
      prepared->reads.push_back({i, variable, tensor, tensor->dtype(), tensor->place()});
      tensors.push_back(prepared->Adapted(i, slots[i], tensor));
    }
    if (defs[i].is_list) {
      prepared->call.EmplaceBackInputs(tensors);
    } else {
      PADDLE_ENFORCE(
          tensors.size() <= 1,
          errors::InvalidArgument(
              "operator '%s', slot %s: expected one variable, got %d", desc().type, slots[i], tensors.size()));
      prepared->call.EmplaceBackInput(tensors.empty() ? nullptr : tensors[0]);
    }
  }
}

void KernelOperator::AddAttributes(const Scope& scope, PreparedCall* prepared) const {
  const CalledKernel& called = prepared->called;
  const auto& types = ArgumentsOf(called.signature.name)->attribute_defs();
  for (size_t i = 0; i < types.size(); ++i) {
    const std::string& name = called.signature.attr_names[i];
    const bool is_slot = called.constants.count(name) == 0 && IsGiven(desc(), name);
    const OpAttribute* given = called.Find(attributes_, name);
    if (is_slot || IsVariable(*given)) {
      std::vector<const DenseTensor*> tensors;
      for (const std::string& one : is_slot ? desc().Input(name) : NamesIn(*given)) {
        const Variable* variable = scope.FindVar(one);
        const auto* tensor = variable != nullptr ? variable->TryGet<DenseTensor>() : nullptr;
        PADDLE_ENFORCE(tensor != nullptr && variable->IsInitialized(),
                       errors::NotFound("operator '%s', slot %s: variable '%s' has no value", desc().type, name, one));
        tensors.push_back(tensor);
      }
      prepared->reads_values = true;
      prepared->call.EmplaceBackAttr(KernelAttribute(types[i], tensors));
      continue;
    }
    try {
      Attribute value = KernelAttribute(types[i], *given);
      if (auto* dtype = std::get_if<DataType>(&value); dtype != nullptr && *dtype == DataType::FLOAT32)
        *dtype = float32_;
      prepared->call.EmplaceBackAttr(std::move(value));
    } catch (const enforce::EnforceNotMet& error) {
      const std::string what(error.what());  // which begins with its class
      PADDLE_THROW(errors::InvalidArgument(
          "operator '%s', attribute %s: %s", desc().type, name, what.substr(what.find(") ") + 2)));
    }
  }
}

void KernelOperator::AddOutputs(Scope* scope, PreparedCall* prepared) const {
  const std::string& kernel = prepared->called.signature.name;
  const auto& defs = ArgumentsOf(kernel)->output_defs();
  const auto& slots = prepared->called.signature.output_names;
  const bool is_gradient_of_several = IsGradient(desc().type) && defs.size() > 1;
  const auto reads = [&](const Variable* variable, int input) {
    return std::any_of(prepared->reads.begin(), prepared->reads.end(), [&](const ReadTensor& read) {
      return read.variable == variable && (input < 0 || read.position == static_cast<size_t>(input));
    });
  };
  for (size_t i = 0; i < defs.size(); ++i) {
    const int onto = InplaceInput(kernel, i);
    std::vector<Variable*> variables = i < slots.size() ? Outputs(scope, slots[i]) : std::vector<Variable*>();
    if (!defs[i].is_list && variables.empty()) variables.push_back(nullptr);
    std::vector<TensorBase*> tensors;
    for (Variable* variable : variables) {
      const bool is_absent = onto >= 0 && !defs[i].is_list && IsAbsent(prepared->call, onto);
      if (is_absent || (variable == nullptr && (is_gradient_of_several || defs[i].is_list))) {
        tensors.push_back(nullptr);
      } else if (defs[i].kind != TensorKind::kDense && variable != nullptr) {
        tensors.push_back(MutableTensorOf(variable, defs[i].kind));
        prepared->targets.emplace_back(variable, tensors.back());
      } else {
        const bool is_input = variable != nullptr && reads(variable, -1);
        prepared->writes.push_back(
            std::make_unique<WrittenTensor>(variable, is_input, is_input && onto >= 0 && reads(variable, onto)));
        tensors.push_back(prepared->writes.back()->target);
        if (variable != nullptr && !is_input) prepared->targets.emplace_back(variable, tensors.back());
      }
    }
    if (defs[i].is_list) {
      prepared->call.EmplaceBackOutputs(tensors);
    } else {
      prepared->call.EmplaceBackOutput(tensors[0]);
    }
  }
}

std::unique_ptr<PreparedCall> KernelOperator::Prepare(const RunContext& context) const {
  auto prepared = std::make_unique<PreparedCall>(DeviceContextPool::Instance().Get(context.place));
  prepared->signature = Map(*context.scope);
  prepared->called = CalledBy(prepared->signature, attributes_);
  const std::string misfit = phi::Misfit(prepared->called, desc(), attributes_);
  PADDLE_ENFORCE(
      misfit.empty(),
      errors::Unimplemented("operator '%s', %s: %s", desc().type, prepared->signature.DebugString(), misfit));
  AddInputs(*context.scope, prepared.get());
  AddAttributes(*context.scope, prepared.get());
  const bool has_tensors = !prepared->reads.empty();
  prepared->AdaptInputs();
  prepared->plan =
      MakePlan(prepared->called.signature.name, prepared->call, {.place = has_tensors ? CPUPlace() : context.place});
  AddOutputs(context.scope, prepared.get());
  if (prepared->called.notes_shape) {
    const auto notes = Outputs(context.scope, kShapeSlot);
    prepared->shape_note = notes.empty() ? nullptr : notes[0];
  }
  prepared->Complete(context.scope);
  return prepared;
}

void KernelOperator::RunImpl(const RunContext& context) {
  if (prepared_ == nullptr || !prepared_->HoldsFor(context)) prepared_ = Prepare(context);
  prepared_->Run();
}

}  // namespace phi
