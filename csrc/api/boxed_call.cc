// SPDX-License-Identifier: Apache-2.0
#include "api/boxed_call.h"

#include <list>

#include "api/key_builder.h"
#include "api/op_site.h"
#include "core/channels_last.h"
#include "core/device_context_pool.h"
#include "core/device_guard.h"
#include "core/infermeta_utils.h"

namespace phi {

namespace {

const KernelSet& KernelsOf(const std::string& name) {
  const KernelSet* found = KernelFactory::Instance().Find(name);
  PADDLE_ENFORCE_NOT_NULL(
      found,
      errors::NotFound("no loaded library has a kernel '%s', nor an operator that calls one; load the library that "
                       "has it (phi_torch.load_library), or look for its name in phi_torch.kernels()",
                       name));
  return *found;
}

// What the entry says of the kernel's tensor at `position`.
InputRule RuleOf(const CallRule& rule, size_t position) {
  for (const InputRule& input : rule.inputs) {
    if (input.position == static_cast<int>(position)) return input;
  }
  return {nullptr, kContiguous, static_cast<int>(position)};
}

std::string NameOf(const InputRule& rule) {
  return rule.name != nullptr ? rule.name : "input " + std::to_string(rule.position);
}

// Calls visit(rule, flat index, tensor) for the tensors that are there.
template <typename Visit>
void ForEachInput(const CallRule& rule, const KernelContext& call, Visit visit) {
  for (size_t i = 0; i < call.InputsSize(); ++i) {
    const InputRule input = RuleOf(rule, i);
    const auto& [begin, end] = call.InputRangeAt(i);
    for (int flat = begin; flat < end; ++flat) {
      if (const auto* tensor = call.InputAt<TensorBase>(flat)) visit(input, flat, *tensor);
    }
  }
}

// The definition of the kernel's tensor, null for one that is not dense.
const TensorArgDef* DefinitionOf(const Plan& plan, const InputRule& rule, const TensorBase& tensor) {
  const auto& defs = plan.kernel().args_def().input_defs();
  const bool is_dense = static_cast<size_t>(rule.position) < defs.size() && tensor.kind() == TensorKind::kDense;
  return is_dense ? &defs[rule.position] : nullptr;
}

// Whether the kernel gets `tensor` marked as images with the channels last.
bool IsMarked(const Plan& plan, const InputRule& rule, const TensorBase& tensor) {
  const TensorArgDef* def = DefinitionOf(plan, rule, tensor);
  return def != nullptr && TakesChannelsLast(*def, rule.flags, static_cast<const DenseTensor&>(tensor));
}

DataTransform TransformOf(const Plan& plan, const InputRule& rule, const TensorBase& tensor) {
  const TensorArgDef* def = DefinitionOf(plan, rule, tensor);
  if (def == nullptr) return {};
  const TransformTarget target{plan.place, plan.selected.is_stride_kernel, plan.selected.has_fallback_cpu};
  const auto& dense = static_cast<const DenseTensor&>(tensor);
  return NeededTransform(dense, *def, rule.flags, target, NameOf(rule).c_str());
}

// Whether the kernel takes the call itself: nothing is transformed, before it or after it.
bool FitsAsItIs(const Plan& plan, const KernelContext& call) {
  if (plan.result_place != plan.place) return false;
  bool fits = true;
  ForEachInput(plan.rule, call, [&](const InputRule& input, int, const TensorBase& tensor) {
    fits = fits && !TransformOf(plan, input, tensor) && !IsMarked(plan, input, tensor);
  });
  return fits;
}

MetaTensor<int64_t> MetaOf(const TensorBase* tensor) {
  return tensor != nullptr ? MetaTensor<int64_t>(*tensor) : MetaTensor<int64_t>();
}

}  // namespace

KernelKey MakeKey(const std::string& kernel_name,
                  const KernelContext& call,
                  const CallPreference& preference,
                  std::vector<std::string>* sources) {
  const CallRule rule = CallRuleOf(kernel_name);
  KeyBuilder key(sources);
  key.SetBackend(preference.place, "the caller");
  const TensorBase* gives_dtype = nullptr;
  const TensorBase* first = nullptr;
  ForEachInput(rule, call, [&](const InputRule& input, int flat, const TensorBase& tensor) {
    if (first == nullptr) first = &tensor;
    // of a list only the first tensor counts, as in PHI
    if ((input.flags & kSkipTransform) || flat != call.InputRangeAt(input.position).first) return;
    key.Add(tensor, NameOf(input).c_str());
    if (input.flags & kGivesDataType) gives_dtype = &tensor;
    if ((input.flags & kGivesLayout) && IsImageLayout(tensor.layout())) {
      key.SetLayout(tensor.layout(), NameOf(input).c_str());
    }
  });
  if (gives_dtype != nullptr) key.SetDataType(gives_dtype->dtype(), "its input");
  if (rule.dtype_attribute >= 0) {
    const auto dtype = call.AttrAt<DataType>(rule.dtype_attribute);
    if (dtype != DataType::UNDEFINED) key.SetDataType(dtype, "its attribute");
  }
  if (preference.dtype != DataType::UNDEFINED) key.SetDataType(preference.dtype, "the caller");
  if (key.key().dtype() == DataType::UNDEFINED && first != nullptr) key.SetDataType(first->dtype(), "its first input");
  return key.key();
}

Plan MakePlan(const std::string& kernel_name, const KernelContext& call, const CallPreference& preference) {
  std::vector<std::string> sources;
  const KernelKey key = MakeKey(kernel_name, call, preference, &sources);
  Plan plan = MakePlan(kernel_name, key, call, preference.place);
  plan.sources = std::move(sources);
  return plan;
}

Plan MakePlan(const std::string& kernel_name, const KernelKey& key, const KernelContext& call, const Place& place) {
  Plan plan;
  plan.op = plan.kernel_name = kernel_name;
  plan.rule = CallRuleOf(kernel_name);
  plan.key = key;
  plan.selected = SelectKernelOrThrowError(KernelsOf(kernel_name), key, true, &plan.steps);
  plan.result_place = place;
  ForEachInput(plan.rule, call, [&](const InputRule&, int, const TensorBase& tensor) {
    if (PlaceToBackend(tensor.place()) == key.backend()) plan.result_place = tensor.place();
  });
  plan.place = plan.selected.has_fallback_cpu ? CPUPlace() : plan.result_place;
  ForEachInput(plan.rule, call, [&](const InputRule& input, int, const TensorBase& tensor) {
    const DataTransform transform = TransformOf(plan, input, tensor);
    if (transform) plan.transforms.push_back({NameOf(input), transform});
  });
  return plan;
}

void InferMeta(const Plan& plan, KernelContext* call) {
  InferMetaContext context;
  InferMeta(MetaFnFactory::Instance().Get(plan.kernel_name), plan, call, &context);
}

void InferMeta(const InferMetaEntry& entry, const Plan& plan, KernelContext* call, InferMetaContext* context) {
  context->Clear();
  context->Reserve(call->InputsSize() + call->OutputsSize(), call->AttrsSize());
  std::list<TensorMeta<int64_t>> changed;  // those that the kernel gets otherwise than they are
  const auto add_input = [&](size_t i) {
    const InputRule rule = RuleOf(plan.rule, i);
    const auto& [begin, end] = call->InputRangeAt(i);
    const bool is_complex = (rule.flags & kPromoted) && IsComplexType(plan.key.dtype());  // so each operand is made
    context->BeginInput();
    for (int flat = begin; flat < end; ++flat) {
      const auto* tensor = call->InputAt<TensorBase>(flat);
      MetaTensor<int64_t> meta = MetaOf(tensor);
      const bool is_marked = tensor != nullptr && IsMarked(plan, rule, *tensor);
      if (is_marked || (is_complex && tensor != nullptr && DefinitionOf(plan, rule, *tensor) != nullptr)) {
        changed.push_back(static_cast<const DenseTensor&>(*tensor).meta());
        meta = MetaTensor<int64_t>(&changed.back());
        if (is_marked) SetChannelsLast(tensor->dims(), &meta);
        if (is_complex) meta.set_dtype(plan.key.dtype());
      }
      context->AddInput(meta);
    }
  };
  const Attribute key_dtype = plan.key.dtype();
  if (entry.takes_all) {
    for (size_t i = 0; i < call->InputsSize(); ++i) add_input(i);
    for (size_t i = 0; i < call->AttrsSize(); ++i) context->EmplaceBackAttr(&call->AttributeAt(i));
  } else {
    for (const int i : entry.inputs) add_input(i);
    for (const auto& [position, otherwise] : entry.attributes) {
      const bool is_dtype = std::holds_alternative<DataType>(otherwise);
      context->EmplaceBackAttr(position >= 0 ? &call->AttributeAt(position) : is_dtype ? &key_dtype : &otherwise);
    }
  }
  for (size_t i = 0; i < call->OutputsSize(); ++i) {
    const auto& [begin, end] = call->OutputRangeAt(i);
    context->BeginOutput();
    for (int flat = begin; flat < end; ++flat) {
      context->AddOutput(MetaOf(call->MutableOutputAt<TensorBase>(flat)));
    }
  }
  entry.function(context);
}

std::vector<InputTransform> TransformsOf(const Plan& plan, const KernelContext& call) {
  PADDLE_ENFORCE(plan.result_place == plan.place,
                 errors::Unimplemented("%s: its results are copied back from %s", plan.op, plan.place));
  std::vector<InputTransform> found;
  ForEachInput(plan.rule, call, [&](const InputRule& input, int flat, const TensorBase& tensor) {
    DataTransform what = TransformOf(plan, input, tensor);
    if (IsMarked(plan, input, tensor) && !IsImageLayout(tensor.layout())) what.layout = plan.selected.key.layout();
    if (what) found.push_back({flat, what});
  });
  return found;
}

void Run(const Plan& plan, KernelContext* call, const DeviceContext* own) {
  const DeviceGuard guard(plan.place);
  const DeviceContext* context = DeviceContextPool::Instance().Get(plan.place);
  if (own == context && FitsAsItIs(plan, *call)) return plan.kernel()(call);
  KernelContext prepared(context);
  std::list<DenseTensor> transformed;
  for (size_t i = 0; i < call->InputsSize(); ++i) {
    const InputRule rule = RuleOf(plan.rule, i);
    const auto& [begin, end] = call->InputRangeAt(i);
    std::vector<const TensorBase*> inputs;
    for (int flat = begin; flat < end; ++flat) {
      const auto* tensor = call->InputAt<TensorBase>(flat);
      const DataTransform transform = tensor != nullptr ? TransformOf(plan, rule, *tensor) : DataTransform();
      if (transform) {
        transformed.push_back(Transformed(static_cast<const DenseTensor&>(*tensor), transform));
        tensor = &transformed.back();
      } else if (tensor != nullptr && IsMarked(plan, rule, *tensor)) {
        transformed.push_back(static_cast<const DenseTensor&>(*tensor));
        transformed.back().set_layout(plan.selected.key.layout());
        tensor = &transformed.back();
      }
      inputs.push_back(tensor);
    }
    prepared.EmplaceBackInputs(inputs);
  }
  for (size_t i = 0; i < call->OutputsSize(); ++i) {
    const auto& [begin, end] = call->OutputRangeAt(i);
    std::vector<TensorBase*> outputs;
    for (int flat = begin; flat < end; ++flat) outputs.push_back(call->MutableOutputAt<TensorBase>(flat));
    prepared.EmplaceBackOutputs(outputs);
  }
  for (size_t i = 0; i < call->AttrsSize(); ++i) prepared.EmplaceBackAttr(call->AttributeAt(i));
  plan.kernel()(&prepared);
  if (plan.result_place == plan.place) return;
  for (size_t i = 0; i < call->OutputsSize(); ++i) {
    const auto& [begin, end] = call->OutputRangeAt(i);
    for (int flat = begin; flat < end; ++flat) {
      auto* dense = dynamic_cast<DenseTensor*>(call->MutableOutputAt<TensorBase>(flat));
      if (dense != nullptr && dense->place() != plan.result_place) *dense = CopiedTo(*dense, plan.result_place);
    }
  }
}

}  // namespace phi
