// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "ir/core/program.h"
#include "ir/text/parser.h"
#include "ir/text/value_names.h"
#include "ir/text/value_parser.h"

namespace phi::ir {

// Reads the text of a program into an empty one.
class ProgramParser : public ValueParser {
 public:
  ProgramParser(Program* program, std::string_view text) : ValueParser(program->context(), text), program_(program) {}
  void Run();  // ParseError with all that is wrong

 private:
  struct TooMany {};
  class Holder;

  // A fault is noted, and ends what was read. Returns whether there was none.
  template <typename Read>
  bool Guarded(Read&& read);
  // To the next line that starts an operation, or to the end of the region; false where there is none.
  bool Recover();
  void ReadHead();
  void ReadSymbol();
  bool IsEntries();  // `{` of attributes, not of a region: a name and `=` follow
  void ReadBlocks(Region* region);
  void ReadArguments(Block* block);
  ValueName ReadName();
  Value ReadOperand();
  void ReadOperation(Block* block);
  void ReadOperationOf(Block* block, const std::vector<ValueName>& results);
  std::unique_ptr<Holder> MakeHolder(Block* block);
  Attribute ReadLocation();

  Program* const program_;
  std::vector<TextFault> faults_;
  ValueNames names_;
};

}  // namespace phi::ir
