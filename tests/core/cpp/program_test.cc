// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_context.h"
#include "check.h"
#include "core/device_context_pool.h"
#include "core/op_utils.h"
#include "program/grad_op_desc.h"
#include "program/kernel_operator.h"
#include "program/op_registry.h"

namespace phi {

// out = "seen" once the block of the program has run, to show what an operator without a kernel is given.
class CountedLoopOp final : public OperatorBase {
 public:
  using OperatorBase::OperatorBase;

 protected:
  void RunImpl(const RunContext& context) override {
    for (int i = 0; i < Attr<int32_t>("times", 1); ++i) context.run_block(1, context.scope);
    *Output(context.scope, "Out")->GetMutable<DenseTensor>() = *Input(*context.scope, "X")->TryGet<DenseTensor>();
  }
};
REGISTER_OPERATOR(counted_loop, CountedLoopOp);

}  // namespace phi

namespace {

using namespace phi;  // NOLINT

DenseTensor Numbers(const DDim& dims, float first = 0) {
  DenseTensor tensor;
  tensor.Resize(dims);
  float* data = DeviceContextPool::Instance().Get(CPUPlace())->Alloc<float>(&tensor);
  for (int64_t i = 0; i < tensor.numel(); ++i) data[i] = first + static_cast<float>(i);
  return tensor;
}

float First(const Scope& scope, const char* name) {
  return scope.FindVar(name)->TryGet<DenseTensor>()->data<float>()[0];
}

void Put(Scope* scope, const char* name, const DenseTensor& tensor) {
  *scope->Var(name)->GetMutable<DenseTensor>() = tensor;
}

OpDesc Add(const char* x, const char* y, const char* out) {
  return {"elementwise_add", {{"X", {x}}, {"Y", {y}}}, {{"Out", {out}}}, {{"axis", int32_t{-1}}}};
}

}  // namespace

TEST(scopes_are_a_tree) {
  Scope scope;
  Variable* x = scope.Var("x");
  Scope* kid = scope.NewScope();
  CHECK(kid->FindVar("x") == x && kid->FindLocalVar("x") == nullptr && kid->parent() == &scope);
  CHECK(kid->Var("x") != x && kid->FindVar("x") != x && scope.FindVar("x") == x);
  kid->EraseVars({"x"});
  CHECK(kid->FindVar("x") == x);
  CHECK_EQ(scope.kids().size(), 1u);
  Scope other;
  CHECK_ERROR(other.DeleteScope(kid), NotFound, "none of the 0");
  scope.DeleteScope(kid);
  CHECK(scope.kids().empty() && scope.LocalVarNames() == std::vector<std::string>{"x"});
}

TEST(variables_hold_one_value_of_any_type) {
  Variable variable;
  CHECK(!variable.IsInitialized() && variable.Kind() == VariableKind::kAbsent);
  auto* dense = variable.GetMutable<DenseTensor>();
  CHECK(!variable.IsInitialized());
  *dense = Numbers({2});
  CHECK(variable.Kind() == VariableKind::kDense && variable.TryGet<SelectedRows>() == nullptr);
  variable.Clear();
  CHECK(!variable.IsInitialized() && variable.GetMutable<DenseTensor>() == dense);
  variable.GetMutable<TensorArray>()->push_back(Numbers({2}));
  CHECK(variable.Kind() == VariableKind::kDenseArray && variable.TryGet<DenseTensor>() == nullptr);
  *variable.GetMutable<std::string>() = "text";
  CHECK(variable.IsInitialized() && variable.Kind() == VariableKind::kOther);
}

TEST(an_operator_runs_its_kernel) {
  Scope scope;
  Put(&scope, "x", Numbers({2, 2}, 1));
  Put(&scope, "y", Numbers({2, 2}, 10));
  KernelOperator add(Add("x", "y", "out"));
  CHECK(add.signature() == nullptr);
  add.Run({&scope});
  CHECK_EQ(First(scope, "out"), 11.0f);
  CHECK_EQ(add.signature()->DebugString(), std::string("add (X,Y ;  -> Out)"));
  const Kernel* kernel = add.plan()->selected.kernel;
  Put(&scope, "x", Numbers({3, 2, 2}, 2));  // other shapes, the same plan
  add.Run({&scope});
  CHECK_EQ(First(scope, "out"), 12.0f);
  CHECK(add.plan()->selected.kernel == kernel &&
        scope.FindVar("out")->TryGet<DenseTensor>()->dims() == DDim({3, 2, 2}));
  Scope kid;
  Put(&kid, "x", Numbers({1}, 5));
  Put(&kid, "y", Numbers({1}, 6));
  add.Run({&kid});
  CHECK_EQ(First(kid, "out"), 11.0f);
  CHECK_EQ(First(scope, "out"), 12.0f);
}

