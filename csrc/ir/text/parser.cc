// SPDX-License-Identifier: Apache-2.0
#include "ir/text/parser.h"

#include <utility>

#include "ir/text/program_parser.h"

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
