// SPDX-License-Identifier: Apache-2.0
#include "ir/text/parser.h"

#include <map>
#include <set>
#include <utility>

#include "common/enforce.h"
#include "ir/core/builder.h"
#include "ir/text/value_parser.h"

namespace phi::ir {

namespace {

std::string Joined(const std::vector<TextFault>& faults) {
  std::string text;
  for (const TextFault& fault : faults) {
    text += (text.empty() ? "" : "\n") + std::to_string(fault.place.line) + ":" + std::to_string(fault.place.column) +
            ": " + fault.message;
  }
  return text;
}

// A fault that follows from one that is known: a use of what a broken operation would have made.
struct Follows {};

class ProgramParser : public ValueParser {
 public:
  ProgramParser(Program* program, std::string_view text) : ValueParser(program->context(), text), program_(program) {}

  void Run() {
    Guarded([&] { ReadHead(); });
    if (faults_.empty()) {
      Guarded([&] {
        ExpectWord("program");
        if (IsEntries()) SetAttributes(program_->module(), ReadEntries(OpInfo()));
        ReadBlocks(&program_->module()->regions()[0]);
        program_->module()->set_location(ReadLocation());
        ExpectEnd();
      });
    }
    if (!faults_.empty()) throw ParseError(std::move(faults_));
  }

 private:
  struct Result {
    std::string name;  // empty: without one
    bool is_numbered;
    TextPlace place;
  };
  struct TooMany {};

  // A fault is noted, and ends what was read. Returns whether there was none.
  template <typename Read>
  bool Guarded(Read&& read) {
    try {
      read();
      return true;
    } catch (const SyntaxError& error) {
      faults_.push_back({error.place, error.what()});
    } catch (const Follows&) {
    } catch (const TooMany&) {
    }
    return false;
  }

  void ReadHead() {
    ExpectWord("phi.program");
    const Token version = lexer_.Peek();
    if (ReadInteger() != 1) Fail(version, "version 1 of the format");
    if (!AcceptWord("symbols")) return;
    Expect('{');
    do ReadSymbol();
    while (Accept(','));
    Expect('}');
  }

  void ReadSymbol() {
    const Token name = lexer_.Next();
    const std::string expected = "s" + std::to_string(program_->symbols().size());
    if (!name.IsWord(expected)) Fail(name, "the symbol '" + expected + "'");
    SymbolInfo info;
    if (lexer_.Peek().kind == Token::Kind::String) info.source = ReadString();
    if (Accept('>')) {
      Expect('=');
      info.lower = ReadInteger();
    }
    if (Accept('<')) {
      Expect('=');
      info.upper = ReadInteger();
    }
    if (Accept('%')) info.divisor = ReadInteger();
    try {
      program_->symbols().Add(std::move(info));
    } catch (const enforce::EnforceNotMet& error) {
      throw SyntaxError(name.place, MessageOf(error));
    }
  }

  // `{` of attributes, not of a region: a name and `=` follow.
  bool IsEntries() {
    if (!lexer_.Peek().Is('{')) return false;
    Lexer ahead = lexer_;
    ahead.Next();
    const Token name = ahead.Next();
    return (name.kind == Token::Kind::Word || name.kind == Token::Kind::String) && ahead.Next().Is('=');
  }

  // The names of a region end with it.
  class Scope {
   public:
    explicit Scope(ProgramParser* parser) : parser_(parser), first_(parser->scope_.size()) {}
    ~Scope() {
      for (size_t i = first_; i < parser_->scope_.size(); ++i) parser_->values_.erase(parser_->scope_[i]);
      parser_->scope_.resize(first_);
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    ProgramParser* parser_;
    size_t first_;
  };

