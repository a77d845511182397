// SPDX-License-Identifier: Apache-2.0
#include "../../core/cpp/check.h"
#include "ir/core/builder.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/verify.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"

using namespace phi::ir;  // NOLINT

namespace {

// A program's text, printed and read again, is the same.
void RoundTrip(const std::string& text) {
  const auto program = ParseProgram(text);
  const std::string printed = ToText(*program);
  CHECK_EQ(printed, text);
  const std::string full = ToText(*program, true);
  CHECK_EQ(ToText(*ParseProgram(full)), text);
}

std::string InProgram(const std::string& lines) { return "phi.program 1\nprogram {\n" + lines + "}\n"; }

std::vector<TextFault> FaultsOf(const std::string& text) {
  try {
    ParseProgram(text);
  } catch (const ParseError& error) {
    return error.faults();
  }
  return {};
}

void CheckFault(const std::string& text, int line, int column, const std::string& part) {
  const auto faults = FaultsOf(text);
  std::string all;
  for (const TextFault& fault : faults) all += fault.message + "\n";
  if (faults.size() != 1) throw std::runtime_error("expected one fault, got: " + all);
  if (faults[0].message.find(part) == std::string::npos) throw std::runtime_error(faults[0].message);
  CHECK_EQ(faults[0].place.line, line);
  CHECK_EQ(faults[0].place.column, column);
}

}  // namespace

TEST(the_listing_of_a_program) {
  RoundTrip(R"(phi.program 1
symbols { s0 >= 1 }
program {
  %w = builtin.parameter {name = "conv2d_0.w_0"} : f32[6,1,3,3]
  %b = builtin.parameter {name = "conv2d_0.b_0"} : f32[6]
  %image = pd_op.data {name = "image", shape = [-1,1,28,28], dtype = float32} : f32[s0,1,28,28]
  %0 = pd_op.conv2d(%image, %w) {strides = [2,2], paddings = [1,1]} : f32[s0,6,28,28]
  %1 = pd_op.reshape(%b, none) {shape = [1,-1,1,1]} : f32[1,6,1,1]
  %2 = pd_op.add(%0, %1) : f32[s0,6,28,28]  loc("/Sequential/Conv2D/")
  %c = pd_op.full {shape = [1], value = 0.0, dtype = bool, place = gpu:0} : bool[1]
  %3 = pd_op.if(%c) {
    %4 = pd_op.relu(%2) : f32[s0,6,28,28]
    cf.yield(%4)
  } else {
    cf.yield(%2)
  } : f32[s0,6,28,28]
  pd_op.fetch(%3) {name = "out", col = 0} : f32[s0,6,28,28]
}
)");
}

TEST(a_program_needs_no_variables_beside_its_ops) {
  const std::string text = R"(phi.program 1
symbols { s0 "image.0" >= 1 <= 64 % 8 }
program {
  %image = pd_op.data {name = "image", shape = [-1,784], dtype = float32} : f32[s0,784]
  %w = builtin.parameter {name = "fc_0.w_0"} : f32[784,784]
  %b = builtin.parameter {name = "fc_0.b_0"} : f32[784]
  %0 = pd_op.matmul(%image, %w) : f32[s0,784]
  %1 = pd_op.add(%0, %b) : f32[s0,784]
  pd_op.fetch(%1) {name = "out", col = 0} : f32[s0,784]
}
)";
  RoundTrip(text);
  CHECK(Verify(*ParseProgram(text)).empty());
}

