// SPDX-License-Identifier: Apache-2.0
// The arguments of the fast functions: each class reads one kind of Python object and converts to what a dispatcher
// handle takes. They hold their default until they are read.
#pragma once
#include <torch/csrc/python_headers.h>

#include <ATen/core/Tensor.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/util/SmallVector.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace phi::python {

// What an argument class makes of an object.
enum class Match {
  kYes,
  kBeyondOp,  // read, but what torch.ops does not take: one number for a list, a Scalar that is a number of NumPy
  kUnknown,   // torch.ops may know it: a subclass of Tensor, a symbolic number, another number of NumPy
  kNo,        // no such argument can ever be this object
};

// The tensor in an object whose type is exactly Tensor, else null. Not inline: torch's headers for it take five
// seconds.
at::Tensor* ExactTensor(PyObject* object);
// Not of an exact type: kUnknown if the object may still stand for a tensor or a number.
Match MaybeTensor(PyObject* object);
Match MaybeNumber(PyObject* object);

class TensorArg {
 public:
  static constexpr const char* kExpected = "Tensor";
  Match Read(PyObject* object) {
    tensor_ = ExactTensor(object);
    return tensor_ != nullptr ? Match::kYes : MaybeTensor(object);
  }
  operator at::Tensor&() const { return *tensor_; }  // NOLINT

 private:
  at::Tensor* tensor_ = nullptr;  // the caller of a Python function keeps its arguments alive
};

class OptionalTensorArg {
 public:
  static constexpr const char* kExpected = "Tensor or None";
  OptionalTensorArg() = default;
  explicit OptionalTensorArg(std::nullopt_t) {}
  OptionalTensorArg(const OptionalTensorArg&) = delete;
  ~OptionalTensorArg() {
    if (tensor_) Borrow::destroyBorrow(*tensor_);
  }
  Match Read(PyObject* object) {
    if (object == Py_None) return Match::kYes;
    const at::Tensor* tensor = ExactTensor(object);
    if (tensor == nullptr) return MaybeTensor(object);
    tensor_.emplace(Borrow::createBorrow(*tensor));
    return Match::kYes;
  }
  operator const std::optional<at::Tensor>&() const { return tensor_; }  // NOLINT

 private:
  using Borrow = c10::MaybeOwnedTraits<at::Tensor>;  // no reference is counted
  std::optional<at::Tensor> tensor_;
};

// A list or a tuple; the tensors are owned, since another thread may change a list.
class TensorListArg {
 public:
  static constexpr const char* kExpected = "a list or tuple of Tensors";
  Match Read(PyObject* object);
  operator at::TensorList() const { return tensors_; }  // NOLINT

 private:
  c10::SmallVector<at::Tensor, 4> tensors_;
};

class OptionalTensorListArg {
 public:
  static constexpr const char* kExpected = "a list or tuple of Tensors, or None";
  OptionalTensorListArg() = default;
  explicit OptionalTensorListArg(std::nullopt_t) {}
  Match Read(PyObject* object);
  operator const std::optional<std::vector<at::Tensor>>&() const { return tensors_; }  // NOLINT

 private:
  std::optional<std::vector<at::Tensor>> tensors_;
};

class BoolArg {
 public:
  static constexpr const char* kExpected = "bool";
  explicit BoolArg(bool value = false) : value_(value) {}
  Match Read(PyObject* object) {
    value_ = object == Py_True;
    return value_ || object == Py_False ? Match::kYes : MaybeNumber(object);
  }
  operator bool() const { return value_; }  // NOLINT

 private:
  bool value_;
};

class IntArg {
 public:
  static constexpr const char* kExpected = "int";
  explicit IntArg(int64_t value = 0) : value_(value) {}
  Match Read(PyObject* object);
  operator int64_t() const { return value_; }  // NOLINT

 private:
  int64_t value_;
};

class FloatArg {
 public:
  static constexpr const char* kExpected = "float";
  explicit FloatArg(double value = 0) : value_(value) {}
  Match Read(PyObject* object);
  operator double() const { return value_; }  // NOLINT

 private:
  double value_;
};

class ScalarArg {
 public:
  static constexpr const char* kExpected = "a number";
  ScalarArg() = default;
  template <class T>
  explicit ScalarArg(T value) : value_(value) {}
  explicit ScalarArg(int value) : value_(static_cast<int64_t>(value)) {}
  Match Read(PyObject* object);
  operator const at::Scalar&() const { return value_; }  // NOLINT

 private:
  // An exact number of Python's.
  Match ReadExact(PyObject* object);

  at::Scalar value_;
};

class StringArg {
 public:
  static constexpr const char* kExpected = "str";
  explicit StringArg(std::string_view value = {}) : value_(value) {}
  Match Read(PyObject* object);
  operator std::string_view() const { return value_; }  // NOLINT

 private:
  std::string_view value_;  // in the Python object, which cannot change, and which the caller keeps alive
};

// None stands for the op's own default.
class DataTypeArg {
 public:
  static constexpr const char* kExpected = "torch.dtype or None";
  explicit DataTypeArg(std::optional<at::ScalarType> value = std::nullopt) : value_(value) {}
  Match Read(PyObject* object);
  operator std::optional<at::ScalarType>() const { return value_; }  // NOLINT

 private:
  std::optional<at::ScalarType> value_;
};

class RequiredDataTypeArg {
 public:
  static constexpr const char* kExpected = "torch.dtype";
  Match Read(PyObject* object) { return object == Py_None ? Match::kNo : value_.Read(object); }
  operator at::ScalarType() const { return *std::optional<at::ScalarType>(value_); }  // NOLINT

 private:
  DataTypeArg value_;
};

class PlaceArg {
 public:
  static constexpr const char* kExpected = "torch.device, str or None";
  explicit PlaceArg(std::optional<at::Device> value = std::nullopt) : value_(value) {}
  Match Read(PyObject* object);
  operator std::optional<at::Device>() const { return value_; }  // NOLINT

 private:
  std::optional<at::Device> value_;
};

// A list or a tuple of numbers.
template <class T>
class ListArg {
 public:
  static const char* const kExpected;
  ListArg() = default;
  ListArg(std::initializer_list<T> values) : values_(values) {}
  Match Read(PyObject* object);
  operator at::ArrayRef<T>() const { return values_; }  // NOLINT

 protected:
  c10::SmallVector<T, 6> values_;
};

// One integer stands for a list of one.
class IntArrayArg : public ListArg<int64_t> {
 public:
  static constexpr const char* kExpected = "int, or a list or tuple of ints";
  using ListArg<int64_t>::ListArg;
  Match Read(PyObject* object);
  operator c10::SymIntArrayRef() const { return c10::fromIntArrayRefSlow(values_); }  // NOLINT
};

}  // namespace phi::python
