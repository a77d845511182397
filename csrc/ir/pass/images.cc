// SPDX-License-Identifier: Apache-2.0
#include "ir/pass/images.h"

#include <algorithm>
#include <unordered_set>

#include "api/op_site.h"
#include "common/flags.h"
#include "ir/core/builder.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/builtin_type.h"
#include "ir/dialect/kernel_info.h"
#include "ir/pass/effects.h"
#include "primitive/packed_convolution.h"

namespace phi::ir {

namespace {

// Multiplications of an image from which on a convolution is large: up to there kernels of ours take less time than
// the library without packed filters.
constexpr int64_t kLarge = int64_t{3} << 23;
// Of Winograd's algorithm, channels from which on its products are worth bringing images to coefficients and back; the
// elements of a filter whose coefficients stay in a cache; and the pixels for which they are worth reading.
constexpr int64_t kWinogradChannels = 32;
constexpr int64_t kWinogradFilter = int64_t{9} << 16;
constexpr int64_t kWinogradPixels = 14 * 14;

std::vector<int64_t> IntsOf(const Operation& op, const char* attribute) {
  std::vector<int64_t> values;
  const auto list = op.attribute<ArrayAttribute>(attribute);
  for (const Attribute item : list ? list.items() : std::vector<Attribute>()) {
    if (const auto number = item.dyn_cast<Int32Attribute>()) values.push_back(number.data());
  }
  return values;
}

// The dimensions of a tensor of float32 of four, in which that of the batch may be of any size; empty of others.
std::vector<int64_t> ImageDims(Value value) {
  const auto type = value ? value.type().dyn_cast<DenseTensorType>() : DenseTensorType();
  if (!type || type.dtype() != DataType::FLOAT32 || type.dims().size() != 4) return {};
  std::vector<int64_t> dims = {1};
  for (size_t i = 1; i < 4; ++i) {
    if (!type.dims()[i].is_number()) return {};
    dims.push_back(type.dims()[i].number());
  }
  return dims;
}

class Finder {
 public:
  explicit Finder(const Program& program) : program_(program), written_(program) {}

  LargeConvolutions Run() {
    int64_t large = 0, small = 0;
    Walk(program_.module(), [&](Operation* op) {
      const int64_t work = WorkOf(*op);
      (work >= kLarge ? large : small) += work;
    });
    LargeConvolutions found;
    if (large <= small) return found;
    Walk(program_.module(), [&](Operation* op) { Visit(op, &found); });
    if (2 * (given_.size() + taken_.size()) > found.all.size()) return {};
    return found;
  }

 private:
  static bool IsConvolution(const Operation& op) {
    return op.name() == "pd_op.conv2d" || op.name() == "pd_op.depthwise_conv2d" ||
           op.name() == "pd_op.fused_conv2d_add_act" || op.name() == "machine.packed_conv2d" ||
           op.name() == "machine.winograd_conv2d";
  }

  bool IsConstantWeight(Value value) const {
    const Operation* op = value ? value.defining_op() : nullptr;
    if (op == nullptr || op->name() != "builtin.parameter" || written_.Contains(value)) return false;
    const Parameter* weight = program_.weights()->Find(TextOf(*op, "name"));
    return weight != nullptr && !weight->is_mutable;
  }

  // Multiplications for one image; 0 of what the library does not take. Images of one pixel have no order.
  int64_t WorkOf(const Operation& op) const {
    if (!IsConvolution(op) || ImageDims(op.operand(0)).empty() || !IsConstantWeight(op.operand(1))) return 0;
    const std::vector<int64_t> filter = ImageDims(op.operand(1)), out = ImageDims(op.result(0));
    if (filter.empty() || out.empty() || out[2] * out[3] <= 1 || written_.Contains(op.result(0))) return 0;
    if (const auto format = TextOf(op, "data_format"); !format.empty() && format != "NCHW") return 0;
    const std::vector<int64_t> pads = IntsOf(op, "paddings");
    const bool is_symmetric = pads.size() == 2 || (pads.size() == 4 && pads[0] == pads[1] && pads[2] == pads[3]);
    if (TextOf(op, "padding_algorithm") == "SAME" || !is_symmetric) return 0;
    const std::string activation = TextOf(op, "activation");
    const bool has_residual = op.num_operands() > 3 && op.operand(3);
    if (has_residual && activation != "identity" && activation != "relu") return 0;
    if (op.num_results() > 1 && (!IntsOf(op, "split_channels").empty() || op.result(1).has_uses())) return 0;
    return out[1] * filter[1] * filter[2] * filter[3] * out[2] * out[3];
  }

