// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/native_arrays.h"

#include <algorithm>

#include "core/device_context_pool.h"
#include "ir/core/builtin_attribute.h"
#include "ir/exec/kernel_argument.h"
#include "ir/exec/native_step.h"
#include "primitive/fill.h"

namespace phi::ir {

namespace {

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
int64_t PlaceIn(const Step& step, ExecContext* context, size_t operand, const char* attribute, size_t size) {
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

struct Joined {
  int64_t axis;
  bool stacks;
};
Joined Joining(const Step& step) {
  const auto use_stack = step.op->attribute<BoolAttribute>("use_stack");
  return {std::get<int64_t>(KernelArgument(AttributeType::INT64, step.op->attribute("axis"))),
          use_stack && use_stack.data()};
}

// Runs the kernel of that name, of which the operands are there.
void Run(const char* kernel, KernelContext* call, ExecContext* context) {
  const Plan plan = MakePlan(kernel, *call, {.place = context->context->GetPlace()});
  InferMeta(plan, call);
  phi::Run(plan, call, context->context);
}

}  // namespace

TensorArray OwnArray(const DeviceContext& context, const std::string& name, const TensorArray& array) {
  TensorArray owned(array.size());
  for (size_t i = 0; i < array.size(); ++i) {
    PADDLE_ENFORCE(
        array[i].initialized(),
        errors::OutOfRange(
            "output '%s', an array of %d tensors: nothing was written to its place %d", name, array.size(), i));
    AssignTensor(context, array[i], true, &owned[i]);
  }
  return owned;
}

void CreateArray(const Step& step, ExecContext* context) { context->array(OnlyResult(step)).clear(); }

// With tensors like those of the other array, of one number.
void CreateArrayLike(const Step& step, ExecContext* context) {
  const TensorArray& array = context->array(Only(step, 0));
  const auto value = std::get<double>(KernelArgument(AttributeType::FLOAT64, step.op->attribute("val")));
  TensorArray made(array.size());
  for (size_t i = 0; i < array.size(); ++i) {
    if (!array[i].initialized()) continue;
    made[i] = DenseTensor(array[i].meta(), array[i].place());
    made[i].Resize(array[i].dims());
    context->context->Alloc(&made[i], made[i].dtype());
    if (made[i].numel() > 0) primitive::FillWith(*context->context, value, &made[i]);
  }
  context->array(OnlyResult(step)) = std::move(made);
}

void ReadArray(const Step& step, ExecContext* context) {
  const TensorArray& array = context->array(Only(step, 0));
  context->tensor(OnlyResult(step)) = Written(array, Index(step, context, 1, "i"));
}

void SliceArrayDense(const Step& step, ExecContext* context) {
  const TensorArray& array = context->array(Only(step, 0));
  const DenseTensor& found = Written(array, PlaceIn(step, context, 1, "starts", array.size()));
  AssignTensor(*context->context, found, true, &context->tensor(OnlyResult(step)));
}

void SliceArray(const Step& step, ExecContext* context) {
  const TensorArray& array = context->array(Only(step, 0));
  const auto size = static_cast<int64_t>(array.size());
  const int64_t start = std::clamp<int64_t>(PlaceIn(step, context, 1, "starts", array.size()), 0, size);
  const int64_t end = std::clamp<int64_t>(PlaceIn(step, context, 2, "ends", array.size()), 0, size);
  PADDLE_ENFORCE(start < end,
                 errors::InvalidArgument(
                     "expected a part of the array, which has %d tensors, got those from %d to %d", size, start, end));
  context->array(OnlyResult(step)) = TensorArray(array.begin() + start, array.begin() + end);
}

void CopyArray(int from, int to, ExecContext* context) {
  const TensorArray& array = context->array(from);
  TensorArray copies(array.size());
  for (size_t i = 0; i < array.size(); ++i) {
    if (array[i].initialized()) AssignTensor(*context->context, array[i], true, &copies[i]);
  }
  context->array(to) = std::move(copies);
}

void AssignArray(const Step& step, ExecContext* context) { CopyArray(Only(step, 0), OnlyResult(step), context); }

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
  const auto [axis, stacks] = Joining(step);
  KernelContext call(context->context);
  std::vector<const TensorBase*> tensors;
  for (const DenseTensor& tensor : array) tensors.push_back(&tensor);
  call.EmplaceBackInputs(tensors);
  stacks ? call.EmplaceBackAttr(axis) : call.EmplaceBackAttr(Scalar(axis));
  DenseTensor& out = context->tensor(OnlyResult(step));
  out = DenseTensor();
  call.EmplaceBackOutput(&out);
  Run(stacks ? "stack" : "concat", &call, context);
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

// The parts of a tensor that the tensors of an array have become, each of the shape of its tensor.
void TensorToArray(const Step& step, ExecContext* context) {
  const TensorArray& array = context->array(Only(step, 0));
  const auto [axis, stacks] = Joining(step);
  TensorArray parts(array.size());
  std::vector<int64_t> sections;
  std::vector<TensorBase*> results;
  for (size_t i = 0; i < array.size(); ++i) {
    const DDim& dims = Written(array, i).dims();
    const int64_t at = axis < 0 ? axis + dims.size() : axis;
    PADDLE_ENFORCE(stacks || (at >= 0 && at < dims.size()),
                   errors::OutOfRange("expected an axis of %s, got %d", dims, axis));
    sections.push_back(stacks ? 1 : dims[static_cast<int>(at)]);
    results.push_back(&parts[i]);
  }
  KernelContext call(context->context);
  call.EmplaceBackInput(&context->tensor(Only(step, 1)));
  call.EmplaceBackAttr(IntArray(sections));
  call.EmplaceBackAttr(Scalar(axis));
  call.EmplaceBackOutputs(results);
  Run("split", &call, context);
  for (size_t i = 0; i < array.size(); ++i) {
    PADDLE_ENFORCE(parts[i].numel() == array[i].numel(),
                   errors::InvalidArgument("expected a part like %s, got %s", array[i].dims(), parts[i].dims()));
    parts[i].Resize(array[i].dims());
  }
  context->array(OnlyResult(step)) = std::move(parts);
}

// The sums of what arrays have at the same places.
void AddNArray(const Step& step, ExecContext* context) {
  TensorArray sums;
  for (const int slot : step.inputs.at(0)) {
    const TensorArray& array = context->array(slot);
    sums.resize(std::max(sums.size(), array.size()));
    for (size_t i = 0; i < array.size(); ++i) {
      if (!array[i].initialized()) continue;
      DenseTensor sum;
      if (sums[i].initialized()) {
        KernelContext call(context->context);
        call.EmplaceBackInput(&sums[i]);
        call.EmplaceBackInput(&array[i]);
        call.EmplaceBackOutput(&sum);
        Run("add", &call, context);
      } else {
        AssignTensor(*context->context, array[i], true, &sum);
      }
      sums[i] = std::move(sum);
    }
  }
  context->array(OnlyResult(step)) = std::move(sums);
}

}  // namespace phi::ir
