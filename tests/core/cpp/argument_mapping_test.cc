// SPDX-License-Identifier: Apache-2.0
#include "check.h"
#include "core/kernel_factory.h"
#include "core/op_utils.h"

namespace phi {
namespace {

TEST(SlotsAnswerWhatStandsInThem) {
  SlotArguments op({{"X", {VariableKind::kDense, VariableKind::kSelectedRows}}, {"Shape", {}}},
                   {{"Out", {VariableKind::kSelectedRows}}},
                   {{"axis", int32_t{-1}}, {"shape", std::vector<int64_t>{2}}},
                   /*for_infer_shape=*/false);
  CHECK(op.HasInput("X") && !op.HasInput("Shape") && !op.HasInput("Y") && op.HasOutput("Out"));
  CHECK_EQ(op.InputSize("X"), 2u);
  CHECK(op.IsDenseTensorInput("X") && !op.IsDenseTensorInputs("X") && !op.IsDenseTensorInputs("Shape"));
  CHECK(op.IsSelectedRowsOutput("Out") && !op.IsDenseTensorOutput("Out"));
  CHECK_EQ(paddle::any_cast<int>(op.Attr("axis")), -1);
  CHECK(paddle::any_cast<std::vector<int64_t>>(op.Attr("shape")) == std::vector<int64_t>{2});
  CHECK_ERROR(op.Attr("axes"), NotFound, "no attribute 'axes'");
  CHECK(op.IsRuntime());
}

KernelSignature Undeclared(const ArgumentMappingContext&) { return KernelSignature("b", {"X"}, {}, {"Out"}); }

TEST(AFunctionAnswersWhatItDeclares) {
  auto& map = OpUtilsMap::Instance();
  CHECK(map.InsertArgumentMappingFn("test_undeclared", &Undeclared));
  CHECK_ERROR(map.Signatures("test_undeclared"), Unimplemented, "add PD_REGISTER_SIGNATURES(test_undeclared");
  const SlotArguments nothing({}, {}, {}, false);
  CHECK_EQ(map.Map("test_undeclared", nothing).name, "b");
  CHECK(map.InsertSignatures("test_undeclared", {{"a", "X", "", "Out"}}));
  CHECK_ERROR(map.Map("test_undeclared", nothing), Fatal, "answers b (X ;  -> Out), which is none of its signatures");
}

TEST(MappingsAreRegisteredOnce) {
  auto& map = OpUtilsMap::Instance();
  CHECK(map.InsertBaseKernelName("test_twice", "first"));
  CHECK(!map.InsertBaseKernelName("test_twice", "second"));
  CHECK_EQ(map.GetBaseKernelName("test_twice"), "first");
  const auto errors = KernelFactory::Instance().TakeErrors();
  CHECK_EQ(errors.back(), "the base kernel name of the operator 'test_twice' is registered twice");
}

TEST(AlternativesAreTakenInTheirOrder) {
  auto& map = OpUtilsMap::Instance();
  CHECK(map.InsertSignatures("test_order",
                             {{"k", "selected_rows[] X", "", "Out"}, {"k", "X", "A|B|c,d|E", "given Out"}}));
  const auto mapped = [&](SlotKinds inputs, SlotKinds outputs) {
    return map.Map("test_order", SlotArguments(std::move(inputs), std::move(outputs), {}, false)).DebugString();
  };
  const std::vector<VariableKind> one = {VariableKind::kDense}, rows(2, VariableKind::kSelectedRows);
  CHECK_EQ(mapped({{"A", one}, {"B", one}}, {{"Out", one}}), "k (X ; A,E -> Out)");
  CHECK_EQ(mapped({{"A", {}}, {"B", one}}, {{"Out", one}}), "k (X ; B,E -> Out)");
  CHECK_EQ(mapped({}, {{"Out", one}}), "k (X ; c,E -> Out)");
  CHECK_EQ(mapped({{"X", rows}}, {}), "k (X ;  -> Out)");
  CHECK_EQ(mapped({}, {}), "unregistered ( ;  -> )");
  CHECK_EQ(map.Signatures("test_order").size(), 7u);
}

}  // namespace
}  // namespace phi
