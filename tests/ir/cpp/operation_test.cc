// SPDX-License-Identifier: Apache-2.0
#include "../../core/cpp/check.h"
#include "ir/core/builder.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/dialect.h"
#include "ir/core/ir_mapping.h"
#include "ir/core/op_base.h"
#include "ir/core/verify.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"

using namespace phi::ir;  // NOLINT
using phi::DataType;

namespace {

// Operators, traits and an interface of a user's own.
class Fusible : public OpTraitBase<Fusible> {
 public:
  using OpTraitBase::OpTraitBase;
};

class Cost : public OpInterfaceBase<Cost> {
 public:
  struct Concept {
    int (*cost)(const Operation& op);
  };
  using OpInterfaceBase::OpInterfaceBase;
  int cost() const { return impl().cost(*operation()); }
};

class AddOp : public Op<AddOp, Fusible> {
 public:
  static constexpr const char* kName = "test.add";
  using Op::Op;
  Value x() const { return operation()->operand(0); }
};

constexpr InputInfo kInputs[] = {{"x"}, {.name = "y", .optional = true}};
constexpr Literal kOnes[] = {Literal::Int(1), Literal::Int(1)};
constexpr AttributeInfo kAttributes[] = {
    {"axis", AttributeKind::Int32, AttributeKind::Any, Literal::Int(-1)},
    {"strides", AttributeKind::Array, AttributeKind::Int32, Literal::List(kOnes)},
    {"mode", AttributeKind::Str},
};
constexpr OutputInfo kOutputs[] = {{"out"}};
int CostOfAdd(const Operation& op) { return static_cast<int>(op.num_operands()); }
constexpr Cost::Concept kCost = {CostOfAdd};
constexpr InterfaceRow kInterfaces[] = {{TypeId::Get<Cost>, &kCost}};
constexpr OpRow kOps[] = {{.name = "test.add",
                           .inputs = kInputs,
                           .attributes = kAttributes,
                           .outputs = kOutputs,
                           .traits = Trait::Commutative | Trait::Elementwise,
                           .interfaces = kInterfaces},
                          {.name = "test.region", .regions = 1}};
[[maybe_unused]] const bool kAdded = [] {
  RegisterOps("test", kOps);
  DialectRegistry::Instance().GetOrCreate("test").AddTrait<Fusible>("test.add");
  return true;
}();

Type Tensor(IrContext* context) { return DenseTensorType::get(context, DataType::FLOAT32, {2}); }

Operation* Make(Builder* builder, size_t results, std::vector<Value> operands = {}) {
  const std::vector<Type> types(results, Tensor(builder->context()));
  return builder->Create("unknown.op", operands, {}, types);
}

}  // namespace

TEST(an_operation_is_one_allocation) {
  Program program;
  Builder builder(&program);
  for (const size_t results : {0, 1, 5, 6, 7, 8, 20}) {
    Operation* op = Make(&builder, results);
    for (size_t i = 0; i < results; ++i) {
      CHECK_EQ(op->result(i).index(), i);
      CHECK(op->result(i).defining_op() == op);
      CHECK(op->result(i).type() == Tensor(program.context()));
      op->result(i).set_name("r" + std::to_string(i));
      CHECK_EQ(op->result(i).name(), "r" + std::to_string(i));
    }
    std::vector<Value> operands;
    for (size_t i = 0; i < results; ++i) operands.push_back(op->result(i));
    Operation* user = Make(&builder, 0, operands);
    for (size_t i = 0; i < results; ++i) {
      CHECK_EQ(user->operands()[i].index(), i);
      CHECK(user->operands()[i].owner() == user);
      CHECK(op->result(i).HasOneUse());
    }
  }
  CHECK(Verify(program).empty());
}

TEST(use_lists) {
  Program program;
  Builder builder(&program);
  Operation *a = Make(&builder, 1), *b = Make(&builder, 1);
  Operation* user = Make(&builder, 1, {a->result(0), a->result(0), b->result(0), Value()});
  CHECK(!a->result(0).HasOneUse());
  user->operands()[0].set(b->result(0));
  CHECK(a->result(0).HasOneUse());
  a->result(0).ReplaceAllUsesWith(b->result(0));
  CHECK(!a->result(0).has_uses());
  int uses = 0;
  for (OpOperand* use = b->result(0).first_use(); use != nullptr; use = use->next_use()) ++uses;
  CHECK_EQ(uses, 3);
  user->operands()[1].set(Value());
  b->result(0).ReplaceAllUsesWith(a->result(0));
  CHECK(user->operand(0) == a->result(0) && !user->operand(1) && user->operand(2) == a->result(0));
  CHECK_ERROR(a->Erase(), PreconditionNotMet, "'unknown.op' cannot be erased: 'unknown.op' uses a value of it");
  b->Erase();
  user->Erase();
  a->Erase();
  CHECK(program.block()->empty());
}

