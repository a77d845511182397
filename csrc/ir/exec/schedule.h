// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/exec/lower.h"
#include "ir/exec/memory_planner.h"

// What a program needs for one set of shapes of its inputs: the shape of every value, where it lies, and what runs.
namespace phi::ir {

// Where a slot's tensor lies.
struct Home {
  enum class Kind : uint8_t {
    Nowhere,    // never made
    Dynamic,    // its shape is known when it is made, and so is its memory
    Arena,      // at the offset of the root's buffer
    Input,      // memory of the caller's
    Output,     // memory that the caller gets
    Parameter,  // a weight's
    Constant,   // known with the shapes; nobody writes it
    Made,       // memory that a native operator makes in each run
    Tile,       // a part at a time, while a fused operation runs
  };
  Kind kind = Kind::Nowhere;
  int root = -1;       // the slot whose memory it is, itself unless it is a view of it or in its place
  int64_t offset = 0;  // bytes from the root's begin
};

struct Move {
  int from;
  int to;
};

struct Action {
  enum class Kind : uint8_t {
    Kernel,   // bound once
    Copy,     // moves[0]
    Dynamic,  // a kernel whose shapes are not known
    If,
    While,
    Native,
    Tiles,  // the kernels of bodies[0], on parts of their tensors
  };
  Kind kind = Kind::Kernel;
  const Step* step = nullptr;
  std::optional<std::vector<Slots>> own_inputs;               // what was made of the step's to fit the kernel
  std::optional<std::vector<phi::Attribute>> own_attributes;  // the step's with the values of tensors
  std::shared_ptr<const Plan> plan;                           // null: the step's
  std::vector<Move> moves;                                    // of a loop: before its first round
  std::vector<std::vector<Action>> bodies;
  std::vector<std::vector<Move>> ends;  // at the end of each body
  int next_condition = -1;              // of a loop
  int time = 0;
  std::vector<int> freed;   // buffers that nobody reads after it
  std::vector<int> unread;  // of a native operator: what others made, and nobody reads any more when it runs

  const Plan& chosen() const { return plan ? *plan : step->plan; }
  const std::vector<Slots>& inputs() const { return own_inputs ? *own_inputs : step->inputs; }
  const std::vector<phi::Attribute>& attributes() const { return own_attributes ? *own_attributes : step->attributes; }
};

struct Schedule {
  std::vector<DDim> input_dims;
  std::vector<DenseTensorMeta> metas;  // by slot: those of the program, then those that the schedule adds
  std::vector<Home> homes;
  std::vector<std::pair<int, DenseTensor>> constants;
  std::vector<Action> actions;
  std::vector<int> inputs;                        // the slot of each input
  std::vector<int> outputs;                       // and of each output
  std::vector<std::pair<int, void*>> parameters;  // (slot, memory)
  std::vector<Buffer> buffers;                    // of the arena
  std::vector<int64_t> offsets;                   // in it, by root slot
  int64_t arena = 0;
  int64_t output_bytes = 0;
};

// Bytes of a tensor. OutOfRange for more than an address can count.
int64_t BytesOf(const DenseTensorMeta& meta);

// The arguments of a kernel in its order, as a boxed call, which refers to `attributes`.
void AddArguments(const Plan& plan,
                  const std::vector<Slots>& inputs,
                  const std::vector<phi::Attribute>& attributes,
                  const std::vector<Slots>& outputs,
                  std::vector<DenseTensor>* tensors,
                  KernelContext* call);

// The attributes of a step whose tensors have values.
std::vector<phi::Attribute> AttributesOf(const Step& step, const std::vector<DenseTensor>& tensors);

// Errors are those of InferMeta, with the operation. OutOfRange where it would take more than `max_memory` bytes.
std::unique_ptr<Schedule> MakeSchedule(const Lowered& program, const std::vector<DDim>& input_dims, int64_t max_memory);

}  // namespace phi::ir
