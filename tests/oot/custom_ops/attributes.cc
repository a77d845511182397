// SPDX-License-Identifier: Apache-2.0
// Custom operators as they are written for Paddle: attributes of every type.
#include <string>
#include <vector>

#include "paddle/extension.h"

namespace {

// All values as one row of numbers; a text as its length.
std::vector<paddle::Tensor> Row(const std::vector<double>& values) {
  auto out = paddle::empty({static_cast<int64_t>(values.size())}, paddle::DataType::FLOAT64, paddle::CPUPlace());
  for (size_t i = 0; i < values.size(); ++i) out.data<double>()[i] = values[i];
  return {out};
}

}  // namespace

std::vector<paddle::Tensor> AllAttributes(const paddle::Tensor& x,
                                          bool flag,
                                          int number,
                                          float ratio,
                                          double precise,
                                          int64_t big,
                                          std::string text,
                                          std::vector<int> numbers,
                                          std::vector<float> ratios,
                                          std::vector<int64_t> bigs,
                                          std::vector<std::string> texts) {
  std::vector<double> values = {
      double(flag), double(number), double(ratio), precise, double(big), double(text.size()), double(texts.size())};
  values.insert(values.end(), numbers.begin(), numbers.end());
  values.insert(values.end(), ratios.begin(), ratios.end());
  values.insert(values.end(), bigs.begin(), bigs.end());
  for (const std::string& word : texts) values.push_back(double(word.size()));
  return Row(values);
}

// std::vector<int64_t> is left out: it would be a shape.
std::vector<std::vector<int64_t>> AllAttributesShape(const std::vector<int64_t>& x,
                                                     const bool& flag,
                                                     const int& number,
                                                     const float& ratio,
                                                     double precise,
                                                     const int64_t& big,
                                                     const std::string& text,
                                                     const std::vector<int>& numbers,
                                                     const std::vector<float>& ratios,
                                                     const std::vector<std::string>& texts) {
  return {{static_cast<int64_t>(7 + numbers.size() + ratios.size() + 2 + texts.size())}};
}
std::vector<paddle::DataType> AllAttributesDtype(const paddle::DataType& x) { return {paddle::DataType::FLOAT64}; }

PD_BUILD_OP(all_attributes)
    .Inputs({"X"})
    .Outputs({"Out"})
    .Attrs({"flag: bool",
            "number: int",
            "ratio: float",
            "precise: double",
            "big: int64_t",
            "text: std::string",
            "numbers: std::vector<int>",
            "ratios: std::vector<float>",
            "bigs: std::vector<int64_t>",
            "texts: std::vector<std::string>"})
    .SetKernelFn(PD_KERNEL(AllAttributes))
    .SetInferShapeFn(PD_INFER_SHAPE(AllAttributesShape))
    .SetInferDtypeFn(PD_INFER_DTYPE(AllAttributesDtype));

// A gradient that takes some of the attributes, in another order.
std::vector<paddle::Tensor> AffineForward(const paddle::Tensor& x,
                                          const float& scale,
                                          const std::vector<float>& shifts,
                                          const std::string& mode) {
  PD_CHECK(mode == "sum" || mode == "first", "mode: expected sum or first, got ", mode);
  float shift = 0;
  for (size_t i = 0; i < (mode == "sum" ? shifts.size() : 1); ++i) shift += shifts[i];
  return {x * scale + shift};
}
std::vector<paddle::Tensor> AffineBackward(const paddle::Tensor& out_grad,
                                           const std::string& mode,
                                           const float& scale) {
  PD_CHECK(!mode.empty());
  return {out_grad * scale};
}
PD_BUILD_OP(affine)
    .Inputs({"X"})
    .Outputs({"Out"})
    .Attrs({"scale: float", "shifts: std::vector<float>", "mode: std::string"})
    .SetKernelFn(PD_KERNEL(AffineForward));
PD_BUILD_GRAD_OP(affine)
    .Inputs({paddle::Grad("Out")})
    .Outputs({paddle::Grad("X")})
    .Attrs({"mode: std::string", "scale: float"})
    .SetKernelFn(PD_KERNEL(AffineBackward));
