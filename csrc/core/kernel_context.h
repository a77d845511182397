// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "core/attribute.h"
#include "core/device_context.h"
#include "core/kernel.h"

namespace phi {

// The arguments of a boxed kernel call, by position. Tensors are borrowed. A null input is an absent optional one,
// a null output one that is not wanted.
class KernelContext {
 public:
  using Range = std::pair<int, int>;

  explicit KernelContext(const DeviceContext* ctx);
  ~KernelContext();

  const DeviceContext& GetDeviceContext() const { return *device_context_; }

  void EmplaceBackInput(const TensorBase* input) {
    input_ranges_.emplace_back(inputs_.size(), inputs_.size() + 1);
    inputs_.push_back(input);
  }
  void EmplaceBackInputs(const std::vector<const TensorBase*>& inputs) {
    input_ranges_.emplace_back(inputs_.size(), inputs_.size() + inputs.size());
    inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
  }
  void EmplaceBackOutput(TensorBase* output) {
    output_ranges_.emplace_back(outputs_.size(), outputs_.size() + 1);
    outputs_.push_back(output);
  }
  void EmplaceBackOutputs(const std::vector<TensorBase*>& outputs) {
    output_ranges_.emplace_back(outputs_.size(), outputs_.size() + outputs.size());
    outputs_.insert(outputs_.end(), outputs.begin(), outputs.end());
  }
  void EmplaceBackAttr(Attribute attribute) { attributes_.push_back(std::move(attribute)); }
  // All attributes in one list, which is not copied and stays where it is for as long as the call is used.
  void BorrowAttrs(const std::vector<Attribute>& attributes) { borrowed_ = &attributes; }
  // Without arguments, for another call; their places stay allocated.
  void Clear() {
    inputs_.clear();
    outputs_.clear();
    attributes_.clear();
    borrowed_ = nullptr;
    input_ranges_.clear();
    output_ranges_.clear();
  }

  size_t InputsSize() const { return input_ranges_.size(); }
  size_t OutputsSize() const { return output_ranges_.size(); }
  size_t AttrsSize() const { return attributes().size(); }
  const Range& InputRangeAt(size_t i) const { return At(input_ranges_, i, "input"); }
  const Range& OutputRangeAt(size_t i) const { return At(output_ranges_, i, "output"); }

  template <typename TensorType>
  const TensorType* InputAt(int flat_index) const {
    return Cast<const TensorType>(inputs_[flat_index], "input", flat_index);
  }
  // Input i, which is one tensor and not optional.
  template <typename TensorType>
  const TensorType& RequiredInputAt(int i) const {
    const TensorType* tensor = InputAt<TensorType>(InputRangeAt(i).first);
    if (tensor == nullptr) MissInput(i);
    return *tensor;
  }
  template <typename TensorType>
  TensorType* MutableOutputAt(int flat_index) {
    return Cast<TensorType>(outputs_[flat_index], "output", flat_index);
  }
  const Attribute& AttributeAt(size_t i) const { return At(attributes(), i, "attribute"); }
  template <typename T>
  const T& AttrAt(size_t i) const {
    const Attribute& attribute = AttributeAt(i);
    if (const T* value = std::get_if<T>(&attribute)) return *value;
    RefuseAttribute(i, attribute);
  }

 private:
  const std::vector<Attribute>& attributes() const { return borrowed_ != nullptr ? *borrowed_ : attributes_; }
  template <typename V>
  static const typename V::value_type& At(const V& v, size_t i, const char* what) {
    if (i >= v.size()) Miss(what, i, v.size());
    return v[i];
  }
  template <typename TensorType, typename Base>
  static TensorType* Cast(Base* tensor, const char* what, int i) {
    if (tensor == nullptr) return nullptr;
    auto* typed = dynamic_cast<TensorType*>(tensor);
    if (typed == nullptr) RefuseTensor(what, i);
    return typed;
  }
  // Errors, apart from what is compiled for each type.
  [[noreturn, gnu::cold]] static void Miss(const char* what, size_t i, size_t count);
  [[noreturn, gnu::cold]] static void MissInput(int i);
  [[noreturn, gnu::cold]] static void RefuseTensor(const char* what, int i);
  [[noreturn, gnu::cold]] static void RefuseAttribute(size_t i, const Attribute& attribute);

  const DeviceContext* device_context_;
  std::vector<const TensorBase*> inputs_;
  std::vector<TensorBase*> outputs_;
  std::vector<Attribute> attributes_;
  const std::vector<Attribute>* borrowed_ = nullptr;  // in the place of `attributes_`
  std::vector<Range> input_ranges_;
  std::vector<Range> output_ranges_;
};

}  // namespace phi
