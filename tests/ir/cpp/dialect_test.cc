// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "../../core/cpp/check.h"
#include "ir/core/builder.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/dialect.h"
#include "ir/core/fold.h"
#include "ir/core/memory_effect.h"
#include "ir/core/op_base.h"
#include "ir/core/verify.h"
#include "ir/pass/pass.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"

// A dialect of a user's own, whole: polynomials, with a type, an attribute, a trait, an interface, and operators that
// check themselves and say what they give.
using namespace phi::ir;  // NOLINT
using phi::enforce::Format;

namespace poly {

// ---- the type poly.ring<5>: polynomials of less than that degree

struct RingKey {
  int64_t degree = 0;
  bool operator==(const RingKey&) const = default;
  size_t Hash() const { return static_cast<size_t>(degree); }
  int Depth() const { return -1; }
};
class RingType : public UniquedOf<RingType, Type, RingKey> {
 public:
  using UniquedOf::UniquedOf;
  int64_t degree() const { return key().degree; }
};

// ---- the attribute poly.terms<1,0,3>: coefficients

struct TermsKey {
  std::vector<int64_t> values;
  bool operator==(const TermsKey&) const = default;
  size_t Hash() const {
    size_t hash = values.size();
    for (const int64_t value : values) hash = CombineHash(hash, static_cast<size_t>(value));
    return hash;
  }
  int Depth() const { return -1; }
};
class TermsAttribute : public UniquedOf<TermsAttribute, Attribute, TermsKey> {
 public:
  using UniquedOf::UniquedOf;
  const std::vector<int64_t>& values() const { return key().values; }
};

int64_t Number(const std::string& text) {
  int64_t value = 0;
  PADDLE_ENFORCE(!text.empty() && text.size() < 10, phi::errors::InvalidArgument("expected a number, got '%s'", text));
  for (const char c : text) {
    PADDLE_ENFORCE(c >= '0' && c <= '9', phi::errors::InvalidArgument("expected a number, got '%s'", text));
    value = value * 10 + (c - '0');
  }
  return value;
}

TextForm<Type> RingText() {
  return {"poly.ring",
          [](Type type) { return std::to_string(type.dyn_cast<RingType>().degree()); },
          [](IrContext* context, const std::string& text) -> Type { return RingType::get(context, {Number(text)}); }};
}

TextForm<Attribute> TermsText() {
  return {"poly.terms",
          [](Attribute attribute) {
            std::string text;
            for (const int64_t value : attribute.dyn_cast<TermsAttribute>().values()) {
              text += (text.empty() ? "" : ",") + std::to_string(value);
            }
            return text;
          },
          [](IrContext* context, const std::string& text) -> Attribute {
            TermsKey key;
            for (size_t begin = 0; begin <= text.size();) {
              const size_t end = std::min(text.find(',', begin), text.size());
              key.values.push_back(Number(text.substr(begin, end - begin)));
              begin = end + 1;
            }
            return TermsAttribute::get(context, std::move(key));
          }};
}

// ---- a trait and an interface

class Linear : public OpTraitBase<Linear> {
 public:
  using OpTraitBase::OpTraitBase;
};

class Degree : public OpInterfaceBase<Degree> {
 public:
  using OpInterfaceBase::OpInterfaceBase;
  struct Concept {
    int64_t (*of)(const Operation& op);
  };
  int64_t degree() const { return impl().of(*operation()); }
};

// ---- operators

class ConstantOp : public Op<ConstantOp> {
 public:
  static constexpr const char* kName = "poly.constant";
  using Op::Op;
  TermsAttribute terms() const { return AttributeAt<TermsAttribute>(0); }
};
class MultiplyOp : public Op<MultiplyOp> {
 public:
  static constexpr const char* kName = "poly.multiply";
  using Op::Op;
};

int64_t RingOf(Value value) {
  const auto type = value ? value.type().dyn_cast<RingType>() : RingType();
  return type ? type.degree() : 0;
}
int64_t DegreeOfConstant(const Operation& op) {
  const auto terms = op.attribute<TermsAttribute>("terms");
  return terms ? static_cast<int64_t>(terms.values().size()) : 0;
}
int64_t DegreeOfProduct(const Operation& op) { return RingOf(op.operand(0)) + RingOf(op.operand(1)) - 1; }
int64_t DegreeOfSum(const Operation& op) { return std::max(RingOf(op.operand(0)), RingOf(op.operand(1))); }

std::optional<InferredTypes> Infer(const InferType::Concept&, const Operation& op, const Program& program) {
  const auto* degree = op.info().GetInterface<Degree>();
  return InferredTypes{{RingType::get(program.context(), {degree->of(op)})}};
}

void VerifyDegree(const Operation& op, Report* report) {
  for (size_t i = 0; i < op.num_operands(); ++i) {
    if (RingOf(op.operand(i)) == 0) report->Add(op, Format("operand %d: expected a poly.ring", i));
  }
  const int64_t expected = op.info().GetInterface<Degree>()->of(op);
  if (op.num_results() == 1 && RingOf(op.result(0)) != expected) {
    report->Add(op, Format("expected poly.ring<%d>, got %s", expected, op.result(0).type()));
  }
}

constexpr InputInfo kInputs[] = {{"x"}, {"y"}};
constexpr OutputInfo kOut[] = {{"out"}};
constexpr AttributeInfo kTerms[] = {{"terms", AttributeKind::Any}};
constexpr InferType::Concept kInfer = {Infer};
constexpr Degree::Concept kConstant = {DegreeOfConstant}, kProduct = {DegreeOfProduct}, kSum = {DegreeOfSum};

// poly.store(%x, %into) has no result, and writes its second operand; poly.same gives what it takes.
constexpr MemoryEffect::Concept kStores = {[](const Operation&, Effects* effects) { effects->written = {1}; }};
constexpr Fold::Concept kSame = {[](const Operation& op) { return op.operand(0); }};
constexpr InterfaceRow kOfStore[] = {{&TypeId::Get<MemoryEffect>, &kStores}};
constexpr InterfaceRow kOfSame[] = {{&TypeId::Get<Fold>, &kSame}};

constexpr InterfaceRow kOfConstant[] = {{&TypeId::Get<InferType>, &kInfer}, {&TypeId::Get<Degree>, &kConstant}};
constexpr InterfaceRow kOfProduct[] = {{&TypeId::Get<InferType>, &kInfer}, {&TypeId::Get<Degree>, &kProduct}};
constexpr InterfaceRow kOfSum[] = {{&TypeId::Get<InferType>, &kInfer}, {&TypeId::Get<Degree>, &kSum}};

constexpr OpRow kOps[] = {
    {.name = "poly.constant",
     .attributes = kTerms,
     .outputs = kOut,
     .traits = Trait::ReadOnly | Trait::ConstantLike,
     .interfaces = kOfConstant,
     .verify = VerifyDegree},
    {.name = "poly.multiply",
     .inputs = kInputs,
     .outputs = kOut,
     .traits = Trait::ReadOnly | Trait::Commutative,
     .interfaces = kOfProduct,
     .verify = VerifyDegree},
    {.name = "poly.add",
     .inputs = kInputs,
     .outputs = kOut,
     .traits = Trait::ReadOnly | Trait::Commutative,
     .interfaces = kOfSum,
     .verify = VerifyDegree},
    {.name = "poly.store", .inputs = kInputs, .interfaces = kOfStore},
    {.name = "poly.same", .inputs = {kInputs, 1}, .outputs = kOut, .traits = Trait::ReadOnly, .interfaces = kOfSame},
};

[[maybe_unused]] const bool kRegistered = [] {
  RegisterOps("poly", kOps);
  Dialect& dialect = DialectRegistry::Instance().GetOrCreate("poly");
  dialect.AddType<RingType>(RingText());
  dialect.AddAttribute<TermsAttribute>(TermsText());
  dialect.AddTrait<Linear>("poly.add");
  return true;
}();

}  // namespace poly