TEST(tensors_and_vtensors) {
  RoundTrip(InProgram(R"(  %a = pd_op.data {name = "a", shape = [2,3], dtype = float32} : !f32[2,3]
  %w = builtin.parameter {name = "w"} : f32[4]
  use.any(%a)
  %a1 = builtin.to_vtensor(%a) : f32[2,3]
  %b1 = pd_op.relu(%a1) : f32[2,3]
  %b = builtin.to_tensor(%b1) : !f32[2,3]
  use.any(%a)
  use.any(%b)
  %c = pd_op.relu_(%b) : !f32[2,3]
  use.any(%c, %w)
)"));
}

TEST(everything_that_a_program_can_hold_reads_back) {
  RoundTrip(R"(phi.program 1
symbols { s0 >= 0, s1 "a \"b\"" >= 2 }
program {author = "x", n = {a = [1 : i32, none]}} {
  %"a name", _, %x.1-b, %0 = unknown.op {"odd name" = intarray<[1]>, t = type<vec<f32[s0*s1]>>} : f32[?], none, vec<!i64[2], none>, opaque<"0.t", "{}">
  "no dot"(%0)
  "a::b.c d"(%x.1-b, none)
  builtin.module()  loc("\x01 \"quoted\"")
  %i, %j = a.loop(%"a name") {axis = 1 : i32} {
    ^(%k : f32[?], _ : i32[], %1 : none):
    a.use(%k, %1)
    ^():
    a.deep() {
      a.deeper() {
      }
    }
    ^(%2 : f32):
    a.use(%2)
  } else {
  } : f32[], f32
  a.use(%i, %j)
}
)");
}

TEST(values_of_one_name_are_told_apart) {
  Program program;
  Builder builder(&program);
  const std::vector<Type> types = {ScalarType::get(program.context(), {phi::DataType::INT32})};
  for (const char* name : {"x", "x", "x_1", "7", ""}) {
    builder.Create("a.b", {}, {}, types)->result(0).set_name(name);
  }
  const std::string text = ToText(program);
  CHECK_EQ(
      text,
      InProgram("  %x = a.b : i32\n  %x_1 = a.b : i32\n  %x_1_1 = a.b : i32\n  %\"7\" = a.b : i32\n  a.b : i32\n"));
  RoundTrip(text);
}

TEST(a_declared_attribute_of_another_kind_says_so) {
  const std::string text = InProgram(R"(  %x = pd_op.full {shape = #[1 : i32], value = #none, dtype = #"f"} : f32[]
  %y = pd_op.scale(%x, none) {scale = 2.0 : f32, bias = #1 : i32} : f32[]
  %z = pd_op.scale(%y, none) {scale = none} : f32[]
  %s = pd_op.scale(%z, %x) : f32[]
  pd_op.conv2d(%s, %s) {strides = #[1 : i64], groups = #"g"} : f32[]
)");
  const auto program = ParseProgram(text);
  const std::string printed = ToText(*program);
  CHECK_EQ(ToText(*ParseProgram(printed)), printed);
  const auto messages = Verify(*program);
  CHECK(messages.size() >= 5u);
  CHECK_EQ(messages[0], std::string("'pd_op.full' (%x): attribute 'shape': expected intarray, got [1 : i32]"));
  CHECK_EQ(messages[1], std::string("'pd_op.full' (%x): attribute 'value' is missing"));
  CHECK_EQ(messages[4], std::string("'pd_op.scale' (%z): attribute 'scale' is missing"));
}

TEST(faults_have_a_place) {
  CheckFault("", 1, 1, "expected 'phi.program', got the end of the text");
  CheckFault("phi.program 2\nprogram {\n}\n", 1, 13, "expected version 1 of the format, got '2'");
  CheckFault("phi.program 1\nsymbols { s1 >= 0 }\nprogram {\n}\n", 2, 11, "expected the symbol 's0', got 's1'");
  CheckFault("phi.program 1\nsymbols { s0 >= 3 <= 2 }\nprogram {\n}\n", 2, 11, "lower 3, upper 2");
  CheckFault("phi.program 1\nprogram {\n", 3, 1, "expected '}' at the end of the region, got the end of the text");
  CheckFault(InProgram("") + "x", 4, 1, "expected the end of the text, got 'x'");
  CheckFault(InProgram("  a.b(%x)\n"), 3, 7, "%x is not defined, or outside of its region");
  CheckFault(InProgram("  %x = a.b : f32\n  %x = a.b : f32\n"), 4, 3, "%x is defined twice");
  CheckFault(InProgram("  a.b() {\n  %x = a.b : f32\n  }\n  a.b(%x)\n"), 6, 7, "%x is not defined, or outside");
  CheckFault(InProgram("  %x, %y = a.b : f32\n"), 3, 12, "expected a type for each of the 2 results, got 1");
  CheckFault(InProgram("  a.b() {x = 1}\n"), 3, 15, "expected ':', got '}'");
  CheckFault(InProgram("  a.b() {x = 1 : i8}\n"), 3, 18, "expected i32, i64, f32 or f64, got 'i8'");
  CheckFault(InProgram("  a.b() {x = 3000000000 : i32}\n"), 3, 14, "more than 32 bits");
  CheckFault(InProgram("  a.b() {x = 99999999999999999999 : i64}\n"), 3, 14, "more than 64 bits");
  CheckFault(InProgram("  a.b() {x = true, x = true}\n"), 3, 20, "'x' is given twice");
  CheckFault(InProgram("  a.b() {x = \"a\n"), 3, 14, "the string has no end");
  CheckFault(InProgram("  a.b() {x = \"\\q\"}\n"), 3, 15, "unknown escape");
  CheckFault(InProgram("  a.b() {x = dtype<float33>}\n"), 3, 20, "unknown data type 'float33'");
  CheckFault(InProgram("  pd_op.full {place = here} : f32[]\n"), 3, 23, "'here' is no place");
  CheckFault(InProgram("  pd_op.full {value = 1e999} : f32[]\n"), 3, 23, "1e999 is out of the range of f64");
  CheckFault(InProgram("  ^(%x : f32):\n"), 3, 3, "expected an operation");
  CheckFault(InProgram("  a.b() {x = \"\xC3\xA4\"} )\n"), 3, 19, "expected an operation");
}

TEST(twenty_faults_at_once) {
  std::string lines;
  for (int i = 0; i < 30; ++i) lines += "  %x" + std::to_string(i) + " = a.b(%missing) {\n    a.c(%lost)\n  } : f32\n";
  auto faults = FaultsOf(InProgram(lines));
  CHECK_EQ(faults.size(), ParseError::kMost);
  // what uses the results of a faulty operation is no fault of its own
  CHECK_EQ(FaultsOf(InProgram("  %x = a.b(%y) : f32\n  %z = a.c(%x) : f32\n  a.d(%z)\n  a.e(%q)\n")).size(), 2u);
}

TEST(deep_and_long_texts_end) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "a.b() {\n";
  CHECK(!FaultsOf(InProgram(deep)).empty());
  std::string braces(100000, '{'), brackets = "  a.b() {x = " + std::string(100000, '[');
  CHECK(!FaultsOf(InProgram(braces)).empty());
  CHECK(!FaultsOf(InProgram(brackets)).empty());
  CHECK(!FaultsOf(InProgram("  a.b : f32[" + std::string(100000, '('))).empty());
  CHECK(!FaultsOf(InProgram("  a.b : f32[" + std::string(100000, '-'))).empty());
}

TEST(mutants_end_in_a_fault_or_a_program) {
  const std::string text = R"(phi.program 1
symbols { s0 "x.0" >= 1 <= 64 % 8 }
program {
  %x = pd_op.data {name = "x", shape = [-1,8], dtype = float32} : f32[s0,floordiv(s0,2)]
  %c = pd_op.full {shape = [1], value = -5e-04, dtype = bool} : !bool[1]@NHWC
  %i, _ = pd_op.while(%c, %x) {
    ^(%k : f32[s0,8], _ : vec<f32[2], none>):
    %"a b" = u.v(%k, none) {a = [1 : i32, {b = tensor<f32[1],"AAAAAA==">}], c = kernel_key<CPU,NCHW,float32>} : f32
    cf.yield(%c, %"a b")  loc("z\xff")
  } : f32[?], none
}
)";
  CHECK_EQ(ToText(*ParseProgram(text)), text);
  uint32_t state = 12345;
  const auto random = [&](uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  };
  int read = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string mutant = text;
    for (uint32_t n = 1 + random(3); n > 0; --n) {
      const size_t at = random(static_cast<uint32_t>(mutant.size()));
      const size_t from = random(static_cast<uint32_t>(text.size()));
      const uint32_t what = random(4);
      if (what == 0) mutant[at] = static_cast<char>(random(256));
      if (what == 1) mutant.erase(at, 1 + random(12));
      if (what == 2) mutant.insert(at, text.substr(from, 1 + random(20)));
      if (what == 3) mutant[at] = text[from];
      if (mutant.empty()) mutant = " ";
    }
    try {
      const auto program = ParseProgram(mutant);
      Verify(*program);
      const std::string printed = ToText(*program);
      CHECK_EQ(ToText(*ParseProgram(printed)), printed);
      ++read;
    } catch (const ParseError&) {
    }
  }
  CHECK(read > 100 && read < 3500);
}
