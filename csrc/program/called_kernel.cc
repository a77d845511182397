// SPDX-License-Identifier: Apache-2.0
#include "program/called_kernel.h"

#include <algorithm>
#include <string_view>

#include "core/infermeta_utils.h"
#include "core/kernel_factory.h"

namespace phi {

namespace {

using Names = std::vector<std::string>;

// Kernels under another name.
constexpr std::pair<const char*, const char*> kSame[] = {{"assign_raw", "assign"},
                                                         {"flatten_infer", "flatten"},
                                                         {"legacy_expand", "tile"},
                                                         {"legacy_expand_grad", "tile_grad"},
                                                         {"legacy_reshape", "reshape"}};

bool Drop(std::string* name, std::string_view suffix) {
  if (!name->ends_with(suffix)) return false;
  name->resize(name->size() - suffix.size());
  return true;
}

bool IsTrue(const OpAttributeMap& attributes, const std::string& name) {
  const auto found = attributes.find(name);
  const bool* value = found == attributes.end() ? nullptr : std::get_if<bool>(&found->second);
  return value != nullptr && *value;
}

// (dim, keep_dim, reduce_all), and for a sum the data type, which its kernel takes second.
void CallReduction(const OpAttributeMap& attributes, CalledKernel* called) {
  Names& attrs = called->signature.attr_names;
  if (IsTrue(attributes, attrs[2])) called->constants[attrs[0]] = std::vector<int32_t>();
  attrs.erase(attrs.begin() + 2);
  if (attrs.size() == 3) std::swap(attrs[1], attrs[2]);
}

void CallBatchNorm(CalledKernel* called) {
  called->signature.name = "batch_norm";
  called->signature.attr_names = {
      "is_test", "momentum", "epsilon", "data_layout", "use_global_stats", "trainable_statistics"};
  called->constants = {{"is_test", true}, {"use_global_stats", false}, {"trainable_statistics", false}};
}

// Between fixed ends, since the dimensions of a shape may be the kernel's most.
DDim Part(const DDim& dims, int begin, int end) { return DDim(dims.Get() + begin, end - begin); }

}  // namespace

const OpAttribute* CalledKernel::Find(const OpAttributeMap& attributes, const std::string& name) const {
  const auto constant = constants.find(name);
  if (constant != constants.end()) return &constant->second;
  const auto found = attributes.find(name);
  return found == attributes.end() ? nullptr : &found->second;
}

CalledKernel CalledBy(const KernelSignature& signature, const OpAttributeMap& attributes) {
  CalledKernel called{signature, {}};
  auto& [name, inputs, attrs, outputs] = called.signature;
  if (outputs.size() > 1 && outputs.back() == kShapeSlot) {
    called.notes_shape = true;
    outputs.pop_back();
    Drop(&name, "_with_xshape");
  }
  if (inputs.size() == 2 && inputs[0] == kShapeSlot) {
    name = "reshape_grad";
    attrs.clear();
  }
  for (const auto& [from, to] : kSame) {
    if (name == from) name = to;
  }
  if (name == "batch_norm_infer") CallBatchNorm(&called);
  if (name == "stack_grad" && inputs.size() == 1) name = "unbind";
  if (inputs.size() == 2 && attrs == Names{"axis"} && Drop(&name, "_raw")) {
    called.is_aligned = true;
    attrs.clear();
  } else if (attrs.size() >= 3 && attrs[2] == "reduce_all" && Drop(&name, "_raw")) {
    CallReduction(attributes, &called);
  }
  return called;
}

const KernelArgsDef* ArgumentsOf(const std::string& kernel) {
  const KernelSet* set = KernelFactory::Instance().Find(kernel);
  if (set == nullptr) return nullptr;
  const auto kernels = set->kernels();
  return kernels.empty() ? nullptr : &kernels.front().second->args_def();
}

bool IsGiven(const OpDesc& desc, const std::string& slot) {
  const auto& names = desc.Input(slot);
  return std::any_of(names.begin(), names.end(), [](const std::string& name) { return name != kEmptyVarName; });
}

std::string Misfit(const CalledKernel& called, const OpDesc& desc, const OpAttributeMap& attributes) {
  const KernelSignature& signature = called.signature;
  const KernelArgsDef* takes = ArgumentsOf(signature.name);
  if (takes == nullptr) return "no loaded library has the kernel '" + signature.name + "'";
  if (!MetaFnFactory::Instance().Contains(signature.name)) {
    return "the kernel '" + signature.name + "' has no InferMeta function; PD_REGISTER_INFER_META_FN registers it";
  }
  const auto differs = [&](const char* what, size_t kernel, size_t given) {
    return enforce::Format("the kernel '%s' takes %d %s, the operator has %d", signature.name, kernel, what, given);
  };
  const auto& inputs = takes->input_defs();
  const bool fewer_inputs = std::any_of(inputs.begin() + std::min(signature.input_names.size(), inputs.size()),
                                        inputs.end(),
                                        [](const TensorArgDef& def) { return !def.is_optional; });
  if (signature.input_names.size() > inputs.size() || fewer_inputs) {
    return differs("inputs", inputs.size(), signature.input_names.size());
  }
  if (signature.attr_names.size() != takes->attribute_defs().size()) {
    return differs("attributes", takes->attribute_defs().size(), signature.attr_names.size());
  }
  if (signature.output_names.size() > takes->output_defs().size()) {
    return differs("outputs", takes->output_defs().size(), signature.output_names.size());
  }
  for (size_t i = 0; i < signature.input_names.size(); ++i) {
    const std::string& slot = signature.input_names[i];
    if (!IsGiven(desc, slot) && !inputs[i].is_optional && !inputs[i].is_list) {
      return enforce::Format("slot %s: expected a variable, got none", slot);
    }
  }
  for (const std::string& name : signature.attr_names) {
    if (!IsGiven(desc, name) && called.Find(attributes, name) == nullptr) {
      return enforce::Format("attribute %s: it is missing", name);
    }
  }
  return "";
}

void AlignedOperands::Make() {
  for (int i = 0; i < 2; ++i) operands[i] = *sources[i];
  const int ranks[2] = {sources[0]->dims().size(), sources[1]->dims().size()};
  if (axis == -1 || ranks[0] == ranks[1]) return;
  DenseTensor& smaller = operands[ranks[0] < ranks[1] ? 0 : 1];
  const int rank = std::max(ranks[0], ranks[1]);
  DenseTensorMeta meta = smaller.meta();
  int left = meta.dims.size();
  while (left > std::max(rank - axis, 0) && meta.dims[left - 1] == 1) --left;
  PADDLE_ENFORCE(axis >= 0 && axis <= rank - left,
                 errors::InvalidArgument("argument 'axis': expected -1, or 0 to %d for shapes %s and %s, got %d",
                                         rank - left,
                                         sources[0]->dims(),
                                         sources[1]->dims(),
                                         axis));
  meta.dims = Part(meta.dims, 0, left);
  meta.strides = Part(meta.strides, 0, left);
  while (meta.dims.size() < rank - axis) {
    meta.dims.push_back(1);
    meta.strides.push_back(1);
  }
  smaller.set_meta(meta);
}

DenseTensor NoteOfShape(const DenseTensor& x) {
  DDim dims{0};
  for (const int64_t size : Part(x.dims(), 0, std::min(x.dims().size(), DDim::kMaxRank - 1))) dims.push_back(size);
  DenseTensor note;
  note.Resize(dims);
  note.set_type(x.dtype());
  note.set_place(x.place());
  return note;
}

DenseTensor TensorOfNote(const DenseTensor& note) {
  PADDLE_ENFORCE(
      note.dims().size() > 0,
      errors::InvalidArgument("slot %s: expected a tensor that notes a shape, got one without dimensions", kShapeSlot));
  DenseTensor x = note;
  x.Resize(Part(note.dims(), 1, note.dims().size()));
  return x;
}

}  // namespace phi
