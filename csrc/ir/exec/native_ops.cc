// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/native_ops.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>

#include "core/device_context_pool.h"
#include "ir/core/builtin_attribute.h"
#include "ir/exec/kernel_argument.h"
#include "primitive/copy_nd.h"
#include "program/kernel_attribute.h"

namespace phi::ir {

namespace {

int Only(const Step& step, size_t input) {
  const Slots& slots = step.inputs.at(input);
  PADDLE_ENFORCE(slots.size() == 1 && slots[0] >= 0, errors::InvalidArgument("expected one tensor as input %d", input));
  return slots[0];
}
int OnlyResult(const Step& step, size_t result = 0) { return step.outputs.at(result).at(0); }

// An integer that is an operand, or the attribute of that name.
int64_t Index(const Step& step, ExecContext* context, size_t operand, const char* attribute) {
  if (operand < step.inputs.size() && !step.inputs[operand].empty()) {
    const std::vector<int64_t> values = IntegersOf(context->tensor(Only(step, operand)));
    PADDLE_ENFORCE(values.size() == 1, errors::InvalidArgument("expected one index, got %d", values.size()));
    return values[0];
  }
  return std::get<int64_t>(KernelArgument(AttributeType::INT64, step.op->attribute(attribute)));
}

// The number of the list that is an operand, or the attribute of that name; a negative one counts from the end.
int64_t Place(const Step& step, ExecContext* context, size_t operand, const char* attribute, size_t size) {
  std::vector<int64_t> values;
  if (operand < step.inputs.size() && !step.inputs[operand].empty()) {
    values = IntegersOf(context->tensor(Only(step, operand)));
  } else {
    values = std::get<std::vector<int64_t>>(KernelArgument(AttributeType::INT64S, step.op->attribute(attribute)));
  }
  PADDLE_ENFORCE(values.size() == 1,
                 errors::InvalidArgument("expected one number as '%s' of an array, got %d", attribute, values.size()));
  return values[0] < 0 ? values[0] + static_cast<int64_t>(size) : values[0];
}

const DenseTensor& Written(const TensorArray& array, int64_t i) {
  PADDLE_ENFORCE(i >= 0 && static_cast<size_t>(i) < array.size() && array[i].initialized(),
                 errors::OutOfRange("the array has %d tensors, got the index %d", array.size(), i));
  return array[i];
}

void CreateArray(const Step& step, ExecContext* context) { context->array(OnlyResult(step)).clear(); }

void CreateArrayLike(const Step& step, ExecContext* context) {
  PADDLE_ENFORCE(context->array(Only(step, 0)).empty(),
                 errors::Unimplemented("an array like one that has tensors already"));
  context->array(OnlyResult(step)).clear();
}

void ReadArray(const Step& step, ExecContext* context) {
  const TensorArray& array = context->array(Only(step, 0));
  context->tensor(OnlyResult(step)) = Written(array, Index(step, context, 1, "i"));
}

void SliceArrayDense(const Step& step, ExecContext* context) {
  const TensorArray& array = context->array(Only(step, 0));
  const DenseTensor& found = Written(array, Place(step, context, 1, "starts", array.size()));
  AssignTensor(*context->context, found, true, &context->tensor(OnlyResult(step)));
}

void SliceArray(const Step& step, ExecContext* context) {
  const TensorArray& array = context->array(Only(step, 0));
  const auto size = static_cast<int64_t>(array.size());
  const int64_t start = std::clamp<int64_t>(Place(step, context, 1, "starts", array.size()), 0, size);
  const int64_t end = std::clamp<int64_t>(Place(step, context, 2, "ends", array.size()), 0, size);
  PADDLE_ENFORCE(start < end,
                 errors::InvalidArgument(
                     "expected a part of the array, which has %d tensors, got those from %d to %d", size, start, end));
  context->array(OnlyResult(step)) = TensorArray(array.begin() + start, array.begin() + end);
}

void AssignArray(const Step& step, ExecContext* context) {
  const TensorArray& array = context->array(Only(step, 0));
  TensorArray copies(array.size());
  for (size_t i = 0; i < array.size(); ++i) {
    if (array[i].initialized()) AssignTensor(*context->context, array[i], true, &copies[i]);
  }
  context->array(OnlyResult(step)) = std::move(copies);
}

// Takes a tensor out of the array, which is the first result, too.
void PopArray(const Step& step, ExecContext* context) {
  TensorArray* array = &context->array(Only(step, 0));
  const auto given = std::get<int64_t>(KernelArgument(AttributeType::INT64, step.op->attribute("index")));
  const int64_t i = given < 0 ? given + static_cast<int64_t>(array->size()) : given;
  DenseTensor found = Written(*array, i);
  array->erase(array->begin() + i);
  if (OnlyResult(step) >= 0 && OnlyResult(step) != Only(step, 0)) context->array(OnlyResult(step)) = *array;
  if (OnlyResult(step, 1) >= 0) context->tensor(OnlyResult(step, 1)) = std::move(found);
}

void WriteArray(const Step& step, ExecContext* context) {
  constexpr int64_t kMost = int64_t{1} << 24;
  const int64_t i = Index(step, context, 2, "i");
  TensorArray* array = &context->array(Only(step, 0));  // which the result is
  PADDLE_ENFORCE(i >= 0 && i < kMost, errors::OutOfRange("expected an index from 0 to %d, got %d", kMost - 1, i));
  if (static_cast<size_t>(i) >= array->size()) array->resize(i + 1);
  DenseTensor written;
  AssignTensor(*context->context, context->tensor(Only(step, 1)), true, &written);
  (*array)[i] = std::move(written);
}

void ArrayLength(const Step& step, ExecContext* context) {
  DenseTensor& out = context->tensor(OnlyResult(step));
  out = DenseTensor({.dims = {1}, .strides = {1}, .dtype = DataType::INT64}, CPUPlace());
  *DeviceContextPool::Instance().Get(CPUPlace())->Alloc<int64_t>(&out) = context->array(Only(step, 0)).size();
}

// The tensors of an array as one, joined or stacked, and the size of each.
void ArrayToTensor(const Step& step, ExecContext* context) {
  const TensorArray& array = context->array(Only(step, 0));
  PADDLE_ENFORCE(!array.empty(), errors::InvalidArgument("the array has no tensors to join"));
  const auto use_stack = step.op->attribute<BoolAttribute>("use_stack");
  const bool stacks = use_stack && use_stack.data();
  const auto axis = std::get<int64_t>(KernelArgument(AttributeType::INT64, step.op->attribute("axis")));
  KernelContext call(context->context);
  std::vector<const TensorBase*> tensors;
  for (const DenseTensor& tensor : array) tensors.push_back(&tensor);
  call.EmplaceBackInputs(tensors);
  stacks ? call.EmplaceBackAttr(axis) : call.EmplaceBackAttr(Scalar(axis));
  DenseTensor& out = context->tensor(OnlyResult(step));
  out = DenseTensor();
  call.EmplaceBackOutput(&out);
  const Plan plan = MakePlan(stacks ? "stack" : "concat", call, {.place = context->context->GetPlace()});
  InferMeta(plan, &call);
  Run(plan, &call, context->context);
  if (OnlyResult(step, 1) < 0) return;
  DenseTensor& sizes = context->tensor(OnlyResult(step, 1));
  const int64_t count = static_cast<int64_t>(array.size());
  sizes = DenseTensor({.dims = {count}, .strides = {1}, .dtype = DataType::INT32}, CPUPlace());
  auto* data = DeviceContextPool::Instance().Get(CPUPlace())->Alloc<int32_t>(&sizes);
  for (int64_t i = 0; i < count; ++i) {
    const DDim& dims = array[i].dims();
    const int at = static_cast<int>(axis < 0 ? axis + dims.size() : axis);
    data[i] = stacks ? 1 : static_cast<int32_t>(dims[at]);
  }
}

// Of a tensor whose shape is not known before.
void Shape(const Step& step, ExecContext* context) {
  const DDim dims = context->tensor(Only(step, 0)).dims();
  DenseTensor& out = context->tensor(OnlyResult(step));
  out = DenseTensor({.dims = {dims.size()}, .strides = {1}, .dtype = DataType::INT64}, CPUPlace());
  std::copy(dims.begin(), dims.end(), DeviceContextPool::Instance().Get(CPUPlace())->Alloc<int64_t>(&out));
}

void SelectInput(const Step& step, ExecContext* context) {
  const std::vector<int64_t> mask = IntegersOf(context->tensor(Only(step, 0)));
  const int64_t count = static_cast<int64_t>(step.inputs.size()) - 1;
  PADDLE_ENFORCE(mask.size() == 1 && mask[0] >= 0 && mask[0] < count,
                 errors::OutOfRange("expected the number of one of %d tensors", count));
  AssignTensor(*context->context, context->tensor(Only(step, mask[0] + 1)), true, &context->tensor(OnlyResult(step)));
}

std::string Text(const DenseTensor& tensor, int64_t most) {
  std::ostringstream os;
  os << DataTypeName(tensor.dtype()) << tensor.dims() << " [";
  if (tensor.numel() > 0) {
    const phi::Attribute all = KernelAttribute(AttributeType::FLOAT64S, std::vector<const DenseTensor*>{&tensor});
    const auto& values = std::get<std::vector<double>>(all);
    for (size_t i = 0; i < values.size() && (most < 0 || i < static_cast<size_t>(most)); ++i) {
      os << (i ? " " : "") << values[i];
    }
    if (most >= 0 && values.size() > static_cast<size_t>(most)) os << " ...";
  }
  os << ']';
  return os.str();
}

void Assert(const Step& step, ExecContext* context) {
  const std::vector<int64_t> condition = IntegersOf(context->tensor(Only(step, 0)));
  PADDLE_ENFORCE(condition.size() == 1, errors::InvalidArgument("expected one condition, got %d", condition.size()));
  if (condition[0] != 0) return;
  const auto summarize = step.op->attribute<Int64Attribute>("summarize");
  std::string data;
  for (const int slot : step.inputs.size() > 1 ? step.inputs[1] : Slots()) {
    data += "\n  " + Text(context->tensor(slot), summarize ? summarize.data() : -1);
  }
  PADDLE_THROW(errors::PreconditionNotMet("the program's assertion does not hold; its data:%s", data));
}

void Print(const Step& step, ExecContext* context) {
  const DenseTensor& in = context->tensor(Only(step, 0));
  const auto message = step.op->attribute<StrAttribute>("message");
  const auto summarize = step.op->attribute<Int32Attribute>("summarize");
  const std::string text = Text(in, summarize ? summarize.data() : 20);
  std::printf("%s %s\n", message ? message.data().c_str() : "", text.c_str());
  std::fflush(stdout);
  AssignTensor(*context->context, in, true, &context->tensor(OnlyResult(step)));
}

constexpr NativeOp kOps[] = {
    {"pd_op.array_length", &ArrayLength},
    {"pd_op.array_pop", &PopArray},
    {"pd_op.array_read", &ReadArray},
    {"pd_op.array_to_tensor", &ArrayToTensor},
    {"pd_op.array_write_", &WriteArray},
    {"pd_op.assert", &Assert},
    {"pd_op.assign_array", &AssignArray},
    {"pd_op.create_array", &CreateArray},
    {"pd_op.create_array_like", &CreateArrayLike},
    {"pd_op.print", &Print},
    {"pd_op.select_input", &SelectInput},
    {"pd_op.shape64", &Shape},
    {"pd_op.slice_array", &SliceArray},
    {"pd_op.slice_array_dense", &SliceArrayDense},
};

std::map<std::string_view, NativeOp>& Registered() {
  static auto& ops = *new std::map<std::string_view, NativeOp>();
  return ops;
}

}  // namespace

const NativeOp* FindNativeOp(std::string_view name) {
  for (const NativeOp& op : kOps) {
    if (name == op.name) return &op;
  }
  const auto found = Registered().find(name);
  return found == Registered().end() ? nullptr : &found->second;
}

bool RegisterNativeOp(const NativeOp& op) { return Registered().emplace(op.name, op).second; }

void AssignTensor(const DeviceContext& context, const DenseTensor& from, bool copies, DenseTensor* to) {
  if (&from == to) return;
  if (!copies && from.Holder() != nullptr) {
    *to = from;
    return;
  }
  DenseTensor copy(from.meta(), from.place());
  copy.Resize(from.dims());
  primitive::Copy(context, from, &copy);
  *to = std::move(copy);
}

std::vector<int64_t> IntegersOf(const DenseTensor& tensor) {
  const phi::Attribute all = KernelAttribute(AttributeType::INT64S, std::vector<const DenseTensor*>{&tensor});
  return std::get<std::vector<int64_t>>(all);
}

}  // namespace phi::ir