namespace {

constexpr const char* kText = R"(phi.program 1
program {
  %a = poly.constant {terms = poly.terms<1,2>} : poly.ring<2>
  %b = poly.constant {terms = poly.terms<3,0,4>} : poly.ring<3>
  %0 = poly.multiply(%a, %b) : poly.ring<4>
  %1 = poly.add(%0, %a) : poly.ring<4>
  some.use(%1)
}
)";

}  // namespace

TEST(a_dialect_of_a_user_is_built_and_printed) {
  Program program;
  Builder builder(&program);
  IrContext* context = builder.context();
  const auto constant = [&](std::vector<int64_t> values, const char* name) {
    const NamedAttribute terms{"terms", poly::TermsAttribute::get(context, {std::move(values)})};
    Operation* op = builder.Create("poly.constant", {}, {&terms, 1});
    op->set_result_name(0, name);
    return Value(op->result(0));
  };
  const Value a = constant({1, 2}, "a"), b = constant({3, 0, 4}, "b");
  const Value both[] = {a, b};
  const Value product = builder.Create("poly.multiply", both)->result(0);
  const Value operands[] = {product, a};
  Operation* sum = builder.Create("poly.add", operands);
  const Value used[] = {sum->result(0)};
  builder.Create("some.use", used);
  CHECK(Verify(program).empty());
  CHECK_EQ(ToText(program), std::string(kText));
}

