// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/macros.h"
#include "paddle/function.h"

// The declaration of a custom operator, as Paddle has it:
//
//   PD_BUILD_OP(relu).Inputs({"X"}).Outputs({"Out"}).SetKernelFn(PD_KERNEL(ReluForward));
//   PD_BUILD_GRAD_OP(relu)
//       .Inputs({"Out", paddle::Grad("Out")})
//       .Outputs({paddle::Grad("X")})
//       .SetKernelFn(PD_KERNEL(ReluBackward));
//
// makes the torch operators <extension>::relu and <extension>::relu_grad.
namespace paddle {

// A size that may be symbolic while torch traces.
using SymInt = c10::SymInt;

// The name of the gradient of a tensor, of a list of tensors, of an optional tensor, and, in a double gradient, of the
// second gradient of a tensor that has one already.
inline std::string Grad(const std::string& name) { return name + "@GRAD"; }
inline std::string Vec(const std::string& name) { return name + "@VECTOR"; }
inline std::string Optional(const std::string& name) { return name + "@OPTIONAL"; }
inline std::string New(const std::string& name) { return name + "@NEW"; }

struct OpMetaInfo {
  std::string extension;  // the torch namespace
  std::string name;
  int order = 0;  // 0 the operator, 1 its gradient, 2 the gradient's gradient
  const char* file = "";
  int line = 0;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> attributes;  // "name: type"
  std::unordered_map<std::string, std::string> inplace;
  detail::KernelFn kernel;
  detail::InferShapeFn infer_shape;
  detail::InferDtypeFn infer_dtype;
};

// Registers the operator with torch. An error waits for phi_torch.load_library, which raises it.
void RegisterCustomOp(OpMetaInfo info);

class OpMetaInfoBuilder {
 public:
  OpMetaInfoBuilder(const char* name, int order, const char* extension, const char* file, int line) {
    info_.extension = extension;
    info_.name = name;
    info_.order = order;
    info_.file = file;
    info_.line = line;
  }

  // Names; paddle::Vec of one is a list of tensors, paddle::Optional of one may be absent.
  OpMetaInfoBuilder& Inputs(std::vector<std::string> names) { return Set(&info_.inputs, std::move(names)); }
  OpMetaInfoBuilder& Outputs(std::vector<std::string> names) { return Set(&info_.outputs, std::move(names)); }
  // "name: type", with the type as C++ writes it.
  OpMetaInfoBuilder& Attrs(std::vector<std::string> attributes) {
    return Set(&info_.attributes, std::move(attributes));
  }
  // {input: output}: the kernel writes the input, which then is the output.
  OpMetaInfoBuilder& SetInplaceMap(std::unordered_map<std::string, std::string> map) {
    return Set(&info_.inplace, std::move(map));
  }
  OpMetaInfoBuilder& SetKernelFn(detail::KernelFn fn) { return Set(&info_.kernel, std::move(fn)); }
  OpMetaInfoBuilder& SetInferShapeFn(detail::InferShapeFn fn) { return Set(&info_.infer_shape, std::move(fn)); }
  OpMetaInfoBuilder& SetInferDtypeFn(detail::InferDtypeFn fn) { return Set(&info_.infer_dtype, std::move(fn)); }

  const OpMetaInfo& info() const { return info_; }

 private:
  template <class T>
  OpMetaInfoBuilder& Set(T* member, T value) {
    *member = std::move(value);
    return *this;
  }

  OpMetaInfo info_;
};

namespace detail {
struct CustomOpRegistration {
  CustomOpRegistration(const OpMetaInfoBuilder& builder) { RegisterCustomOp(builder.info()); }  // NOLINT
};
}  // namespace detail

}  // namespace paddle

// The torch namespace of the operators of a library.
#ifndef PHI_EXTENSION_NAME
#define PHI_EXTENSION_NAME custom
#endif

#define PHI_BUILD_CUSTOM_OP(name, order)                                                                \
  [[maybe_unused]] static const ::paddle::detail::CustomOpRegistration phi_custom_op_##name##_##order = \
      ::paddle::OpMetaInfoBuilder(#name, order, PHI_QUOTE(PHI_EXTENSION_NAME), __FILE__, __LINE__)
#define PD_BUILD_OP(name) PHI_BUILD_CUSTOM_OP(name, 0)
#define PD_BUILD_GRAD_OP(name) PHI_BUILD_CUSTOM_OP(name, 1)
#define PD_BUILD_DOUBLE_GRAD_OP(name) PHI_BUILD_CUSTOM_OP(name, 2)

#define PD_KERNEL(...) ::paddle::detail::MakeKernel<&__VA_ARGS__>()
#define PD_INFER_SHAPE(...) ::paddle::detail::MakeInferShape<&__VA_ARGS__>()
#define PD_INFER_DTYPE(...) ::paddle::detail::MakeInferDtype<&__VA_ARGS__>()