  void ReadBlocks(Region* region) {
    const Scope scope(this);
    Expect('{');
    const bool is_program = region->parent() == program_->module();
    Block* block = is_program ? program_->block() : lexer_.Peek().Is('^') ? nullptr : region->AddBlock();
    while (!lexer_.Peek().Is('}')) {
      if (lexer_.Peek().kind == Token::Kind::End) Fail(lexer_.Peek(), "'}' at the end of the region");
      if (faults_.size() >= ParseError::kMost) throw TooMany();
      const bool good = Guarded([&] {
        if (lexer_.Peek().Is('^') && !is_program) {
          block = region->AddBlock();
          ReadArguments(block);
        } else {
          if (block == nullptr) block = region->AddBlock();
          ReadOperation(block);
        }
      });
      if (!good && !Recover()) throw TooMany();
    }
    Expect('}');
  }

  // To the next line that starts an operation, or to the end of the region; false where there is none.
  bool Recover() {
    int line = lexer_.last_line();
    for (int open = 0;;) {
      Token token;
      try {
        token = lexer_.Peek();
        if (token.kind == Token::Kind::End) return false;
        const bool starts =
            token.kind == Token::Kind::Value || token.kind == Token::Kind::Word || token.Is('^') || token.Is('}');
        if (open <= 0 && token.place.line > line && starts) return true;
        lexer_.Next();
      } catch (const SyntaxError& error) {  // which is of what is skipped
        line = error.place.line;
        continue;
      }
      open += token.Is('{') ? 1 : token.Is('}') ? -1 : 0;
      line = token.place.line;
    }
  }

  void ReadArguments(Block* block) {
    Expect('^');
    Expect('(');
    if (!Accept(')')) {
      do {
        const Result result = ReadResult();
        Expect(':');
        const BlockArgument argument = block->AddArgument(ReadType());
        Define(result, argument);
      } while (Accept(','));
      Expect(')');
    }
    Expect(':');
  }

  Result ReadResult() {
    const Token token = lexer_.Next();
    if (token.IsWord("_")) return {"", false, token.place};
    if (token.kind != Token::Kind::Value) Fail(token, "a value such as %x, or _");
    const bool numbered = !token.quoted && token.text.find_first_not_of("0123456789") == std::string::npos;
    if (!numbered && !token.quoted && !IsPlainValueName(token.text))
      Fail(token, "a value such as %x, %0 or %\"a name\"");
    if (token.quoted && token.text.empty()) Fail(token, "a name that is not empty");
    return {numbered ? "0:" + token.text : "n:" + token.text, numbered, token.place};
  }

  void Define(const Result& result, Value value) {
    if (result.name.empty()) return;
    broken_.erase(result.name);
    if (!values_.try_emplace(result.name, value).second) {
      throw SyntaxError(result.place, "%" + result.name.substr(2) + " is defined twice");
    }
    scope_.push_back(result.name);
    if (!result.is_numbered) value.set_name(result.name.substr(2));
  }

  Value ReadOperand() {
    if (AcceptWord("none")) return Value();
    const Token at = lexer_.Peek();
    if (at.kind != Token::Kind::Value) Fail(at, "an operand such as %x, or none");
    const Result name = ReadResult();
    if (broken_.count(name.name) != 0) throw Follows();
    const auto found = values_.find(name.name);
    if (found == values_.end()) {
      throw SyntaxError(at.place, "%" + at.text + " is not defined, or outside of its region");
    }
    return found->second;
  }

  void ReadOperation(Block* block) {
    std::vector<Result> results;
    if (lexer_.Peek().kind == Token::Kind::Value || lexer_.Peek().IsWord("_")) {
      do results.push_back(ReadResult());
      while (Accept(','));
    }
    try {
      if (!results.empty()) Expect('=');
      ReadOperationOf(block, results);
    } catch (...) {
      for (const Result& result : results) {
        if (values_.count(result.name) == 0) broken_.insert(result.name);
      }
      throw;
    }
  }

  // Where regions are read before the operation that they belong to is known whole.
  class Holder {
   public:
    Holder(Program* program, Block* block) : op_(Builder(program, block).Create("builtin.module", {}, {}, {}, 1)) {}
    ~Holder() { op_->Erase(); }
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;
    Region* region() const { return &op_->regions()[0]; }