  // Whether results are images with the channels last where operands are.
  static bool Keeps(const Operation& op) {
    if (op.info().HasTrait(Trait::Elementwise)) return true;
    const auto* kernel = op.info().GetInterface<KernelInfo>();
    if (kernel == nullptr) return false;
    const auto rules = CallRuleOf(kernel->kernel).inputs;
    return std::ranges::any_of(rules, [](const InputRule& rule) { return (rule.flags & kGivesLayout) != 0; });
  }

  void Visit(Operation* op, LargeConvolutions* found) {
    if (op->name() == "machine.channels_last") return static_cast<void>(last_.insert(op->result(0)));
    const bool is_large = WorkOf(*op) > 0;
    const auto is_last = [&](const OpOperand& operand) { return last_.contains(operand.value()); };
    const bool has_last = std::ranges::any_of(op->operands(), is_last);
    if (is_large) {
      found->all.push_back(op);
      if (!last_.contains(op->operand(0))) {
        found->borders.push_back(op);
        given_.insert(op->operand(0));
      }
    }
    if (is_large || (has_last && Keeps(*op))) {
      for (size_t i = 0; i < op->num_results(); ++i) {
        const std::vector<int64_t> dims = ImageDims(op->result(i));
        if (!dims.empty() && dims[2] * dims[3] > 1) last_.insert(op->result(i));
      }
      return;
    }
    for (const OpOperand& operand : op->operands()) {
      if (is_last(operand)) taken_.insert(operand.value());
    }
  }

  const Program& program_;
  const WrittenValues written_;
  std::unordered_set<Value> last_;           // values with the channels last
  std::unordered_set<Value> given_, taken_;  // those that are brought to that order, and back
};

}  // namespace

LargeConvolutions FindLargeConvolutions(const Program& program) { return Finder(program).Run(); }

bool HasPackedConvolution() {
  const auto pack = FindPrimitive<primitive::PackFilter>(Backend::CPU, DataType::FLOAT32);
  return pack != nullptr && Flags::Instance().use_onednn;
}

bool IsForWinograd(const Operation& op) {
  if (op.attribute<Int32Attribute>("groups").data() != 1) return false;
  for (const char* attribute : {"strides", "dilations"}) {
    if (IntsOf(op, attribute) != std::vector<int64_t>{1, 1}) return false;
  }
  const std::vector<int64_t> filter = ImageDims(op.operand(1)), out = ImageDims(op.result(0));
  const int64_t filters = out[1], channels = filter[1];
  return filter[2] == 3 && filter[3] == 3 && std::min(filters, channels) >= kWinogradChannels &&
         filters * channels * 9 <= kWinogradFilter && out[2] * out[3] >= kWinogradPixels;
}

void ReplaceConvolution(Program* program, Operation* op, const char* name) {
  std::vector<Value> operands(4);
  for (size_t i = 0; i < op->num_operands(); ++i) operands[i] = op->operand(i);
  std::vector<NamedAttribute> attributes;
  for (const AttributeInfo& attribute : program->context()->GetOpInfo(name).row().attributes) {
    if (const Attribute given = op->attribute(attribute.name)) attributes.emplace_back(attribute.name, given);
  }
  const Type type = op->result(0).type();
  Operation* made = Builder(program, op->block(), op).Create(name, operands, attributes, {&type, 1});
  made->set_location(op->location());
  made->set_result_name(0, op->result_name(0));
  op->result(0).ReplaceAllUsesWith(made->result(0));
  op->Erase();
}

}  // namespace phi::ir