TEST(blocks_are_lists) {
  Program program;
  Builder builder(&program);
  Operation *a = Make(&builder, 0), *c = Make(&builder, 0);
  Operation* b = Make(std::make_unique<Builder>(&program, program.block(), c).get(), 0);
  CHECK(program.block()->front() == a && a->next() == b && b->next() == c && c->previous() == b);
  CHECK(program.block()->back() == c);
  CHECK_EQ(program.block()->size(), 3u);
  program.block()->Remove(b);
  program.block()->Insert(b);
  CHECK(program.block()->back() == b && c->next() == b);
  CHECK_ERROR(program.block()->Insert(b), PreconditionNotMet, "in a block already");
}

TEST(attributes_have_defaults) {
  Program program;
  IrContext* context = program.context();
  Builder builder(&program);
  const Value x = Make(&builder, 1)->result(0);
  const std::vector<Value> operands = {x, Value()};
  const std::vector<Type> types = {Tensor(context)};
  Operation* op = builder.Create("test.add", operands, {}, types);
  CHECK_EQ(op->attribute<Int32Attribute>("axis").data(), -1);
  CHECK_EQ(op->attribute("strides").ToString(), std::string("[1 : i32, 1 : i32]"));
  CHECK(!op->attribute("mode") && !op->attribute("other"));
  op->set_attribute("other", BoolAttribute::get(context, true));
  op->set_attribute("another", BoolAttribute::get(context, false));
  CHECK_EQ(op->other_attributes().size(), 2u);
  CHECK_EQ(op->other_attributes()[0].first, std::string("another"));
  op->set_attribute("other", Attribute());
  CHECK_EQ(op->other_attributes().size(), 1u);
  op->set_attribute("axis", Int32Attribute::get(context, 1));
  CHECK_EQ(op->attribute<Int32Attribute>("axis").data(), 1);
  IrContext other;
  CHECK_ERROR(op->set_attribute("axis", BoolAttribute::get(&other, true)), InvalidArgument, "of another context");
}

TEST(operators_have_traits_and_interfaces) {
  Program program;
  Builder builder(&program);
  const Value x = Make(&builder, 1)->result(0);
  const std::vector<Value> operands = {x, x};
  const std::vector<Type> types = {Tensor(program.context())};
  Operation* op = builder.Create("test.add", operands, {}, types);
  CHECK(op->info().HasTrait(Trait::Commutative) && !op->info().HasTrait(Trait::Random));
  CHECK(op->isa<Fusible>() && op->isa<Cost>() && op->isa<AddOp>());
  CHECK(DynCast<AddOp>(op).x() == x);
  CHECK_EQ(DynCast<Cost>(op).cost(), 2);
  CHECK(AddOp::HasTrait<Fusible>());
  Operation* unknown = x.defining_op();
  CHECK(!unknown->isa<Fusible>() && !unknown->isa<Cost>() && !DynCast<AddOp>(unknown));
  CHECK(unknown->info().HasTrait(Trait::SideEffect) && !unknown->info().is_registered());
  CHECK_ERROR(RegisterOps("tes", kOps), InvalidArgument, "'test.add' is no name in the dialect 'tes'");
  CHECK_ERROR(TraitOf("Comutative"), InvalidArgument, "unknown trait 'Comutative'");
}

TEST(a_library_may_be_loaded_anew) {
  constexpr OpRow kFirst[] = {{.name = "test.again", .traits = Trait::Random}};
  constexpr OpRow kSecond[] = {{.name = "test.again", .traits = Trait::Commutative}};
  RegisterOps("test", kFirst);
  Program program;
  Operation* first = Builder(&program).Create("test.again", {}, {}, {});
  RegisterOps("test", kSecond);
  Operation* second = Builder(&program).Create("test.again", {}, {}, {});
  CHECK(first->info().HasTrait(Trait::Random) && !first->info().HasTrait(Trait::Commutative));
  CHECK(second->info().HasTrait(Trait::Commutative) && first->name() == second->name());
}

