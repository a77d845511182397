// SPDX-License-Identifier: Apache-2.0
#include "ir/core/dialect.h"

// Operators that mean something on this machine only: what passes of level 3 and above make, which no file holds.
namespace phi::ir::machine_ops {
namespace {

constexpr AttributeInfo Ints(const char* name) { return {name, AttributeKind::Array, AttributeKind::Int32}; }

constexpr TraitSet kTraits = Trait::ReadOnly | Trait::ValueSemantics | Trait::MachineDependent;
constexpr InputInfo kX[] = {{"x"}};
constexpr OutputInfo kOut[] = {{"out"}};

// The arguments of pd_op.fused_conv2d_add_act that say what it computes, of images in the order NCHW.
constexpr InputInfo kImages[] = {{"input"}, {"filter"}, {"bias", true}, {"residual_data", true}};
constexpr AttributeInfo kConv[] = {
    Ints("strides"),
    Ints("paddings"),
    {"padding_algorithm", AttributeKind::Str},
    Ints("dilations"),
    {"groups", AttributeKind::Int32},
    {"activation", AttributeKind::Str, AttributeKind::Any, Literal::Str("identity")},
    {"fuse_alpha", AttributeKind::Float, AttributeKind::Any, Literal::Float(0)},
};

constexpr OpRow kOps[] = {
    // the same images, in memory with the channels last
    {.name = "machine.channels_last", .inputs = kX, .outputs = kOut, .traits = kTraits},
    // with a filter that is packed when it first runs
    {.name = "machine.packed_conv2d", .inputs = kImages, .attributes = kConv, .outputs = kOut, .traits = kTraits},
    // by Winograd's algorithm, with the coefficients of a filter that are computed when it first runs
    {.name = "machine.winograd_conv2d", .inputs = kImages, .attributes = kConv, .outputs = kOut, .traits = kTraits},
};

[[maybe_unused]] const bool kRegistered = RegisterOps("machine", kOps);

}  // namespace
}  // namespace phi::ir::machine_ops
