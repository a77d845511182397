// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/dialect/kernel_info.h"
#include "ir/exec/aliases.h"
#include "ir/exec/lower.h"
#include "ir/exec/native_ops.h"

// How a program is lowered: lower.cc goes through the operations, lower_values.cc knows those that only name values,
// lower_kernels.cc those that call kernels.
namespace phi::ir {

class Lowering {
 public:
  Lowering(const Program& program, const Place& place);

  std::unique_ptr<Lowered> Run();

 private:
  using Handler = void (Lowering::*)(const Operation& op, Body* body);

  Body BodyOf(const Block& block);

  void Lower(const Operation& op, Body* body);

  // ---- slots

  int NewSlot(Value value);
  int AddSlot(std::string name, Type type);
  // Those of a result: -1 for one that is absent.
  Slots NewSlots(Value value);
  // Those of an operand: none for one that is absent.
  Slots SlotsOf(Value value) const;
  int SlotOf(const Operation& op, size_t operand) const;
  void AddConstant(Value value, const DenseTensor& tensor, Body* body);
  void AddCopy(const Operation& op, int from, int to, int shared, Body* body);

  // ---- what is there before a run

  void LowerParameter(const Operation& op, Body* body);
  void LowerState(const Operation& op, Body* body);  // one that is not saved, and that nobody set, begins as zeros
  void LowerConstant(const Operation& op, Body* body);
  void LowerIntArray(const Operation& op, Body* body);
  void LowerAssign(const Operation& op, Body* body);
  void LowerAssignOut(const Operation& op, Body* body);
  void LowerData(const Operation& op, Body*);
  void LowerFetch(const Operation& op, Body*);

  // ---- names for what is there

  void LowerCombine(const Operation& op, Body*);
  void LowerSplit(const Operation& op, Body*);
  void LowerSlice(const Operation& op, Body*);
  void LowerIdentity(const Operation& op, Body* body);
  void LowerYield(const Operation& op, Body* body);

  // ---- what runs

  void LowerStore(const Operation& op, Body* body);
  void LowerChannelsLast(const Operation& op, Body* body);
  void LowerFull(const Operation& op, Body* body);
  void LowerShape(const Operation& op, Body* body);
  void LowerNative(const Operation& op, const NativeOp& native, Body* body);
  void LowerRegions(const Operation& op, Body* body);
  void LowerFused(const Operation& op, Body* body);

  void LowerCall(const Operation& op, const KernelInfo::Concept& kernel, Body* body);

  Step KernelStep(const Operation& op, const char* kernel) const;
  // What nobody asks for: the kernel writes it all the same, unless it may be without it.
  int AbsentSlot(const Operation& op, size_t result);
  // The next attribute of the step's kernel: that of the operation, or what holds its value.
  void AddAttribute(const Operation& op, const char* name, Step* step);
  AttributeType AttributeTypeOf(const Step& step) const;
  void MakePlanOf(Step* step) const;

  // ---- faults

  const std::string& Text(const Operation& op, const char* attribute) const;
  void Report() const;

  struct Missing {
    bool has_composite = false;
    int64_t count = 0;
    std::string first;
  };

  std::unique_ptr<Lowered> out_;
  std::unique_ptr<Aliases> aliases_;
  std::unordered_map<Value, Slots> slots_;
  std::map<std::string, int> parameters_;
  std::vector<std::pair<int, Port>> feeds_, fetches_;
  std::map<std::string, Missing> missing_;
  std::vector<std::string> faults_;
};

}  // namespace phi::ir
