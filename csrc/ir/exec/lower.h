// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/boxed_call.h"
#include "core/infermeta_utils.h"
#include "ir/core/program.h"

// A program as the executor runs it: values are numbered slots, lists of values are lists of slots, and each operation
// that does something is a step, with the kernel that was chosen for it.
namespace phi::ir {

struct NativeOp;

struct Slot {
  std::string name;         // of the value, for messages
  DenseTensor declared;     // its data type and rank as the program says
  bool is_array = false;    // an array of tensors
  bool is_written = false;  // some operation writes over it, or over what shares its memory
};

using Slots = std::vector<int>;  // -1: absent

struct Step;

struct Body {
  std::vector<Step> steps;
  Slots arguments;
  Slots yields;
};

struct Step {
  enum class Kind : uint8_t {
    Call,    // a kernel
    View,    // a kernel that gives a view: nothing runs where shapes are known
    Shape,   // shape64: known with the shapes
    Copy,    // inputs[0] to outputs[0], which is a parameter or shares inputs[1]'s memory
    If,      // inputs[0] is the condition
    While,   // inputs[0] is the condition, the others are carried
    Fused,   // the steps of bodies[0], of which the last makes the result: in tiles, where shapes allow it
    Native,  // a function of the executor, on whatever tensors there are
  };
  Kind kind = Kind::Call;
  const Operation* op = nullptr;
  std::vector<Slots> inputs;  // of a kernel: its tensors
  std::vector<Slots> outputs;
  bool is_pure = false;                     // gives the same for the same, and does nothing else
  bool is_dynamic = false;                  // the shapes of its results depend on data
  std::vector<std::pair<int, int>> shared;  // slots: the second is written in the memory of the first

  // of a kernel
  CallPreference preference;
  Plan plan;
  const InferMetaEntry* infer_meta = nullptr;
  std::vector<phi::Attribute> attributes;
  std::vector<std::pair<int, Slots>> tensor_attributes;  // (place among the attributes, what holds the value)

  const NativeOp* native = nullptr;
  std::shared_ptr<void> state;  // what `native` keeps
  std::vector<Body> bodies;
};

struct Port {
  std::string name;
  int slot = -1;
  Type type;
};

struct PortParameter {
  int slot;
  std::string name;
  Parameter parameter;
};

struct Lowered {
  std::unique_ptr<Program> program;  // what the steps point to
  std::vector<Slot> slots;
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  std::vector<PortParameter> parameters;
  std::vector<std::pair<int, DenseTensor>> constants;  // slots that always hold the same
  Body body;
  bool writes_parameters = false;
  Place place = CPUPlace();
};

// Unimplemented with all operators that cannot run, and how often each is there; NotFound for weights that are missing.
std::unique_ptr<Lowered> Lower(const Program& program, const Place& place = CPUPlace());

}  // namespace phi::ir