   private:
    Operation* op_;
  };

  void ReadOperationOf(Block* block, const std::vector<Result>& results) {
    const Token name = lexer_.Next();
    const bool is_name = name.kind == Token::Kind::Word || (name.kind == Token::Kind::String && !name.text.empty());
    if (!is_name) Fail(name, "an operation such as pd_op.relu");
    const OpInfo info = context_->GetOpInfo(name.text);
    std::vector<Value> operands;
    if (Accept('(') && !Accept(')')) {
      do operands.push_back(ReadOperand());
      while (Accept(','));
      Expect(')');
    }
    std::vector<NamedAttribute> attributes;
    if (IsEntries()) attributes = ReadEntries(info);
    std::vector<std::unique_ptr<Holder>> holders;
    while (holders.empty() ? lexer_.Peek().Is('{') : AcceptWord("else")) {
      holders.push_back(MakeHolder(block));
      ReadBlocks(holders.back()->region());
    }
    std::vector<Type> types;
    if (Accept(':')) {
      do types.push_back(ReadType());
      while (Accept(','));
    }
    if (!results.empty() && results.size() != types.size()) {
      throw SyntaxError(
          name.place,
          enforce::Format(
              "'%s': expected a type for each of the %d results, got %d", name.text, results.size(), types.size()));
    }
    const Attribute location = ReadLocation();
    Operation* op =
        Builder(program_, block).Insert(Operation::Create(context_, info, operands, {}, types, holders.size()));
    SetAttributes(op, attributes);
    op->set_location(location);
    for (size_t i = 0; i < holders.size(); ++i) op->regions()[i].TakeBlocks(holders[i]->region());
    for (size_t i = 0; i < results.size(); ++i) Define(results[i], op->result(i));
  }

  std::unique_ptr<Holder> MakeHolder(Block* block) {
    const Token at = lexer_.Peek();
    try {
      return std::make_unique<Holder>(program_, block);
    } catch (const enforce::EnforceNotMet& error) {
      throw SyntaxError(at.place, MessageOf(error));
    }
  }

  static void SetAttributes(Operation* op, const std::vector<NamedAttribute>& attributes) {
    for (const auto& [name, value] : attributes) op->set_attribute(name, value);
  }

  Attribute ReadLocation() {
    if (!AcceptWord("loc")) return Attribute();
    Expect('(');
    const Attribute location = StrAttribute::get(context_, ReadString());
    Expect(')');
    return location;
  }

  Program* const program_;
  std::vector<TextFault> faults_;
  std::map<std::string, Value> values_;  // numbers and names apart, which may be the same text
  std::set<std::string> broken_;
  std::vector<std::string> scope_;  // the names that are defined, in order
};

// Reads the whole text as one value.
template <typename Read>
auto ReadAll(IrContext* context, std::string_view text, Read&& read) {
  try {
    ValueParser parser(context, text);
    const auto value = read(parser);
    parser.ExpectEnd();
    return value;
  } catch (const SyntaxError& error) {
    throw ParseError({{error.place, error.what()}});
  }
}

}  // namespace

ParseError::ParseError(std::vector<TextFault> faults)
    : std::runtime_error(Joined(faults)), faults_(std::move(faults)) {}

std::unique_ptr<Program> ParseProgram(std::string_view text, std::shared_ptr<IrContext> context) {
  auto program = std::make_unique<Program>(std::move(context));
  ProgramParser(program.get(), text).Run();
  return program;
}

Type ParseType(IrContext* context, std::string_view text) {
  return ReadAll(context, text, [](ValueParser& parser) { return parser.ReadType(); });
}

Attribute ParseAttribute(IrContext* context, std::string_view text) {
  return ReadAll(context, text, [](ValueParser& parser) { return parser.ReadAttribute(); });
}

Dim ParseDim(IrContext* context, std::string_view text) {
  return ReadAll(context, text, [](ValueParser& parser) { return parser.ReadDim(); });
}

}  // namespace phi::ir
