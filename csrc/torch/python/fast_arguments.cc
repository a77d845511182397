// SPDX-License-Identifier: Apache-2.0
#include "torch/python/fast_arguments.h"

#include <pybind11/critical_section.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/tensor_numpy.h>

#include <algorithm>

namespace phi::python {

at::Tensor* ExactTensor(PyObject* object) {
  return THPVariable_CheckExact(object) ? const_cast<at::Tensor*>(&THPVariable_Unpack(object)) : nullptr;
}

Match DataTypeArg::Read(PyObject* object) {
  if (object == Py_None) return Match::kYes;
  if (!THPDtype_Check(object)) return Match::kNo;
  value_ = reinterpret_cast<THPDtype*>(object)->scalar_type;
  return Match::kYes;
}

Match MaybeTensor(PyObject* object) {
  if (THPVariable_Check(object)) return Match::kUnknown;
  // owned: a metaclass may run Python, and let another thread take the object out of its list
  const auto type = pybind11::reinterpret_borrow<pybind11::object>(reinterpret_cast<PyObject*>(Py_TYPE(object)));
  return PyObject_HasAttrString(type.ptr(), "__torch_function__") ? Match::kUnknown : Match::kNo;
}

Match MaybeNumber(PyObject* object) {
  if (PyNumber_Check(object)) return Match::kUnknown;
  return MaybeTensor(object);
}

namespace {

// A number of numpy's as Python's own.
pybind11::object Item(PyObject* number) { return pybind11::handle(number).attr("item")(); }

// An exact int that fits, or numpy's; kUnknown for bool, which torch.ops judges.
Match ReadInt(PyObject* object, int64_t* value) {
  if (!PyLong_CheckExact(object)) {
    if (torch::utils::is_numpy_int(object)) return ReadInt(Item(object).ptr(), value);
    return PyFloat_CheckExact(object) || PyComplex_CheckExact(object) ? Match::kNo : MaybeNumber(object);
  }
  int overflow = 0;
  *value = PyLong_AsLongLongAndOverflow(object, &overflow);
  return overflow == 0 ? Match::kYes : Match::kUnknown;
}

Match ReadElement(PyObject* object, int64_t* value) { return ReadInt(object, value); }

Match ReadElement(PyObject* object, double* value) {
  FloatArg arg;
  const Match match = arg.Read(object);
  *value = arg;
  return match;
}

Match ReadElement(PyObject* object, bool* value) {
  BoolArg arg;
  const Match match = arg.Read(object);
  *value = arg;
  return match;
}

Match ReadElement(PyObject* object, at::Scalar* value) {
  ScalarArg arg;
  const Match match = arg.Read(object);
  *value = arg;
  return match;
}

Match ReadElement(PyObject* object, std::string* value) {
  StringArg arg;
  const Match match = arg.Read(object);
  *value = std::string_view(arg);
  return match;
}

Match ReadElement(PyObject* object, at::Tensor* value) {
  if (!THPVariable_CheckExact(object)) return MaybeTensor(object);
  *value = THPVariable_Unpack(object);
  return Match::kYes;
}

template <class Vector>
Match ReadList(PyObject* object, Vector* values) {
  if (!PyList_Check(object) && !PyTuple_Check(object)) {
    // a tensor may stand for numbers
    constexpr bool kTensors = std::is_same_v<typename Vector::value_type, at::Tensor>;
    return kTensors && THPVariable_CheckExact(object) ? Match::kNo : MaybeTensor(object);
  }
  const pybind11::scoped_critical_section held(object);  // without the interpreter's lock: no thread changes the list
  values->resize(PySequence_Fast_GET_SIZE(object));
  // the Python function knows whether a call may be without tensors
  if (std::is_same_v<typename Vector::value_type, at::Tensor> && values->empty()) return Match::kUnknown;
  size_t i = 0;
  Match all = Match::kYes;
  for (auto& value : *values) {
    const Match match = ReadElement(PySequence_Fast_GET_ITEM(object, i++), &value);
    if (match > Match::kBeyondOp) return match;
    all = std::max(all, match);
  }
  return all;
}

}  // namespace

Match TensorListArg::Read(PyObject* object) { return ReadList(object, &tensors_); }

Match OptionalTensorListArg::Read(PyObject* object) {
  return object == Py_None ? Match::kYes : ReadList(object, &tensors_.emplace());
}

Match IntArg::Read(PyObject* object) { return ReadInt(object, &value_); }

Match FloatArg::Read(PyObject* object) {
  if (PyFloat_CheckExact(object)) {
    value_ = PyFloat_AS_DOUBLE(object);
    return Match::kYes;
  }
  int64_t integer = 0;
  if (PyComplex_CheckExact(object)) return Match::kNo;
  const Match match = ReadInt(object, &integer);
  value_ = static_cast<double>(integer);
  return match;
}

Match ScalarArg::Read(PyObject* object) {
  const Match match = ReadExact(object);
  if (match != Match::kUnknown || !torch::utils::is_numpy_scalar(object)) return match;
  // torch.ops knows none of numpy's but float64, which is a float
  return std::max(ReadExact(Item(object).ptr()), Match::kBeyondOp);
}

Match ScalarArg::ReadExact(PyObject* object) {
  if (PyFloat_CheckExact(object)) {
    value_ = PyFloat_AS_DOUBLE(object);
  } else if (PyBool_Check(object)) {
    value_ = at::Scalar(object == Py_True);
  } else if (PyComplex_CheckExact(object)) {
    const Py_complex complex = PyComplex_AsCComplex(object);
    value_ = c10::complex<double>(complex.real, complex.imag);
  } else {
    int64_t integer = 0;
    const Match match = ReadInt(object, &integer);
    if (match != Match::kYes) return match;
    value_ = integer;
  }
  return Match::kYes;
}

Match StringArg::Read(PyObject* object) {
  if (!PyUnicode_Check(object)) return Match::kNo;
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(object, &size);
  if (text == nullptr) {
    PyErr_Clear();
    return Match::kNo;
  }
  value_ = {text, static_cast<size_t>(size)};
  return Match::kYes;
}

Match PlaceArg::Read(PyObject* object) {
  if (object == Py_None) return Match::kYes;
  if (THPDevice_Check(object)) {
    value_ = reinterpret_cast<THPDevice*>(object)->device;
    return Match::kYes;
  }
  // torch.ops knows the other spellings, and the errors of those that are none
  return PyUnicode_Check(object) || PyLong_CheckExact(object) ? Match::kUnknown : Match::kNo;
}

template <class T>
Match ListArg<T>::Read(PyObject* object) {
  return ReadList(object, &values_);
}

// As in Paddle one integer stands for a list of one, and None for an empty list.
template <>
Match ListArg<int64_t>::Read(PyObject* object) {
  if (PyLong_CheckExact(object)) {
    values_.resize(1);
    return std::max(ReadInt(object, values_.data()), Match::kBeyondOp);
  }
  if (object == Py_None) {
    values_.clear();
    return Match::kBeyondOp;
  }
  return ReadList(object, &values_);
}

template <>
const char* const ListArg<int64_t>::kExpected = IntArrayArg::kExpected;
template <>
const char* const ListArg<double>::kExpected = "a list or tuple of floats";
template <>
const char* const ListArg<bool>::kExpected = "a list or tuple of bools";
template <>
const char* const ListArg<std::string>::kExpected = "a list or tuple of strs";
template <>
const char* const ListArg<at::Scalar>::kExpected = "a list or tuple of numbers";

template class ListArg<int64_t>;
template class ListArg<double>;
template class ListArg<bool>;
template class ListArg<std::string>;
template class ListArg<at::Scalar>;

Match IntArrayArg::Read(PyObject* object) {
  const Match match = ListArg<int64_t>::Read(object);
  // below -2^62 a SymInt is no number but a symbol
  const bool are_numbers =
      match > Match::kBeyondOp || std::all_of(values_.begin(), values_.end(), c10::SymInt::check_range);
  return are_numbers ? match : Match::kUnknown;
}

}  // namespace phi::python
