// SPDX-License-Identifier: Apache-2.0
#include "../../core/cpp/check.h"
#include "ir/core/infer_type.h"
#include "ir/core/ir_context.h"
#include "ir/shape/dim_range.h"
#include "ir/text/parser.h"

using namespace phi::ir;  // NOLINT

namespace {

// Symbols s0 >= 1, s1 in 2..6, s2 >= 0 in eights.
struct Shapes {
  Shapes() {
    table.Add({"", 1});
    table.Add({"", 2, 6});
    table.Add({"", 0, SymbolInfo::kNoUpper, 8});
  }
  Dim operator()(const char* text) { return ParseDim(&context, text); }
  std::optional<bool> Equal(const char* a, const char* b) { return IsEqual(&context, (*this)(a), (*this)(b), table); }
  std::optional<bool> Less(const char* a, const char* b) { return IsLess(&context, (*this)(a), (*this)(b), table); }

  IrContext context;
  SymbolTable table;
};

void CheckRange(Shapes& dim, const char* text, int64_t lower, int64_t upper) {
  const DimRange range = RangeOf(dim(text), dim.table);
  CHECK_EQ(range.lower, lower);
  CHECK_EQ(range.upper, upper);
}

}  // namespace

TEST(quotients_are_canonical) {
  Shapes dim;
  const std::pair<const char*, const char*> equal[] = {
      {"floordiv(2*s0,2)", "s0"},
      {"floordiv(s0*s1,s1)", "s0"},
      {"floordiv(6*s0*s1+3*s1,3*s1)", "2*s0+1"},
      {"floordiv(4*s0+s1,4)", "s0+floordiv(s1,4)"},
      {"floordiv(s0+5,2)", "floordiv(s0+1,2)+2"},
      {"floordiv(s0-1,2)+1", "floordiv(s0+1,2)"},
      {"floordiv(6*s0,4)", "floordiv(3*s0,2)"},
      {"mod(4*s0+7,4)", "3"},
      {"mod(s0+5,2)", "mod(s0+1,2)"},
      {"mod(3*s0,s0)", "0"},
  };
  for (const auto& [a, b] : equal) CHECK_EQ(dim(a).ToString(), dim(b).ToString());
  CHECK(dim("floordiv(s0,s1)") != dim("s0"));
  CHECK(dim("floordiv(s0+s1,2)") != dim("floordiv(s0,2)+floordiv(s1,2)"));
}

TEST(quotients_are_right) {
  Shapes dim;
  for (const char* text : {"floordiv(3*s0-5,4)", "floordiv(6*s0+9,6)", "mod(5*s0-3,4)", "floordiv(-3*s0,2)"}) {
    for (int64_t value = 1; value < 9; ++value) {
      std::string number = text;
      number.replace(number.find("s0"), 2, std::to_string(value));
      const std::string written = dim(text).ToString();  // what it became
      std::string substituted = written;
      for (size_t at; (at = substituted.find("s0")) != std::string::npos;) {
        substituted.replace(at, 2, std::to_string(value));
      }
      CHECK_EQ(dim(substituted.c_str()).ToString(), dim(number.c_str()).ToString());
    }
  }
}

TEST(ranges) {
  Shapes dim;
  constexpr int64_t kMost = DimRange::kNoUpper;
  CheckRange(dim, "s1", 2, 6);
  CheckRange(dim, "2*s1-3", 1, 9);
  CheckRange(dim, "s0*s1", 2, kMost);
  CheckRange(dim, "floordiv(s0+1,2)", 1, kMost);
  CheckRange(dim, "mod(s0,4)", 0, 3);
  CheckRange(dim, "max(s1,4)", 4, 6);
  CheckRange(dim, "min(s1,s0)", 1, 6);
  CheckRange(dim, "-s0", DimRange::kNoLower, -1);
}

TEST(comparisons) {
  Shapes dim;
  const auto yes = std::optional(true), no = std::optional(false);
  CHECK(dim.Equal("s0+1", "1+s0") == yes);
  CHECK(dim.Equal("s0", "0") == no);
  CHECK(dim.Equal("s1", "7") == no);
  CHECK(dim.Equal("s2", "12") == no);  // not in eights
  CHECK(dim.Equal("s0", "s0+1") == no);
  CHECK(!dim.Equal("s0", "1").has_value());
  CHECK(!dim.Equal("s0", "s1").has_value());
  CHECK(!dim.Equal("?", "?").has_value());
  CHECK(dim.Less("0", "s0") == yes);
  CHECK(dim.Less("s0", "0") == no);
  CHECK(dim.Less("s1", "7") == yes);
  CHECK(!dim.Less("s0", "s1").has_value());
}

TEST(expressions_are_bounded) {
  Shapes dim;
  Dim size = dim("s0");
  const auto grow = [&] {
    for (int i = 0; i < 64; ++i) {  // the text would double each time
      size = Dim::Add(&dim.context,
                      Dim::Function(&dim.context, DimFunction::FloorDiv, size, Dim(2)),
                      Dim::Function(&dim.context, DimFunction::Mod, size, Dim(3)));
    }
  };
  CHECK_ERROR(grow(), InvalidArgument, "at most 256 symbols");
}

TEST(types_are_refined) {
  const auto program = ParseProgram(R"(phi.program 1
program {
  %x = pd_op.data {name = "x", shape = [-1,2], dtype = float32} : f32[?,2]
  %v = builtin.combine(%x, %x) : vec<f32[?,2], f32[?,2]>
  %p, %q = builtin.split(%v) : f32[?,?], f32[?,2]
  %n = pd_op.shape64(%p) : i64[?]
  %u = mine.op(%x) : f32[?]
  %t = pd_op.print(%u) {message = ""} : f32[?]
}
)");
  RefineTypes(program.get());
  std::string types;
  for (const Operation& op : *program->block()) {
    for (size_t i = 0; i < op.num_results(); ++i) types += op.result(i).type().ToString() + (IsProven(op) ? " " : "? ");
  }
  CHECK_EQ(types, std::string("f32[s0,2] vec<f32[s0,2], f32[s0,2]> f32[s0,2] f32[s0,2] i64[2] f32[s1]? f32[s1]? "));
  CHECK_EQ(program->symbols().at(0).source, std::string("x.0"));
  CHECK_EQ(program->symbols().at(0).lower, 1);
}
