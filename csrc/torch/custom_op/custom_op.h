// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>
#include <torch/library.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "paddle/op_meta_info.h"

// Operators that are written with PD_BUILD_OP, PD_BUILD_GRAD_OP and PD_BUILD_DOUBLE_GRAD_OP, as operators of torch.
namespace phi::torch_bridge {

class CustomOp;

// An input or an output.
struct CustomTensor {
  std::string declared;  // "X@VECTOR@GRAD"
  std::string name;      // in the schema: "X_grad"
  bool is_list = false;
  bool is_optional = false;
  int inplace = -1;  // of an input: the output that overwrites it; of an output: the input that it overwrites
  int like = -1;     // of an output: the input that has its shape and data type, as far as Paddle's rules say
};

struct CustomAttribute {
  std::string name;
  std::string type;    // as C++ writes it
  const char* schema;  // in the schema: "int[]"
  Attribute (*read)(const at::IValue& value, const char* name);
};

// How an op is differentiated: where its gradient op takes its inputs from, and whose gradients the outputs are.
struct CustomDerivative {
  enum class From { kInput, kOutput, kGrad };
  struct Source {
    From from;
    size_t index;  // of the input, of the output, or of the output whose gradient it is
  };
  const CustomOp* op;
  std::vector<Source> inputs;
  std::vector<size_t> attributes;  // indices of the differentiated op's
  std::vector<size_t> targets;     // for each output: the input whose gradient it is
};

// The name whose gradient `declared` is: "X@GRAD" and "X@GRAD@NEW" are gradients of "X".
std::string GradientOf(std::string declared);
// The index of a declared name, or -1.
int FindTensor(const std::vector<CustomTensor>& tensors, const std::string& declared);
std::string NamesOf(const std::vector<CustomTensor>& tensors);

// What was declared, checked. Errors are InvalidArgument with the op's name and place.
class CustomOp {
 public:
  explicit CustomOp(paddle::OpMetaInfo info);

  const paddle::OpMetaInfo& info() const { return info_; }
  const std::string& name() const { return name_; }  // "relu_grad"
  std::string qualified_name() const { return info_.extension + "::" + name_; }
  const std::vector<CustomTensor>& inputs() const { return inputs_; }
  const std::vector<CustomTensor>& outputs() const { return outputs_; }
  const std::vector<CustomAttribute>& attributes() const { return attributes_; }
  size_t argument_count() const { return inputs_.size() + attributes_.size(); }

  // A forward op with an in-place map overwrites its arguments; its functional form is `<name>_functional`. A gradient
  // op is never called in place, since torch may hand an incoming gradient to others too.
  bool has_inplace_form() const { return info_.order == 0 && !info_.inplace.empty(); }
  std::string functional_name() const { return has_inplace_form() ? name_ + "_functional" : name_; }
  // The in-place form returns the overwritten argument if it has no other output, else what it does not overwrite:
  // torch.compile takes no other aliases.
  bool returns_argument() const { return outputs_.size() == 1 && !outputs_[0].is_list && !outputs_[0].is_optional; }
  bool Returns(const CustomTensor& output, bool inplace_form) const {
    return !inplace_form || output.inplace < 0 || returns_argument();
  }
  std::string Schema(bool inplace_form) const;

  // Once: what is traced holds for the sizes of now alone, since the InferShape function is over int64_t.
  void WarnOfNumbers() const;

  // How many tensors a list output has: as many as the list that it is the gradient of, or that it overwrites.
  size_t ListSize(const CustomTensor& output, at::ArrayRef<at::IValue> arguments) const;

  // Null while no gradient op is registered.
  const CustomDerivative* derivative() const { return derivative_.get(); }
  void SetDerivative(CustomOp* grad);
  // The op whose gradient this one is; null while it is not registered.
  const CustomOp* differentiated() const { return differentiated_; }

 private:
  void ReadTensors();
  void ReadAttributes();
  void ReadInplaceMap();
  void FindLikes();
  void CheckKernel() const;
  template <class Function>
  void CheckInfer(const Function& function, const char* what, bool takes_int64s) const;
  void CheckParam(const paddle::detail::Param& param, size_t input, const char* what) const;
  [[noreturn]] void Fail(const std::string& message) const;
  void Check(bool condition, const std::string& message) const {
    if (!condition) Fail(message);
  }

  paddle::OpMetaInfo info_;
  std::string name_;
  std::vector<CustomTensor> inputs_;
  std::vector<CustomTensor> outputs_;
  std::vector<CustomAttribute> attributes_;
  std::unique_ptr<CustomDerivative> derivative_;
  const CustomOp* differentiated_ = nullptr;
  mutable std::once_flag warned_;
};

// Adds the errors that show only when all is loaded to KernelFactory's.
void CheckCustomOps();
// All that are declared right, by extension and name.
std::vector<const CustomOp*> CustomOps();

// The tensors of an argument; none of an absent one.
std::vector<at::Tensor> CustomTensorsOf(const at::IValue& value);
// What a call returns of all its outputs.
void PushCustomResults(const CustomOp& op,
                       bool inplace_form,
                       std::vector<at::IValue> outputs,
                       torch::jit::Stack* stack);

// Shape and data type of the tensors of an output.
struct CustomMeta {
  std::vector<c10::SymInt> shape;
  DataType dtype = DataType::UNDEFINED;
};
using CustomMetas = std::vector<std::vector<CustomMeta>>;
// By the functions of the author, else by Paddle's rules. An output that neither says anything of has no metas.
CustomMetas InferCustomMetas(const CustomOp& op, at::ArrayRef<at::IValue> arguments);
// Outputs and their gradients, among the arguments of a gradient op, are as the op that it differentiates gives them.
void CheckCustomGiven(const CustomOp& grad, at::ArrayRef<at::IValue> arguments);

// Boxed kernels. The in-place form overwrites arguments.
torch::CppFunction CustomKernel(const CustomOp& op, bool inplace_form);          // CPU, CUDA
torch::CppFunction CustomMetaKernel(const CustomOp& op, bool inplace_form);      // Meta
torch::CppFunction CustomAutogradKernel(const CustomOp& op, bool inplace_form);  // Autograd

}  // namespace phi::torch_bridge
