// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "../../core/cpp/check.h"
#include "ir/core/builder.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/verify.h"
#include "ir/text/parser.h"

using namespace phi::ir;  // NOLINT

namespace {

std::vector<std::string> FaultTextsOf(const std::string& lines) {
  return Verify(*ParseProgram("phi.program 1\nsymbols { s0 >= 1 }\nprogram {\n" + lines + "}\n"));
}

// The lines have this fault, and no other.
void CheckFault(const std::string& lines, const std::string& part) {
  const auto faults = FaultTextsOf(lines);
  std::string all;
  for (const std::string& fault : faults) all += fault + "\n";
  if (faults.size() != 1 || faults[0].find(part) == std::string::npos) {
    throw std::runtime_error("expected '" + part + "', got: " + all);
  }
}

constexpr const char* kX = "  %x = pd_op.data {name = \"x\", shape = [2], dtype = float32} : f32[2]\n";
constexpr const char* kCondition = "  %c = pd_op.full {shape = [1], value = 0.0, dtype = bool} : bool[1]\n";

std::string WithInputs(const std::string& lines) { return kX + std::string(kCondition) + lines; }

}  // namespace

TEST(a_valid_program_has_no_faults) {
  CHECK(FaultTextsOf(WithInputs(R"(
  %v = builtin.combine(%x, %x) : vec<f32[2], f32[2]>
  %s = builtin.slice(%v) {index = 1} : f32[2]
  %p, %q = builtin.split(%v) : f32[2], f32[2]
  %r = pd_op.if(%c) {
    cf.yield(%s)
  } else {
    cf.yield(%p)
  } : f32[2]
  %w, %n = pd_op.while(%c, %r, %q) {
    ^(%i : f32[2], %j : f32[2]):
    %d = pd_op.less_than(%i, %j) : bool[2]
    cf.yield(%d, %j, %i)
  } : f32[2], f32[2]
  pd_op.fetch(%w) {name = "out", col = 0} : f32[2]
  torch.call(%x, none) {target = "aten.add.Tensor", alpha = 1 : i64} : f32[2]
  mine.op(%x)
)"))
            .empty());
}

TEST(counts) {
  CheckFault(WithInputs("  pd_op.add(%x) : f32[2]\n"), "'pd_op.add': expected 2 operands, got 1");
  CheckFault(WithInputs("  %y, %z = pd_op.add(%x, %x) : f32[2], f32[2]\n"),
             "'pd_op.add' (%y): expected 1 results, got 2");
  CheckFault(WithInputs("  %y = pd_op.if(%c) {\n cf.yield(%x)\n } : f32[2]\n"), "expected 2 regions, got 1");
  CheckFault(WithInputs("  pd_op.while() {\n cf.yield(%c)\n }\n"), "expected at least 1 operands, got 0");
}

TEST(operands_and_results) {
  CheckFault(WithInputs("  pd_op.add(%x, none) : f32[2]\n"), "operand 1 'y' is absent, but not optional");
  CheckFault(WithInputs("  pd_op.concat(%x, none) : f32[2]\n"), "operand 0 'x': expected a list, got f32[2]");
  CheckFault(WithInputs("  %v = builtin.combine(%x) : vec<f32[2]>\n  pd_op.relu(%v) : f32[2]\n"),
             "operand 0 'x': expected a tensor, got vec<f32[2]>");
  CheckFault(WithInputs("  pd_op.relu(%x) : vec<f32[2]>\n"), "result 0 'out': expected a tensor, got vec<f32[2]>");
  CheckFault(WithInputs("  pd_op.relu(%x) : none\n"), "result 0 'out' has no type");
  CheckFault(WithInputs("  %y = u.v : none\n  u.w(%y)\n"), "operand 0 is a result that is absent");
  CheckFault(WithInputs("  pd_op.relu(%x) : f32[s0,s1]\n"),
             "f32[s0,s1] has the symbol s1, which the program does not define");
}

TEST(attributes_are_of_their_kind) {
  CheckFault(WithInputs("  pd_op.fetch(%x) {name = \"out\"} : f32[2]\n"), "attribute 'col' is missing");
  CheckFault(WithInputs("  pd_op.fetch(%x) {name = \"out\", col = #0 : i64} : f32[2]\n"),
             "attribute 'col': expected i32, got 0 : i64");
  CheckFault(WithInputs("  pd_op.split(%x, none, none) {sections = [1], axis = #\"a\"} : vec<f32[2]>\n"),
             "attribute 'axis': expected scalar, got \"a\"");
  CheckFault(WithInputs("  pd_op.reshape(%x, none) : f32[2]\n"), "attribute 'shape' is missing");
  CHECK(FaultTextsOf(WithInputs("  pd_op.reshape(%x, %x) : f32[2]\n")).empty());
}

TEST(definitions_come_before_uses) {
  auto program = ParseProgram(
      "phi.program 1\nprogram {\n  %a = u.a : f32[1]\n  %b = u.b(%a) : f32[1]\n  u.c() {\n    %d = u.d : f32[1]\n    "
      "u.e(%d)\n  }\n}\n");
  Operation *a = program->block()->front(), *b = a->next(), *c = b->next();
  CHECK(Verify(*program).empty());
  program->block()->Remove(a);
  program->block()->Insert(a);
  CHECK(Verify(*program).size() == 1 &&
        Verify(*program)[0].find("operand 0 is used before it is defined") != std::string::npos);
  program->block()->Remove(a);
  program->block()->Insert(a, b);
  CHECK(Verify(*program).empty());
  b->operands()[0].set(c->regions()[0].block(0)->front()->result(0));
  CHECK(Verify(*program)[0].find("or outside of its region") != std::string::npos);
  b->operands()[0].set(b->result(0));
  CHECK(Verify(*program)[0].find("is used before it is defined") != std::string::npos);
}

TEST(values_and_contexts_of_other_programs) {
  const auto program = ParseProgram("phi.program 1\nprogram {\n  %a = u.a : f32[1]\n}\n");
  const auto other = ParseProgram("phi.program 1\nprogram {\n  %a = u.a : f32[1]\n  u.b(%a)\n}\n");
  program->block()->front()->result(0).set_type(other->block()->front()->result(0).type());
  CHECK(Verify(*program)[0].find("its type is of another context") != std::string::npos);
  Operation* user = other->block()->back();
  user->operands()[0].set(program->block()->front()->result(0));
  CHECK(Verify(*program).back().find("is used by an operation outside of the program") != std::string::npos);
  CHECK(!Verify(*other).empty());
  user->operands()[0].set(Value());
}

TEST(terminators) {
  CheckFault(WithInputs("  cf.yield(%x)\n"), "a program has no terminator");
  CheckFault(WithInputs("  pd_op.if(%c) {\n pd_op.relu(%x) : f32[2]\n } else {\n cf.yield()\n }\n"),
             "a block of it does not end with a terminator such as cf.yield");
  CheckFault(
      WithInputs("  pd_op.if(%c) {\n cf.yield()\n pd_op.relu(%x) : f32[2]\n cf.yield()\n } else {\n cf.yield()\n }\n"),
      "'cf.yield': it ends a block, but more operations come after it");
  CheckFault(WithInputs("  pd_op.if(%c) {\n cf.yield()\n ^():\n cf.yield()\n } else {\n cf.yield()\n }\n"),
             "region 0: expected one block, got 2");
}

TEST(branches_and_loops) {
  CheckFault(WithInputs("  pd_op.if(%x) {\n cf.yield()\n } else {\n cf.yield()\n }\n"),
             "operand 0 'cond': expected a tensor of bool, got f32[2]");
  CheckFault(WithInputs("  %y = pd_op.if(%c) {\n cf.yield(%x)\n } else {\n cf.yield()\n } : f32[2]\n"),
             "the yield of region 1: expected 1 values, got 0");
  CheckFault(WithInputs("  %y = pd_op.if(%c) {\n cf.yield(%x)\n } else {\n cf.yield(%c)\n } : f32[2]\n"),
             "the yield of region 1: value 0: expected f32[2], got bool[1]");
  CheckFault(WithInputs("  pd_op.if(%c) {\n ^(%a : f32[2]):\n cf.yield()\n } else {\n cf.yield()\n }\n"),
             "region 0 takes no arguments");
  CheckFault(WithInputs("  %y = pd_op.while(%c, %x) {\n ^(%i : i32[2]):\n cf.yield(%c, %x)\n } : f32[2]\n"),
             "the arguments of the body: value 0: expected f32[2], got i32[2]");
  CheckFault(WithInputs("  %y = pd_op.while(%c, %x) {\n ^(%i : f32[2]):\n cf.yield()\n } : f32[2]\n"),
             "expected the condition of the next round");
  CheckFault(WithInputs("  %y = pd_op.while(%c, %x) {\n ^(%i : f32[2]):\n cf.yield(%c)\n } : f32[2]\n"),
             "the yield of the body after its condition: expected 1 values, got 0");
  CheckFault(WithInputs("  %y = pd_op.while(%c, %x) {\n ^(%i : f32[2]):\n cf.yield(%c, %x)\n } : i32[2]\n"),
             "the results: value 0: expected f32[2], got i32[2]");
}

TEST(memory_that_is_shared) {
  CheckFault(WithInputs("  pd_op.relu_(%x) : f32[3]\n"),
             "result 0 is operand 0 in place: expected the shape of f32[2], got f32[3]");
  CheckFault(WithInputs("  pd_op.relu_(%x) : i32[2]\n"), "expected the data type of f32[2], got i32[2]");
  CHECK(FaultTextsOf(WithInputs("  pd_op.relu_(%x) : f32[s0]\n")).empty());
  CHECK(FaultTextsOf(WithInputs("  pd_op.reshape_(%x, none) {shape = [1,2]} : f32[1,2]\n")).empty());
  CheckFault(WithInputs("  pd_op.reshape(%x, none) {shape = [1,2]} : i32[1,2]\n"),
             "expected the data type of f32[2], got i32[1,2]");
}

TEST(lists) {
  CheckFault(WithInputs("  builtin.combine(%x) : vec<i32[2]>\n"), "operands 0: expected i32[2], got f32[2]");
  CheckFault(WithInputs("  builtin.combine(%x) : vec<>\n"), "expected 0 operands, as many as vec<> has, got 1");
  const std::string list = WithInputs("  %v = builtin.combine(%x) : vec<f32[2]>\n");
  CheckFault(list + "  builtin.split(%v) : i32[2]\n", "results 0: expected f32[2], got i32[2]");
  CheckFault(list + "  builtin.slice(%v) {index = 1} : f32[2]\n", "attribute 'index': expected 0 to 0, got 1");
  CheckFault(list + "  builtin.slice(%v) {index = 0} : i32[2]\n", "result 0: expected f32[2], got i32[2]");
  CheckFault(WithInputs("  builtin.to_tensor(%x) : f32[2]\n"), "expected a tensor of the operand's type");
  CheckFault(WithInputs("  builtin.to_vtensor(%x) : f32[2]\n"), "expected a vtensor of the operand's type");
}

TEST(weights_fit_their_types) {
  const auto program = ParseProgram("phi.program 1\nprogram {\n  %w = builtin.parameter {name = \"w\"} : f32[2]\n}\n");
  CHECK(Verify(*program).empty());
  Parameter parameter;
  parameter.dtype = phi::DataType::FLOAT32;
  parameter.dims = {2};
  program->weights()->Set("w", parameter);
  CHECK(Verify(*program).empty());
  parameter.dims = {3};
  program->weights()->Set("w", parameter);
  CHECK_EQ(Verify(*program)[0],
           std::string("'builtin.parameter' (%w): the weight 'w' is f32[3], but its result is f32[2]"));
}

TEST(twenty_messages_at_most) {
  std::string lines = kX;
  for (int i = 0; i < 40; ++i) lines += "  pd_op.add(%x) : f32[2]\n";
  CHECK_EQ(FaultTextsOf(lines).size(), Report::kMost);
}
