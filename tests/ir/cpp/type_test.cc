// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <thread>
#include <vector>

#include "../../core/cpp/check.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/dialect.h"
#include "ir/shape/symbol_table.h"
#include "ir/text/parser.h"

using namespace phi::ir;  // NOLINT
using phi::DataLayout;
using phi::DataType;

namespace {

void RoundTripType(IrContext* context, const char* text) {
  const Type type = ParseType(context, text);
  CHECK_EQ(type.ToString(), std::string(text));
  CHECK(ParseType(context, type.ToString()) == type);
}

void RoundTripAttribute(IrContext* context, const char* text) {
  const Attribute attribute = ParseAttribute(context, text);
  CHECK_EQ(attribute.ToString(), std::string(text));
  CHECK(ParseAttribute(context, attribute.ToString()) == attribute);
}

std::string FaultOf(const char* text) {
  IrContext context;
  try {
    ParseType(&context, text);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "";
}

// A type and an attribute of a user's own.
struct MatrixKey {
  int64_t rows = 0, columns = 0;
  bool operator==(const MatrixKey&) const = default;
  size_t Hash() const { return CombineHash(rows, columns); }
  int Depth() const { return -1; }
};
class MatrixType : public UniquedOf<MatrixType, Type, MatrixKey> {
 public:
  using UniquedOf::UniquedOf;
};

}  // namespace

TEST(equal_types_are_one_object) {
  IrContext context, other;
  const auto a = DenseTensorType::get(&context, DataType::FLOAT32, {2, 3});
  CHECK(a == DenseTensorType::get(&context, DataType::FLOAT32, {2, 3}));
  CHECK(a != DenseTensorType::get(&context, DataType::FLOAT32, {3, 2}));
  CHECK(a != DenseTensorType::get(&context, DataType::FLOAT32, {2, 3}, DataLayout::NHWC));
  CHECK(a != DenseTensorType::get(&context, DataType::FLOAT32, {2, 3}, DataLayout::NCHW, false));
  CHECK(a != DenseTensorType::get(&other, DataType::FLOAT32, {2, 3}));
  CHECK(a.isa<TensorType>() && a.isa<DenseTensorType>() && !a.isa<SelectedRowsType>() && !a.isa<VectorType>());
  CHECK(!Type().isa<TensorType>());
  CHECK(!a.dyn_cast<ScalarType>());
  CHECK_EQ(a.dyn_cast<TensorType>().dims().size(), 2u);
  CHECK_EQ(context.storages().size(), 4u);
}

TEST(types_have_a_text) {
  IrContext context;
  for (const char* text : {"f32",
                           "bool",
                           "c128",
                           "f32[]",
                           "bf16[2,3]",
                           "!f32[2]",
                           "f32[?,3]@NHWC",
                           "undef[1]",
                           "str[2]",
                           "dense_tensor_array<f32[2]>",
                           "!dense_tensor_array<f32[2]@undefined>",
                           "selected_rows<i64[4,2]>",
                           "sparse_coo<f64[3]>",
                           "sparse_csr<f64[3,3]>",
                           "string_tensor<str[1]>",
                           "vec<>",
                           "vec<f32[2], none, vec<i32[]>>",
                           "opaque<\"0.t_foo\", \"{\\\"D\\\":1}\">",
                           "none"}) {
    RoundTripType(&context, text);
  }
}

TEST(types_say_where_their_text_is_wrong) {
  CHECK_EQ(FaultOf("f32[2,"),
           std::string("1:7: expected a size: a number, ?, or an expression of symbols such as 2*s0+1, got "
                       "the end of the text"));
  CHECK(FaultOf("f33[2]").find("1:1: expected a type such as f32[2,3]") == 0);
  CHECK(FaultOf("f32[2] x").find("1:8: expected the end of the text, got 'x'") == 0);
  CHECK(FaultOf("f32[-2]").find("a size is not negative, got -2") != std::string::npos);
  CHECK(FaultOf("f32[1,1,1,1,1,1,1,1,1,1]").find("at most 9 dimensions, got 10") != std::string::npos);
  CHECK(FaultOf("f32[2]@NCWH").find("1:8: unknown layout 'NCWH'") == 0);
  CHECK(FaultOf("!vec<>").find("a kind of tensor after '!'") != std::string::npos);
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "vec<";
  CHECK(FaultOf(deep.c_str()).find("at most 64 levels of nesting") != std::string::npos);
}

TEST(attributes_have_a_text) {
  IrContext context;
  for (const char* text : {"true",
                           "1 : i32",
                           "-9223372036854775808 : i64",
                           "0.1 : f32",
                           "1e+30 : f64",
                           "-0.0 : f64",
                           "inf : f32",
                           "-inf : f64",
                           "nan : f64",
                           "(1.0,-2.5) : c64",
                           "(1.0,nan) : c128",
                           "\"a \\\"quoted\\\" \\\\ line\\n\\x00\\xff \xC3\xA4\"",
                           "[]",
                           "[1 : i32, [true], none]",
                           "{a = 1 : i64, \"b c\" = \"x\"}",
                           "{}",
                           "type<f32[2]>",
                           "dtype<float32>",
                           "dtype<undefined>",
                           "place<gpu:1>",
                           "place<cpu>",
                           "place<undefined>",
                           "place<gpu_pinned>",
                           "layout<NHWC>",
                           "scalar<1.5>",
                           "scalar<1.5 : f32>",
                           "scalar<true>",
                           "scalar<3 : ui8>",
                           "scalar<(1.0,2.0)>",
                           "scalar<(1.0,2.0) : c64>",
                           "intarray<[1,-1]>",
                           "intarray<[]>",
                           "tensor<f32[2],\"AAAAAAAAAAA=\">",
                           "kernel_key<GPU,NCHW,float32>",
                           "opaque<\"1.a_foo\",\"[]\">",
                           "none"}) {
    RoundTripAttribute(&context, text);
  }
  CHECK(ParseAttribute(&context, "nan : f64") ==
        DoubleAttribute::get(&context, -std::numeric_limits<double>::quiet_NaN()));
  CHECK(DoubleAttribute::get(&context, 0.0) != DoubleAttribute::get(&context, -0.0));
  CHECK(ParseAttribute(&context, "{b = true, a = true}") == ParseAttribute(&context, "{a = true, b = true}"));
}

TEST(every_float_reads_back) {
  IrContext context;
  uint32_t bits = 1;
  for (int i = 0; i < 20000; ++i) {
    bits = bits * 1664525u + 1013904223u;
    const float value = std::bit_cast<float>(bits);
    const FloatAttribute attribute = FloatAttribute::get(&context, value);
    CHECK(ParseAttribute(&context, attribute.ToString()) == attribute);
    const DoubleAttribute wide = DoubleAttribute::get(&context, static_cast<double>(value) * 1.1);
    CHECK(ParseAttribute(&context, wide.ToString()) == wide);
  }
}

TEST(attributes_check_their_values) {
  IrContext context;
  CHECK_ERROR(ScalarAttribute::Integer(&context, DataType::INT8, 128), InvalidArgument, "128 is no int8");
  CHECK_ERROR(ScalarAttribute::Integer(&context, DataType::PSTRING, 1), InvalidArgument, "data type of a number");
  CHECK_ERROR(ScalarAttribute::Real(&context, DataType::FLOAT32, 1, 1), InvalidArgument, "no imaginary part");
  CHECK_ERROR(TensorAttribute::get(&context, {DataType::FLOAT32, {2}, "123"}), InvalidArgument, "expected 8, got 3");
  CHECK_ERROR(TensorAttribute::get(&context, {DataType::FLOAT32, {-2}, ""}), InvalidArgument, "no size -2");
  CHECK_ERROR(DictionaryAttribute::get(&context, {{"a", {}}, {"a", {}}}), InvalidArgument, "twice");
  Attribute nested = BoolAttribute::get(&context, true);
  for (int i = 0; i < 64; ++i) nested = ArrayAttribute::get(&context, {{nested}});
  CHECK_ERROR(ArrayAttribute::get(&context, {{nested}}), InvalidArgument, "64 deep");
  CHECK(ParseAttribute(&context, "tensor<f32[2],\"AAAAAAAAAAA=\">").kind() == AttributeKind::Tensor);
}

TEST(dimensions_are_canonical) {
  IrContext context;
  const auto dim = [&](const char* text) { return ParseDim(&context, text); };
  CHECK(dim("s0+s1") == dim("s1+s0"));
  CHECK(dim("2*s0-s0-s0") == Dim(0));
  CHECK(dim("(s0+1)*(s0-1)") == dim("s0*s0-1"));
  CHECK(dim("max(s0,s1)") == dim("max(s1,s0)"));
  CHECK(dim("floordiv(s0,1)") == dim("s0"));
  CHECK(dim("floordiv(-7,2)") == Dim(-4));
  CHECK(dim("mod(-7,2)") == Dim(1));
  CHECK(dim("floordiv(s0,2)") != dim("floordiv(s0,3)"));
  CHECK(dim("?").is_unknown());
  for (const char* text :
       {"s0", "2*s0+1", "-s0", "s0*s1-3*s1+7", "floordiv(s0+1,2)", "2*min(s0,s1)+mod(s0,8)", "s10", "0"}) {
    CHECK_EQ(dim(text).ToString(), std::string(text));
  }
  CHECK_EQ(dim("1+2*s1+s0").ToString(), std::string("s0+2*s1+1"));
  std::vector<int64_t> symbols;
  dim("s0*max(s3,floordiv(s7,2))").CollectSymbols(&symbols);
  std::sort(symbols.begin(), symbols.end());
  CHECK(symbols == (std::vector<int64_t>{0, 3, 7}));
  CHECK_ERROR(Dim::Add(&context, Dim(INT64_MAX), Dim(1)), InvalidArgument, "leaves 64 bits");
  CHECK_ERROR(Dim::Function(&context, DimFunction::Mod, dim("s0"), Dim(0)), InvalidArgument, "divided by 0");
}

TEST(symbols_have_a_range) {
  SymbolTable table;
  CHECK_EQ(table.Add({"x.0", 1, 64, 8}), 0);
  CHECK_EQ(table.Add({}), 1);
  CHECK_ERROR(table.Add({"", 2, 1, 1}), InvalidArgument, "symbol s2");
  CHECK_ERROR(table.Add({"", 0, 1, 0}), InvalidArgument, "divisor");
}

TEST(types_of_a_user) {
  Dialect& dialect = DialectRegistry::Instance().GetOrCreate("test_types");
  dialect.AddType<MatrixType>(
      {"test_types.matrix",
       [](Type type) {
         const MatrixKey& key = type.dyn_cast<MatrixType>().key();
         return std::to_string(key.rows) + "x" + std::to_string(key.columns);
       },
       [](IrContext* context, const std::string& text) -> Type {
         const size_t x = text.find('x');
         PADDLE_ENFORCE(x != std::string::npos, phi::errors::InvalidArgument("expected 2x3, got %s", text));
         return MatrixType::get(context, {std::stoll(text.substr(0, x)), std::stoll(text.substr(x + 1))});
       }});
  IrContext context;
  RoundTripType(&context, "test_types.matrix<2x3>");
  RoundTripType(&context, "vec<test_types.matrix<2x3>, f32[1]>");
  CHECK(ParseType(&context, "test_types.matrix<2x3>").isa<MatrixType>());
  CHECK_EQ(FaultOf("test_types.matrix<23>"), std::string("1:1: expected 2x3, got 23"));
  CHECK(FaultOf("test_types.vector<2>").find("1:1: expected a type") == 0);
  CHECK_ERROR(
      dialect.AddType<MatrixType>({"other.matrix", {}, {}}), InvalidArgument, "no name in the dialect 'test_types'");
}

TEST(contexts_are_safe_for_threads) {
  IrContext context;
  std::vector<std::vector<Type>> types(4);
  std::vector<std::thread> threads;
  for (auto& own : types) {
    threads.emplace_back([&context, &own] {
      for (int i = 0; i < 500; ++i) {
        own.push_back(DenseTensorType::get(&context, DataType::FLOAT32, {i % 50, Dim::Symbol(&context, i % 7)}));
        context.GetOpInfo("unknown.op" + std::to_string(i % 10));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& own : types) CHECK(own == types[0]);
}
