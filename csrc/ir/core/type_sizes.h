// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ir/core/builtin_type.h"
#include "ir/core/program.h"

// The sizes in the types of results, for inference.
namespace phi::ir {

// The attribute of an operation whose results' types nothing proves.
inline constexpr const char* kUnproven = "unproven_types";

// A type that two sources say.
struct Merged {
  Type type;  // null: they contradict each other
  bool proven = true;
};

// What is inferred, and what a file says where nothing is.
Merged Merge(Type said, Type inferred);
// What is said without the sizes that contradict what is inferred; null where no size does, or more than sizes.
Type WithoutContradiction(Type said, Type inferred);
// Whether the elements of a tensor can be counted.
bool HasCountableElements(Type type);
// What both are: sizes that differ are not known.
Type Common(Type a, Type b);
// With new symbols for sizes that are not known.
Type Named(Program* program, Type type, const std::string& source, int64_t lower);
void NameSizes(Program* program, const Operation& op);  // of its results

void MarkProven(Operation* op, bool proven);

}  // namespace phi::ir
