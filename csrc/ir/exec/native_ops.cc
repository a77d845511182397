// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/native_ops.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>

#include "core/device_context_pool.h"
#include "ir/core/builtin_attribute.h"
#include "ir/exec/kernel_argument.h"
#include "ir/exec/native_arrays.h"
#include "ir/exec/native_step.h"
#include "primitive/copy_nd.h"
#include "program/kernel_attribute.h"

namespace phi::ir {

namespace {

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
  const int from = Only(step, mask[0] + 1), to = OnlyResult(step);
  if (step.op->operand(mask[0] + 1).type().isa<DenseTensorArrayType>()) return CopyArray(from, to, context);
  AssignTensor(*context->context, context->tensor(from), true, &context->tensor(to));
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
    {"pd_op.add_n_array", &AddNArray},
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
    {"pd_op.tensor_to_array", &TensorToArray},
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