TEST(handles_know_who_erased) {
  Program program;
  Builder builder(&program);
  Operation* op = Make(&builder, 0);
  const std::shared_ptr<HandleCell> cell = op->cell();
  CHECK(cell->object == op && op->cell() == cell);
  {
    const EraseScope scope("the pass 'cse'");
    op->Erase();
  }
  CHECK(cell->object == nullptr);
  CHECK_EQ(cell->erased_by, std::string("the pass 'cse'"));
}

TEST(regions_nest_so_deep) {
  Program program;
  Block* block = program.block();
  for (int i = 0; i < Block::kMaxDepth; ++i) {
    block = Builder(&program, block).Create("test.region", {}, {}, {}, 1)->regions()[0].AddBlock();
  }
  CHECK_ERROR(Builder(&program, block).Create("test.region", {}, {}, {}, 1), InvalidArgument, "64 deep");
  Operation* outer = program.block()->front();
  Operation* other = Builder(&program).Create("test.region", {}, {}, {}, 1);
  program.block()->Remove(outer);
  CHECK_ERROR(other->regions()[0].AddBlock()->Insert(outer), InvalidArgument, "64 deep");
  program.block()->Insert(outer);
}

TEST(erasing_looks_into_regions) {
  const auto program = ParseProgram(R"(phi.program 1
program {
  %x = a.b : f32[1]
  test.region() {
    ^(%i : f32[1]):
    %y = a.b(%x, %i) : f32[1]
    a.use(%y)
  }
  a.use(%x)
})");
  Operation* region = program->block()->front()->next();
  Block* body = region->regions()[0].block(0);
  Operation* last = program->block()->back();
  for (const Value inner : {Value(body->front()->result(0)), Value(body->argument(0))}) {
    last->operands()[0].set(inner);
    CHECK_ERROR(region->Erase(), PreconditionNotMet, "'test.region' cannot be erased");
  }
  CHECK_ERROR(body->EraseArgument(0), PreconditionNotMet, "argument 0 of the block is used");
  last->operands()[0].set(Value());
  const auto cell = body->front()->cell();
  region->Erase();
  CHECK(cell->object == nullptr);
}

TEST(clones_are_apart) {
  const char* text = R"(phi.program 1
symbols { s0 "x.0" >= 1 }
program {note = "n"} {
  %x = pd_op.data2 {n = 1 : i32} : f32[s0]
  %r, _ = a.loop(%x) {
    ^(%i : f32[s0]):
    %0 = a.b(%i, %x) : f32[1]  loc("here")
    cf.yield(%0)
  } else {
    cf.yield(%x)
  } : f32[1], none
  a.use(%r)
}  loc("m")
)";
  const auto program = ParseProgram(text);
  CHECK_EQ(ToText(*program), std::string(text));
  const auto copy = program->Clone();
  CHECK_EQ(ToText(*copy), std::string(text));
  program->block()->back()->Erase();
  program->block()->back()->Erase();
  CHECK_EQ(ToText(*copy), std::string(text));
  CHECK(copy->weights() != program->weights() && copy->context() == program->context());
}

TEST(walking_may_erase) {
  const auto program = ParseProgram("phi.program 1\nprogram {\na.a()\na.b() {\na.a()\na.c()\n}\na.a()\n}\n");
  std::string seen;
  Walk(program->module(), [&](Operation* op) {
    seen += op->name() + " ";
    if (op->name() == "a.a") op->Erase();
  });
  CHECK_EQ(seen, std::string("a.a a.b a.a a.c a.a "));
  CHECK_EQ(ToText(*program), std::string("phi.program 1\nprogram {\n  a.b() {\n    a.c()\n  }\n}\n"));
}

TEST(weights_have_versions) {
  Weights weights;
  Parameter parameter;
  parameter.dtype = DataType::FLOAT32;
  CHECK_EQ(weights.Set("w", parameter).version, 0);
  CHECK_EQ(weights.Set("w", parameter).version, 1);
  CHECK(weights.Find("w") != nullptr && weights.Find("v") == nullptr);
  CHECK(weights.Erase("w") && !weights.Erase("w"));
}
