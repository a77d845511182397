// SPDX-License-Identifier: Apache-2.0
#include "ir/text/program_parser.h"

#include <utility>

#include "common/enforce.h"
#include "ir/core/builder.h"

namespace phi::ir {

namespace {

void SetAttributes(Operation* op, const std::vector<NamedAttribute>& attributes) {
  for (const auto& [name, value] : attributes) op->set_attribute(name, value);
}

}  // namespace

// Where regions are read before the operation that they belong to is known whole.
class ProgramParser::Holder {
 public:
  Holder(Program* program, Block* block) : op_(Builder(program, block).Create("builtin.module", {}, {}, {}, 1)) {}
  ~Holder() { op_->Erase(); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  Region* region() const { return &op_->regions()[0]; }

 private:
  Operation* op_;
};

template <typename Read>
bool ProgramParser::Guarded(Read&& read) {
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

void ProgramParser::Run() {
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

void ProgramParser::ReadHead() {
  ExpectWord("phi.program");
  const Token version = lexer_.Peek();
  if (ReadInteger() != 1) Fail(version, "version 1 of the format");
  if (!AcceptWord("symbols")) return;
  Expect('{');
  do ReadSymbol();
  while (Accept(','));
  Expect('}');
}

void ProgramParser::ReadSymbol() {
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

bool ProgramParser::IsEntries() {
  if (!lexer_.Peek().Is('{')) return false;
  Lexer ahead = lexer_;
  ahead.Next();
  const Token name = ahead.Next();
  return (name.kind == Token::Kind::Word || name.kind == Token::Kind::String) && ahead.Next().Is('=');
}

void ProgramParser::ReadBlocks(Region* region) {
  const ValueNames::Scope scope(&names_);
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

bool ProgramParser::Recover() {
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

void ProgramParser::ReadArguments(Block* block) {
  Expect('^');
  Expect('(');
  if (!Accept(')')) {
    do {
      const ValueName name = ReadName();
      Expect(':');
      const BlockArgument argument = block->AddArgument(ReadType());
      names_.Define(name, argument);
    } while (Accept(','));
    Expect(')');
  }
  Expect(':');
}

ValueName ProgramParser::ReadName() {
  const Token token = lexer_.Next();
  if (token.IsWord("_")) return {"", false, token.place};
  if (token.kind != Token::Kind::Value) Fail(token, "a value such as %x, or _");
  const bool numbered = !token.quoted && token.text.find_first_not_of("0123456789") == std::string::npos;
  if (!numbered && !token.quoted && !IsPlainValueName(token.text)) Fail(token, "a value such as %x, %0 or %\"a name\"");
  if (token.quoted && token.text.empty()) Fail(token, "a name that is not empty");
  return {numbered ? "0:" + token.text : "n:" + token.text, numbered, token.place};
}

Value ProgramParser::ReadOperand() {
  if (AcceptWord("none")) return Value();
  if (lexer_.Peek().kind != Token::Kind::Value) Fail(lexer_.Peek(), "an operand such as %x, or none");
  return names_.Find(ReadName());
}

void ProgramParser::ReadOperation(Block* block) {
  std::vector<ValueName> results;
  if (lexer_.Peek().kind == Token::Kind::Value || lexer_.Peek().IsWord("_")) {
    do results.push_back(ReadName());
    while (Accept(','));
  }
  try {
    if (!results.empty()) Expect('=');
    ReadOperationOf(block, results);
  } catch (...) {
    for (const ValueName& result : results) names_.Break(result);
    throw;
  }
}

void ProgramParser::ReadOperationOf(Block* block, const std::vector<ValueName>& results) {
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
  for (size_t i = 0; i < results.size(); ++i) names_.Define(results[i], op->result(i));
}

std::unique_ptr<ProgramParser::Holder> ProgramParser::MakeHolder(Block* block) {
  const Token at = lexer_.Peek();
  try {
    return std::make_unique<Holder>(program_, block);
  } catch (const enforce::EnforceNotMet& error) {
    throw SyntaxError(at.place, MessageOf(error));
  }
}

Attribute ProgramParser::ReadLocation() {
  if (!AcceptWord("loc")) return Attribute();
  Expect('(');
  const Attribute location = StrAttribute::get(context_, ReadString());
  Expect(')');
  return location;
}

}  // namespace phi::ir
