// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>

#include "ir/core/program.h"

namespace phi::ir {

// What a pass did, and how often: "operations erased" -> 3. Empty where it changed nothing.
using PassCounts = std::map<std::string, int64_t>;

// A pass: a change of a program that keeps what it computes, wherever it stands in a pipeline.
struct Pass {
  const char* name;
  int level;  // 0: needed; 1: leaves less to run; 2: fuses; 3: chooses layouts; 4: may change rounding
  const char* doc;
  PassCounts (*run)(Program* program);
};

// All of them, in the order in which a pipeline has them.
std::span<const Pass> Passes();
// InvalidArgument for a name that none has.
const Pass& FindPass(const std::string& name);
// What it erases is erased by its name.
PassCounts RunPass(const Pass& pass, Program* program);

}  // namespace phi::ir
