// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include "torch/convert.h"
#include "torch/custom_op/inputs.h"
#include "torch/errors.h"

// A custom operator on tensors without data.
namespace phi::torch_bridge {

namespace {

using at::IValue;
using c10::SymInt;

class MetaKernel final : public c10::OperatorKernel {
 public:
  MetaKernel(const CustomOp& op, bool inplace_form) : op_(op), inplace_form_(inplace_form) {}

  void operator()(const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack* stack) {
    const std::vector<IValue> arguments = torch::jit::pop(*stack, op_.argument_count());
    try {
      if (inplace_form_) CheckCustomSharing(op_, arguments);
      CheckCustomGiven(op_, arguments);
      const CustomMetas metas = InferCustomMetas(op_, arguments);
      std::vector<IValue> outputs;
      for (size_t i = 0; i < metas.size(); ++i) outputs.push_back(Make(op_.outputs()[i], metas[i], arguments));
      PushCustomResults(op_, inplace_form_, std::move(outputs), stack);
    } catch (const enforce::EnforceNotMet& error) {
      Rethrow(op_.qualified_name().c_str(), error);
    }
  }

 private:
  IValue Make(const CustomTensor& output, const std::vector<CustomMeta>& metas, at::ArrayRef<IValue> arguments) const {
    if (inplace_form_ && output.inplace >= 0) return arguments[output.inplace];
    if (output.is_list) {
      c10::List<at::Tensor> tensors;
      for (const CustomMeta& meta : metas) tensors.push_back(MakeTensor(output, meta));
      return tensors;
    }
    if (metas.empty() && output.is_optional) return at::Tensor();
    PADDLE_ENFORCE(
        !metas.empty(),
        errors::Unimplemented("the %s of output %s is not known without running the operator, as torch.compile and "
                              "torch.export must. Add %s",
                              op_.info().infer_dtype.run != nullptr ? "shape" : "shape or the data type",
                              output.declared,
                              ".SetInferShapeFn(PD_INFER_SHAPE(...)) and .SetInferDtypeFn(PD_INFER_DTYPE(...))"));
    return MakeTensor(output, metas[0]);
  }

  at::Tensor MakeTensor(const CustomTensor& output, const CustomMeta& meta) const {
    for (const SymInt& size : meta.shape) {
      PADDLE_ENFORCE(size.is_symbolic() || size.as_int_unchecked() >= 0,
                     errors::Unimplemented("the InferShape function gives output %s a size of %d, which is known only "
                                           "from data; torch.compile and torch.export need the size",
                                           output.declared,
                                           size.as_int_unchecked()));
    }
    return at::empty_symint(meta.shape, at::TensorOptions().dtype(ToTorch(meta.dtype)).device(at::kMeta));
  }

  const CustomOp& op_;
  bool inplace_form_;
};

}  // namespace

torch::CppFunction CustomMetaKernel(const CustomOp& op, bool inplace_form) {
  return torch::CppFunction::makeFromBoxedFunctor(std::make_unique<MetaKernel>(op, inplace_form));
}

}  // namespace phi::torch_bridge
