// SPDX-License-Identifier: Apache-2.0
#include "common/enforce.h"
#include "core/channels_last.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/dialect.h"
#include "ir/core/infer_type.h"
#include "ir/shape/shape_value.h"

// What the results of operators are that have no InferMeta function: those of programs only.
namespace phi::ir {
namespace {

using Concept = InferType::Concept;
using Answer = std::optional<InferredTypes>;

Type OperandType(const Operation& op, size_t i) {
  return i < op.num_operands() && op.operand(i) ? op.operand(i).type() : Type();
}

Answer One(Type type) { return InferredTypes{{type}}; }

Type Tensor(const Program& program, DataType dtype, std::vector<Dim> dims) {
  return DenseTensorType::get(program.context(), dtype, std::move(dims));
}

// What they are is what the operation says: a weight, a constant.
Answer AsSaid(const Concept&, const Operation& op, const Program&) {
  if (op.num_results() == 0) return std::nullopt;
  InferredTypes said;
  for (size_t i = 0; i < op.num_results(); ++i) said.types.push_back(op.result(i).type());
  return said;
}

// A weight that the program has.
Answer Parameter(const Concept& self, const Operation& op, const Program& program) {
  const auto name = op.attribute<StrAttribute>("name");
  const phi::ir::Parameter* weight = name ? program.weights()->Find(name.data()) : nullptr;
  if (weight == nullptr) return AsSaid(self, op, program);
  return One(Tensor(program, weight->dtype, {weight->dims.begin(), weight->dims.end()}));
}

Answer Constant(const Concept& self, const Operation& op, const Program& program) {
  const auto value = op.attribute<TensorAttribute>("value");
  if (!value) return AsSaid(self, op, program);
  return One(Tensor(program, value.key().dtype, {value.key().dims.begin(), value.key().dims.end()}));
}

// The shape that an attribute or an operand gives, in which a negative size is one that a run tells.
Answer OfAttributes(const Concept&, const Operation& op, const Program& program) {
  const auto shape = ShapeArgumentOf(op, "shape");
  const auto dtype = op.attribute<DataTypeAttribute>("dtype");
  if (!shape || !dtype || dtype.data() == DataType::UNDEFINED) return std::nullopt;
  std::vector<Dim> dims;
  for (const Dim& size : *shape) dims.push_back(size.is_number() && size.number() < 0 ? Dim() : size);
  return One(Tensor(program, dtype.data(), std::move(dims)));
}

template <size_t operand>
Answer LikeOperand(const Concept&, const Operation& op, const Program&) {
  const Type type = OperandType(op, operand);
  return type ? One(type) : std::nullopt;
}

Answer FullIntArray(const Concept&, const Operation& op, const Program& program) {
  const auto values = op.attribute<ArrayAttribute>("value");
  const auto dtype = op.attribute<DataTypeAttribute>("dtype");
  if (!values || !dtype) return std::nullopt;
  return One(Tensor(program, dtype.data(), {Dim(static_cast<int64_t>(values.items().size()))}));
}

Answer Shape64(const Concept&, const Operation& op, const Program& program) {
  const auto type = OperandType(op, 0).dyn_cast<DenseTensorType>();
  if (!type) return std::nullopt;
  return One(Tensor(program, DataType::INT64, {Dim(static_cast<int64_t>(type.dims().size()))}));
}

Answer ArrayLength(const Concept&, const Operation&, const Program& program) {
  return One(Tensor(program, DataType::INT64, {Dim(1)}));
}

Answer Combine(const Concept&, const Operation& op, const Program& program) {
  VectorTypeKey key;
  for (size_t i = 0; i < op.num_operands(); ++i) key.elements.push_back(OperandType(op, i));
  return One(VectorType::get(program.context(), std::move(key)));
}

Answer Split(const Concept&, const Operation& op, const Program&) {
  const auto list = OperandType(op, 0).dyn_cast<VectorType>();
  if (!list) return std::nullopt;
  return InferredTypes{list.elements()};
}

Answer Slice(const Concept&, const Operation& op, const Program&) {
  const auto list = OperandType(op, 0).dyn_cast<VectorType>();
  const auto index = op.attribute<Int32Attribute>("index");
  if (!list || !index || index.data() < 0) return std::nullopt;
  if (static_cast<size_t>(index.data()) >= list.elements().size()) return std::nullopt;
  return One(list.elements()[index.data()]);
}

Answer ChannelsLast(const Concept&, const Operation& op, const Program& program) {
  const auto type = OperandType(op, 0).dyn_cast<TensorType>();
  if (!type) return std::nullopt;
  TensorTypeKey key = type.key();
  key.layout = ChannelsLastOf(static_cast<int>(key.dims.size()));
  return One(TensorType::get(program.context(), std::move(key)));
}

template <bool value_semantics>
Answer Conversion(const Concept&, const Operation& op, const Program& program) {
  const auto type = OperandType(op, 0).dyn_cast<TensorType>();
  if (!type) return std::nullopt;
  TensorTypeKey key = type.key();
  key.value_semantics = value_semantics;
  return One(TensorType::get(program.context(), std::move(key)));
}

// What every operand may be: sizes that differ are not known.
Answer SelectInput(const Concept&, const Operation& op, const Program& program) {
  const auto first = OperandType(op, 1).dyn_cast<TensorType>();
  if (!first) return std::nullopt;
  TensorTypeKey key = first.key();
  for (size_t i = 2; i < op.num_operands(); ++i) {
    const auto other = OperandType(op, i).dyn_cast<TensorType>();
    if (!other || other.dims().size() != key.dims.size()) return std::nullopt;
    for (size_t d = 0; d < key.dims.size(); ++d) {
      if (key.dims[d] != other.dims()[d]) key.dims[d] = Dim();
    }
  }
  return One(TensorType::get(program.context(), std::move(key)));
}

struct Row {
  const char* op;
  Concept model;
};

constexpr Row kRows[] = {
    {"builtin.parameter", {Parameter}},
    {"builtin.constant", {Constant}},
    {"builtin.undef", {AsSaid}},
    {"builtin.combine", {Combine}},
    {"builtin.split", {Split}},
    {"builtin.slice", {Slice}},
    {"builtin.to_tensor", {Conversion<false>}},
    {"builtin.to_vtensor", {Conversion<true>}},
    {"cf.stack_create", {AsSaid}},
    {"cf.tuple_pop", {AsSaid}},
    {"torch.call", {AsSaid}},
    {"machine.channels_last", {ChannelsLast}},
    {"machine.packed_conv2d", {AsSaid}},
    {"machine.winograd_conv2d", {AsSaid}},
    {"pd_op.data", {OfAttributes}},
    {"pd_op.full_with_tensor", {OfAttributes}},
    {"pd_op.fetch", {LikeOperand<0>}},
    {"pd_op.print", {LikeOperand<0>}},
    {"pd_op.shadow_feed", {LikeOperand<0>}},
    {"pd_op.share_data_", {LikeOperand<0>}},
    {"pd_op.memcpy_d2h", {LikeOperand<0>}},
    {"pd_op.memcpy_h2d", {LikeOperand<0>}},
    {"pd_op.assign_value_", {LikeOperand<0>}},
    {"pd_op.assign_out_", {LikeOperand<0>}},
    {"pd_op.array_write_", {LikeOperand<0>}},
    {"pd_op.array_length", {ArrayLength}},
    {"pd_op.full_int_array", {FullIntArray}},
    {"pd_op.shape64", {Shape64}},
    {"pd_op.select_input", {SelectInput}},
};

[[maybe_unused]] const bool kInferTypesRegistered = [] {
  for (const Row& row : kRows) {
    const std::string dialect(row.op, std::string_view(row.op).find('.'));
    DialectRegistry::Instance().GetOrCreate(dialect).AddInterface<InferType>(row.op, &row.model);
  }
  return true;
}();

}  // namespace
}  // namespace phi::ir
