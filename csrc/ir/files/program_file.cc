// SPDX-License-Identifier: Apache-2.0
#include "ir/files/program_file.h"

#include <algorithm>
#include <set>
#include <vector>

#include "common/enforce.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/verify.h"
#include "ir/files/json_header.h"
#include "ir/files/mapped_file.h"
#include "ir/files/safetensors.h"
#include "ir/text/parser.h"

namespace phi::ir {

namespace {

void Check(const Program& program, const std::string& path) {
  const std::vector<std::string> faults = Verify(program);
  std::string all;
  for (const std::string& fault : faults) all += "\n  " + fault;
  PADDLE_ENFORCE(faults.empty(), errors::InvalidArgument("%s: the program is not valid:%s", path, all));
}

// The names of the parameters that are saved.
std::set<std::string> Expected(const Program& program) {
  std::set<std::string> names;
  for (const Operation& op : *program.block()) {
    const auto name = op.attribute<StrAttribute>("name");
    const auto persistable = op.attribute<BoolAttribute>("persistable");
    if (op.name() == "builtin.parameter" && name && persistable && persistable.data()) names.insert(name.data());
  }
  return names;
}

// The weights that the program writes: a list of names as JSON.
std::set<std::string> Mutable(const TensorFile& file) {
  std::set<std::string> names;
  const auto found = file.metadata.find("mutable");
  if (found == file.metadata.end()) return names;
  JsonHeader json(found->second);
  for (json.Begin('['); json.Next(']');) names.insert(json.Text());
  json.End();
  return names;
}

}  // namespace

std::unique_ptr<Program> LoadProgram(const std::string& path) {
  constexpr std::string_view kSuffix = ".phi";
  PADDLE_ENFORCE(path.ends_with(kSuffix), errors::InvalidArgument("%s: expected a path that ends with .phi", path));
  std::unique_ptr<Program> program = ParseProgram(MapFile(path).bytes);
  Check(*program, path);
  const std::set<std::string> expected = Expected(*program);
  if (expected.empty()) return program;
  const std::string beside = path.substr(0, path.size() - kSuffix.size()) + ".safetensors";
  TensorFile file = ReadTensors(beside);
  const std::set<std::string> written = Mutable(file);
  for (const std::string& name : expected) {
    const auto found = file.tensors.find(name);
    PADDLE_ENFORCE(found != file.tensors.end(), errors::NotFound("%s: there is no tensor '%s'", beside, name));
    found->second.is_mutable = written.contains(name);
    program->weights()->Set(name, std::move(found->second));
  }
  for (const auto& [name, tensor] : file.tensors) {
    PADDLE_ENFORCE(expected.contains(name),
                   errors::InvalidArgument("%s: the program has no parameter '%s'", beside, name));
  }
  Check(*program, beside);  // that they are what the program says
  return program;
}

}  // namespace phi::ir
