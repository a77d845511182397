// SPDX-License-Identifier: Apache-2.0
#include "common/enforce.h"
#include "ir/core/builtin_type.h"
#include "ir/core/dialect.h"
#include "ir/core/region.h"
#include "ir/core/region_branch.h"
#include "ir/core/verify.h"

// Branches, loops and fused operations: they have regions, each ended by cf.yield with the values that it gives.
namespace phi::ir {
namespace {

using enforce::Format;

// Whether a value of one type may stand where another is: sizes may change between branches and from one round to the
// next.
bool MayStandFor(Type given, Type expected) {
  const auto a = given.dyn_cast<TensorType>(), b = expected.dyn_cast<TensorType>();
  if (a && b) return a.kind() == b.kind() && a.dtype() == b.dtype() && a.value_semantics() == b.value_semantics();
  return given == expected || (given && expected && given.id() == expected.id());
}

// The terminator of a region's only block; null, with a fault, where there is none.
const Operation* YieldOf(const Operation& op, size_t region, Report* report) {
  const Region& body = op.regions()[region];
  if (body.size() != 1) {
    report->Add(op, Format("region %d: expected one block, got %d", region, body.size()));
    return nullptr;
  }
  const Operation* yield = body.block(0)->back();
  return yield != nullptr && yield->name() == "cf.yield" ? yield : nullptr;  // another end is reported for all blocks
}

void CheckTypes(const Operation& op,
                const std::string& what,
                std::span<const Type> given,
                std::span<const Type> expected,
                Report* report) {
  if (given.size() != expected.size()) {
    report->Add(op, Format("%s: expected %d values, got %d", what, expected.size(), given.size()));
    return;
  }
  for (size_t i = 0; i < given.size(); ++i) {
    if (MayStandFor(given[i], expected[i])) continue;
    report->Add(op, Format("%s: value %d: expected %s, got %s", what, i, expected[i], given[i]));
  }
}

std::vector<Type> OperandTypes(const Operation& op, size_t first) {
  std::vector<Type> types;
  for (size_t i = first; i < op.num_operands(); ++i) types.push_back(op.operand(i) ? op.operand(i).type() : Type());
  return types;
}

std::vector<Type> ResultTypes(const Operation& op) {
  std::vector<Type> types;
  for (size_t i = 0; i < op.num_results(); ++i) types.push_back(op.result(i).type());
  return types;
}

void CheckCondition(const Operation& op, Report* report) {
  if (op.num_operands() == 0 || !op.operand(0)) return;
  const auto type = op.operand(0).type().dyn_cast<DenseTensorType>();
  if (type && type.dtype() == DataType::BOOL) return;
  report->Add(op, Format("operand 0 'cond': expected a tensor of bool, got %s", op.operand(0).type()));
}

// Of one that runs each region at most once.
void CheckRegions(const Operation& op, Report* report) {
  for (size_t r = 0; r < op.regions().size(); ++r) {
    const Operation* yield = YieldOf(op, r, report);
    if (yield == nullptr) continue;
    if (op.regions()[r].block(0)->num_arguments() != 0) report->Add(op, Format("region %d takes no arguments", r));
    CheckTypes(op, Format("the yield of region %d", r), OperandTypes(*yield, 0), ResultTypes(op), report);
  }
}

void VerifyIf(const Operation& op, Report* report) {
  CheckCondition(op, report);
  CheckRegions(op, report);
}

void VerifyWhile(const Operation& op, Report* report) {
  CheckCondition(op, report);
  if (op.regions().empty() || op.num_operands() == 0) return;
  const Operation* yield = YieldOf(op, 0, report);
  if (yield == nullptr) return;
  const std::vector<Type> initial = OperandTypes(op, 1);
  const Block& body = *op.regions()[0].block(0);
  std::vector<Type> arguments;
  for (size_t i = 0; i < body.num_arguments(); ++i) arguments.push_back(body.argument(i).type());
  CheckTypes(op, "the arguments of the body", arguments, initial, report);
  CheckTypes(op, "the results", ResultTypes(op), initial, report);
  if (yield->num_operands() == 0) {
    report->Add(*yield, "expected the condition of the next round and the next values, got nothing");
    return;
  }
  CheckCondition(*yield, report);
  CheckTypes(op, "the yield of the body after its condition", OperandTypes(*yield, 1), initial, report);
}

constexpr InputInfo kCondition[] = {{"cond"}};
constexpr InputInfo kInlet[] = {{"inlet"}};
constexpr InputInfo kOutlet[] = {{"outlet"}};
constexpr OutputInfo kStack[] = {{"stack"}, {"inlet"}, {"outlet"}};

constexpr OutputInfo kFusedOut[] = {{"out"}};

constexpr OpRow kControlFlow[] = {
    {.name = "cf.yield", .traits = Trait::Terminator | Trait::ReadOnly, .variadic_operands = true},
    {.name = "cf.stack_create", .outputs = kStack, .traits = Trait::SideEffect},
    {.name = "cf.tuple_push", .inputs = kInlet, .traits = Trait::SideEffect, .variadic_operands = true},
    {.name = "cf.tuple_pop", .inputs = kOutlet, .traits = Trait::SideEffect, .variadic_results = true},
};

constexpr RegionBranch::Concept kIfBranch = {.repeats = false, .first_operand = 1, .first_yielded = 0};
constexpr RegionBranch::Concept kWhileBranch = {.repeats = true, .first_operand = 1, .first_yielded = 1};
constexpr RegionBranch::Concept kFusedBranch = {.repeats = false, .first_operand = 0, .first_yielded = 0};
constexpr InterfaceRow kIfInterfaces[] = {{&TypeId::Get<RegionBranch>, &kIfBranch}};
constexpr InterfaceRow kWhileInterfaces[] = {{&TypeId::Get<RegionBranch>, &kWhileBranch}};
constexpr InterfaceRow kFusedInterfaces[] = {{&TypeId::Get<RegionBranch>, &kFusedBranch}};

constexpr OpRow If(const char* name) {
  return {.name = name,
          .inputs = kCondition,
          .regions = 2,
          .variadic_results = true,
          .interfaces = kIfInterfaces,
          .verify = VerifyIf};
}
constexpr OpRow While(const char* name) {
  return {.name = name,
          .inputs = kCondition,
          .regions = 1,
          .variadic_operands = true,
          .variadic_results = true,
          .interfaces = kWhileInterfaces,
          .verify = VerifyWhile};
}

constexpr OpRow kBranches[] = {If("pd_op.if"), While("pd_op.while")};
constexpr OpRow kKernelBranches[] = {
    If("pd_kernel.if"),
    While("pd_kernel.while"),
    {.name = "pd_kernel.fused_elementwise",
     .outputs = kFusedOut,
     .regions = 1,
     .interfaces = kFusedInterfaces,
     .verify = CheckRegions},
};

[[maybe_unused]] const bool kBranchesRegistered =
    RegisterOps("cf", kControlFlow) && RegisterOps("pd_op", kBranches) && RegisterOps("pd_kernel", kKernelBranches);

}  // namespace
}  // namespace phi::ir
