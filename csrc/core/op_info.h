// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What an operator of programs is: its slots, its attributes, and the kernels that it is mapped to. The tables are
// generated from yaml/program_ops.yaml, and from the operators in yaml/ops/ with their names in yaml/op_compat.yaml.
namespace phi {

// The types of attributes, in the order of the numbers that programs write, which is that of OpAttribute.
enum class OpAttributeType : uint8_t {
  INT,
  FLOAT,
  STRING,
  INTS,
  FLOATS,
  STRINGS,
  BOOLEAN,
  BOOLEANS,
  BLOCK,
  LONG,
  BLOCKS,
  LONGS,
  FLOAT64S,
  VAR,
  VARS,
  FLOAT64,
  SCALAR,
  SCALARS,
};

struct SlotInfo {
  const char* name;
  bool duplicable;  // holds any number of variables
  bool dispensable;
  bool intermediate;
  bool extra;
};

struct AttributeInfo {
  const char* name;
  OpAttributeType type;
  const char* default_value;  // a C++ literal; null where a program must give a value
  bool extra;                 // says how to run, not what to compute
  bool support_tensor;        // may name a variable that holds the value
  const char* check;          // the values that are allowed, `[0, 1]` or `{NCHW, NHWC}`; null: all
};

// A kernel and its arguments, as comma-separated names. `dense X` stands for operators with a dense tensor in slot X;
// of `KTensor|k` the first counts that is an attribute, or a slot that holds a variable.
struct SignatureRow {
  const char* kernel;
  const char* inputs;
  const char* attrs;
  const char* outputs;
};

struct OpInfo {
  const char* type;
  const char* kernel;   // the name of its kernels in the plain case; null if it has none
  const char* forward;  // the operator whose gradient it is, or null
  const char* grad;     // the operator that is its gradient, or null
  std::span<const SlotInfo> inputs;
  std::span<const SlotInfo> outputs;
  std::span<const AttributeInfo> attrs;
  std::span<const SignatureRow> signatures;  // none: the default one
  bool by_function;                          // a function decides which result of the rows it is
};

class OpInfoMap {
 public:
  static OpInfoMap& Instance();

  // The tables stay where they are, and are looked at when an operator is first asked for; of two operators of one type
  // the first is kept.
  bool Insert(std::span<const OpInfo> infos);
  const OpInfo* Find(std::string_view type) const;
  std::vector<std::string> Types() const;

 private:
  const std::map<std::string_view, const OpInfo*>& Indexed() const;  // while the mutex is held

  mutable std::mutex mutex_;
  mutable std::vector<std::span<const OpInfo>> new_;
  mutable std::map<std::string_view, const OpInfo*> infos_;
};

}  // namespace phi