TEST(results_go_to_variables_that_are_read) {
  Scope scope;
  const DenseTensor x = Numbers({2}, 1);
  Put(&scope, "x", x);
  KernelOperator add(Add("x", "x", "x"));
  for (const float expected : {2.0f, 4.0f}) {
    add.Run({&scope});
    CHECK_EQ(First(scope, "x"), expected);
  }
  Put(&scope, "param", Numbers({2}, 1));
  Put(&scope, "rate", Numbers({1}, 1));
  Put(&scope, "grad", Numbers({2}, 0.25));
  const void* before = scope.FindVar("param")->TryGet<DenseTensor>()->data();
  const VariableNameMap inputs = {{"Param", {"param"}}, {"LearningRate", {"rate"}}, {"Grad", {"grad"}}};
  KernelOperator sgd({"sgd", inputs, {{"ParamOut", {"param"}}}, {}});
  sgd.Run({&scope});
  CHECK_EQ(First(scope, "param"), 0.75f);
  CHECK(scope.FindVar("param")->TryGet<DenseTensor>()->data() == before);
  KernelOperator apart({"sgd", inputs, {{"ParamOut", {"updated"}}}, {}});
  apart.Run({&scope});
  CHECK_EQ(First(scope, "updated"), 0.5f);
  CHECK_EQ(First(scope, "param"), 0.75f);
}

TEST(attributes_of_tensors_and_defaults) {
  Scope scope;
  Put(&scope, "x", Numbers({2}, 1));
  Put(&scope, "by", Numbers({1}, 3));
  KernelOperator scale({"scale", {{"X", {"x"}}, {"ScaleTensor", {"by"}}}, {{"Out", {"out"}}}, {}});
  scale.Run({&scope});
  CHECK_EQ(First(scope, "out"), 3.0f);
  Put(&scope, "by", Numbers({1}, 4));
  scale.Run({&scope});
  CHECK_EQ(First(scope, "out"), 4.0f);
  KernelOperator plain({"scale", {{"X", {"x"}}}, {{"Out", {"out"}}}, {{"bias", 0.5f}}});
  plain.Run({&scope});
  CHECK_EQ(First(scope, "out"), 1.5f);
  CHECK(std::get<bool>(plain.attributes().at("bias_after_scale")));
}

TEST(operators_that_cannot_run) {
  Scope scope;
  Put(&scope, "x", Numbers({2}, 1));
  CHECK_ERROR(OpRegistry::CreateOp({"no_such_operator", {}, {}, {}}), NotFound, "'no_such_operator'");
  CHECK_ERROR(OpRegistry::CreateOp(Add("x", "y", "out"))->Run({&scope}), NotFound, "slot Y: variable 'y' has no value");
  KernelOperator none({"elementwise_add", {{"X", {"x"}}}, {{"Out", {"out"}}}, {}});
  CHECK_ERROR(none.Run({&scope}), Unimplemented, "slot Y: expected a variable, got none");
  KernelOperator text({"softmax", {{"X", {"x"}}}, {{"Out", {"out"}}}, {{"axis", std::string("last")}}});
  CHECK_ERROR(text.Run({&scope}), InvalidArgument, "operator 'softmax', attribute axis: expected");
}

TEST(operators_without_a_kernel) {
  CHECK(OpRegistry::Instance().Contains("counted_loop") && !OpRegistry::Instance().Contains("scale"));
  Scope scope;
  Put(&scope, "x", Numbers({2}, 1));
  KernelOperator body(Add("x", "x", "x"));
  const auto run_block = [&](int block, Scope* inner) {
    CHECK_EQ(block, 1);
    body.Run({inner});
  };
  const OpDesc desc{"counted_loop", {{"X", {"x"}}}, {{"Out", {"out"}}}, {{"times", int32_t{3}}}};
  OpRegistry::CreateOp(desc)->Run({&scope, CPUPlace(), run_block});
  CHECK_EQ(First(scope, "out"), 8.0f);
  CHECK_ERROR(
      OpRegistry::CreateOp({"counted_loop", {{"X", {"x"}}}, {{"Out", {"out"}}}, {{"times", 3.0f}}})->Run({&scope}),
      InvalidType,
      "attribute 'times'");
}

TEST(gradient_operators_from_definitions) {
  const OpDesc grad = GradOpDesc(Add("x", "y", "out"), {"y@GRAD"});
  CHECK_EQ(grad.type, std::string("elementwise_add_grad"));
  CHECK_EQ(grad.Input("Out@GRAD")[0], std::string("out@GRAD"));
  CHECK_EQ(grad.Output("X@GRAD")[0], std::string("x@GRAD"));
  CHECK(grad.Output("Y@GRAD").empty() && std::get<int32_t>(grad.attrs.at("axis")) == -1);
  const OpDesc concat{"concat", {{"X", {"a", "b"}}}, {{"Out", {"c"}}}, {}};
  CHECK(GradOpDesc(concat, {"a@GRAD"}).Output("X@GRAD") == std::vector<std::string>({"@EMPTY@", "b@GRAD"}));
  CHECK_ERROR(GradOpDesc({"shape", {}, {}, {}}), Unimplemented, "'shape' has no gradient");
}