TEST(a_dialect_of_a_user_is_read_and_looked_at) {
  const auto program = ParseProgram(kText);
  CHECK(Verify(*program).empty());
  CHECK_EQ(ToText(*program), std::string(kText));
  std::vector<int64_t> degrees;
  int linear = 0;
  Walk(program->module(), [&](Operation* op) {
    if (const auto degree = DynCast<poly::Degree>(op)) degrees.push_back(degree.degree());
    linear += op->isa<poly::Linear>();
    if (const auto one = DynCast<poly::ConstantOp>(op)) CHECK(one.terms().values().size() >= 2);
  });
  CHECK(degrees == (std::vector<int64_t>{2, 3, 4, 4}));
  CHECK_EQ(linear, 1);
  CHECK(program->block()->front()->next()->next()->isa<poly::MultiplyOp>());
}

TEST(a_dialect_of_a_user_checks_itself) {
  const auto faults_of = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return Verify(*ParseProgram(text));
  };
  CHECK(faults_of(kText, "%b) : poly.ring<4>", "%b) : poly.ring<7>")[0].find(
            "expected poly.ring<4>, got poly.ring<7>") != std::string::npos);
  CHECK(
      faults_of(kText, "%b = poly.constant {terms = poly.terms<3,0,4>} : poly.ring<3>", "%b = some.tensor : f32[3]")[0]
          .find("operand 1: expected a poly.ring") != std::string::npos);
  try {
    ParseProgram("phi.program 1\nprogram {\n  poly.constant : poly.ring<a>\n}\n");
    CHECK(false);
  } catch (const ParseError& error) {
    CHECK_EQ(std::string(error.what()), std::string("3:19: expected a number, got 'a'"));
  }
}

namespace {

// Two constants, what is in between, and a use.
std::string With(const std::string& body) {
  return R"(phi.program 1
program {
  %a = poly.constant {terms = poly.terms<1,2>} : poly.ring<2>
  %b = poly.constant {terms = poly.terms<3,0,4>} : poly.ring<3>
)" + body +
         "}\n";
}

PassCounts RunOn(const std::string& text, const char* pass, std::string* result) {
  const auto program = ParseProgram(text);
  CHECK(Verify(*program).empty());
  const PassCounts counts = RunPass(FindPass(pass), program.get());
  CHECK(Verify(*program).empty());
  *result = ToText(*program);
  return counts;
}

}  // namespace

TEST(passes_see_what_an_operator_of_a_user_writes) {
  const std::string products = R"(  %0 = poly.multiply(%a, %b) : poly.ring<4>
  %1 = poly.multiply(%a, %b) : poly.ring<4>
  %2 = poly.add(%0, %1) : poly.ring<4>
  some.use(%2)
)";
  const std::string stores = With("  poly.store(%a, %b)\n" + products);
  std::string text;
  CHECK(RunOn(With(products), "cse", &text).at("operations merged") == 1);
  for (const char* pass : {"cse", "dce"}) {
    CHECK(RunOn(stores, pass, &text).empty());
    CHECK_EQ(text, stores);
  }
}

TEST(passes_fold_an_operator_of_a_user) {
  std::string text;
  const auto counts_of = [&](const std::string& same, const std::string& later, int degree) {
    const std::string type = " : poly.ring<" + std::to_string(degree) + ">\n";
    return RunOn(
        With("  %0 = poly.same(%a)" + same + later + "  %1 = poly.multiply(%0, %b)" + type + "  some.use(%1)\n"),
        "canonicalize",
        &text);
  };
  CHECK_EQ(counts_of(" : poly.ring<2>\n", "", 4).size(), size_t{1});
  CHECK(text.find("poly.multiply(%a, %b)") != std::string::npos && text.find("poly.same") == std::string::npos);
  CHECK(counts_of(" : poly.ring<3>\n", "", 5).empty());                        // of another type
  CHECK(counts_of(" : poly.ring<2>\n", "  poly.store(%b, %a)\n", 4).empty());  // what it took is written
}
