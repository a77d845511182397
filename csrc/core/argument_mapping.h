// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/macros.h"
#include "core/op_attribute.h"

namespace paddle {
using std::any;       // NOLINT(misc-unused-using-decls)
using std::any_cast;  // NOLINT(misc-unused-using-decls)

// What functions in Paddle's style put names together in.
template <typename T>
class small_vector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
};
}  // namespace paddle

// A program's operator names its slots and attributes as its definition did when the program was written. What runs it
// is a PHI kernel with arguments in an order; an ArgumentMapping says which, from what the operator is given.
namespace phi {

// A kernel and its arguments. An attribute may be the name of an input slot: its value is that of the slot's tensors.
struct KernelSignature {
  std::string name;  // kUnregistered if there is no kernel for what the operator is given
  std::vector<std::string> input_names;
  std::vector<std::string> attr_names;
  std::vector<std::string> output_names;

  static constexpr const char* kUnregistered = "unregistered";

  // A list of names, of either kind of text.
  class Names : public std::vector<std::string> {
   public:
    Names() = default;
    Names(std::initializer_list<std::string> names) : vector(names) {}
    Names(std::vector<std::string> names) : vector(std::move(names)) {}                            // NOLINT
    Names(const paddle::small_vector<const char*>& names) : vector(names.begin(), names.end()) {}  // NOLINT
  };

  KernelSignature() = default;
  KernelSignature(std::string name, Names inputs, Names attributes, Names outputs)
      : name(std::move(name)),
        input_names(std::move(inputs)),
        attr_names(std::move(attributes)),
        output_names(std::move(outputs)) {}
  bool operator==(const KernelSignature&) const = default;
  // `scale (X ; ScaleTensor,bias,bias_after_scale -> Out)`
  std::string DebugString() const;
};

// What a mapping may ask about an operator. A slot "has" something if at least one variable stands in it; questions
// about the kind of a slot's variable look at its first one, and are false for an empty slot.
class ArgumentMappingContext {
 public:
  virtual ~ArgumentMappingContext() = default;

  virtual bool HasInput(const std::string& name) const = 0;
  virtual bool HasOutput(const std::string& name) const = 0;
  virtual bool HasAttr(const std::string& name) const = 0;
  // The value with the C++ type of the attribute's definition (int for INT), so that any_cast<int> gives it.
  virtual paddle::any Attr(const std::string& name) const = 0;
  virtual size_t InputSize(const std::string& name) const = 0;
  virtual size_t OutputSize(const std::string& name) const = 0;

  virtual bool IsDenseTensorInput(const std::string& name) const = 0;
  virtual bool IsDenseTensorInputs(const std::string& name) const = 0;  // all of them
  virtual bool IsSelectedRowsInput(const std::string& name) const = 0;
  virtual bool IsSelectedRowsInputs(const std::string& name) const = 0;  // all of them
  virtual bool IsSparseCooTensorInput(const std::string& name) const = 0;
  virtual bool IsSparseCsrTensorInput(const std::string& name) const = 0;
  virtual bool IsDenseTensorVectorInput(const std::string& name) const = 0;  // a tensor array

  virtual bool IsDenseTensorOutput(const std::string& name) const = 0;
  virtual bool IsSelectedRowsOutput(const std::string& name) const = 0;
  virtual bool IsSparseCooTensorOutput(const std::string& name) const = 0;
  virtual bool IsVocabOutput(const std::string& name) const = 0;

  // Shapes are inferred from a description, nothing runs.
  virtual bool IsForInferShape() const = 0;
  bool IsRuntime() const { return !IsForInferShape(); }
};

// What stands in a slot.
enum class VariableKind : uint8_t {
  kAbsent,  // named, but nothing is known of it
  kDense,
  kSelectedRows,
  kSparseCoo,
  kSparseCsr,
  kDenseArray,
  kVocab,
  kOther,
};

using SlotKinds = std::map<std::string, std::vector<VariableKind>>;

// The answers for an operator whose slots' kinds are known: from a program's description, or from a scope.
class SlotArguments final : public ArgumentMappingContext {
 public:
  SlotArguments(SlotKinds inputs, SlotKinds outputs, OpAttributeMap attributes, bool for_infer_shape)
      : inputs_(std::move(inputs)),
        outputs_(std::move(outputs)),
        attributes_(std::move(attributes)),
        for_infer_shape_(for_infer_shape) {}

  bool HasInput(const std::string& name) const override;
  bool HasOutput(const std::string& name) const override;
  bool HasAttr(const std::string& name) const override { return attributes_.count(name) != 0; }
  paddle::any Attr(const std::string& name) const override;
  size_t InputSize(const std::string& name) const override;
  size_t OutputSize(const std::string& name) const override;
  bool IsDenseTensorInput(const std::string& name) const override;
  bool IsDenseTensorInputs(const std::string& name) const override;
  bool IsSelectedRowsInput(const std::string& name) const override;
  bool IsSelectedRowsInputs(const std::string& name) const override;
  bool IsSparseCooTensorInput(const std::string& name) const override;
  bool IsSparseCsrTensorInput(const std::string& name) const override;
  bool IsDenseTensorVectorInput(const std::string& name) const override;
  bool IsDenseTensorOutput(const std::string& name) const override;
  bool IsSelectedRowsOutput(const std::string& name) const override;
  bool IsSparseCooTensorOutput(const std::string& name) const override;
  bool IsVocabOutput(const std::string& name) const override;
  bool IsForInferShape() const override { return for_infer_shape_; }

 private:
  SlotKinds inputs_;
  SlotKinds outputs_;
  OpAttributeMap attributes_;
  bool for_infer_shape_;
};

using ArgumentMappingFn = KernelSignature (*)(const ArgumentMappingContext& ctx);

}  // namespace phi
