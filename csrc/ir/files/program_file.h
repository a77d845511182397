// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "ir/core/program.h"

namespace phi::ir {

// The program of a `.phi` file, with the weights of the `.safetensors` file beside it, which share the map of their
// file. NotFound without a file; ParseError for a text that is none; InvalidArgument for a program that is not
// well-formed, and for weights that are not those of the program.
std::unique_ptr<Program> LoadProgram(const std::string& path);

}  // namespace phi::ir
