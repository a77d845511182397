// SPDX-License-Identifier: Apache-2.0
#include "torch/python/fast_call.h"

#include <pybind11/critical_section.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>

#include <mutex>
#include <set>

namespace phi::python {
namespace {

struct Loaded {
  std::mutex mutex;  // a thread may load a library while another one takes the functions
  std::vector<FastFunction*> functions;
};

Loaded& TheLoaded() {
  static Loaded loaded;
  return loaded;
}

}  // namespace

FastFunction::FastFunction(const char* name,
                           const char* signature,
                           std::initializer_list<const char*> parameters,
                           FastCFunction fn)
    : name_(name), signature_(signature), parameters_(parameters) {
  void* erased = reinterpret_cast<void*>(fn);
  definition_ = {name, reinterpret_cast<PyCFunction>(erased), METH_FASTCALL | METH_KEYWORDS, nullptr};
  Loaded& loaded = TheLoaded();
  const std::lock_guard<std::mutex> lock(loaded.mutex);
  loaded.functions.push_back(this);
}

std::vector<FastFunction*> FastFunction::TakeAll() {
  Loaded& loaded = TheLoaded();
  const std::lock_guard<std::mutex> lock(loaded.mutex);
  return std::exchange(loaded.functions, {});
}

PyObject* FastFunction::Bind(PyObject* python, PyObject* module) {
  for (const char* parameter : parameters_) {
    keywords_.push_back(PyUnicode_InternFromString(parameter));
    if (keywords_.back() == nullptr) return nullptr;
  }
  Py_INCREF(python);
  python_ = python;
  module_ = PyUnicode_AsUTF8(module);
  // the form from which inspect.signature reads a built-in function's parameters
  doc_ = std::string(name_) + signature_ + "\n--\n\n";
  PyObject* doc = PyObject_GetAttrString(python, "__doc__");
  const char* text = doc != nullptr && PyUnicode_Check(doc) ? PyUnicode_AsUTF8(doc) : nullptr;
  if (text != nullptr) doc_ += text;
  Py_XDECREF(doc);
  if (PyErr_Occurred()) return nullptr;
  definition_.ml_doc = doc_.c_str();
  return PyCFunction_NewEx(&definition_, nullptr, module);
}

PyObject* FastFunction::BindOp(PyObject* function, PyObject* op) {
  PyObject* module = PyObject_GetAttrString(op, "__module__");
  if (module == nullptr) return nullptr;
  PyObject* bound = PyCFunction_NewEx(reinterpret_cast<PyCFunctionObject*>(function)->m_ml, op, module);
  Py_DECREF(module);
  return bound;
}

Py_ssize_t FastFunction::IndexOf(PyObject* keyword) const {
  const auto size = static_cast<Py_ssize_t>(keywords_.size());
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (keywords_[i] == keyword) return i;
  }
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (PyUnicode_Compare(keywords_[i], keyword) == 0) return i;
  }
  return -1;
}

PyObject* FastFunction::CallPython(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) const {
  for (Py_ssize_t i = 0; kwnames != nullptr && i < PyTuple_GET_SIZE(kwnames); ++i) {
    PyObject* keyword = PyTuple_GET_ITEM(kwnames, i);
    if (IndexOf(keyword) < 0 && PyUnicode_CompareWithASCIIString(keyword, "out") != 0) return UnknownKeyword(keyword);
  }
  HANDLE_TH_ERRORS  // what torch warns of becomes a warning of Python
      PyObject* result = PyObject_Vectorcall(python_, args, nargs, kwnames);
  if (result == nullptr) {
    python_error error;
    error.persist();
    throw error;
  }
  return result;
  END_HANDLE_TH_ERRORS
}

PyObject* FastFunction::UnknownKeyword(PyObject* keyword) const {
  PyObject* parameters = PyList_New(0);
  for (PyObject* parameter : keywords_) {
    if (parameters != nullptr && PyList_Append(parameters, parameter) < 0) Py_CLEAR(parameters);
  }
  PyObject* module = parameters != nullptr ? PyImport_ImportModule("phi_torch._arguments") : nullptr;
  PyObject* message = nullptr;
  if (module != nullptr) {
    const std::string function = module_ + "." + name_;
    message = PyObject_CallMethod(module, "unknown_keyword", "ssOO", function.c_str(), signature_, parameters, keyword);
  }
  if (message != nullptr) PyErr_SetObject(PyExc_TypeError, message);
  Py_XDECREF(message);
  Py_XDECREF(module);
  Py_XDECREF(parameters);
  return nullptr;
}

namespace {

// "list(int, str)" for a list of integers and strings
std::string TypeOf(PyObject* object) {
  std::string text = Py_TYPE(object)->tp_name;
  if (!PyList_Check(object) && !PyTuple_Check(object)) return text;
  const pybind11::scoped_critical_section held(object);
  std::set<std::string> items;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(object); ++i) {
    items.insert(Py_TYPE(PySequence_Fast_GET_ITEM(object, i))->tp_name);
  }
  const char* separator = "(";
  for (const std::string& item : items) text += std::exchange(separator, ", ") + item;
  return items.empty() ? text : text + ")";
}

}  // namespace

PyObject* FastFunction::WrongArgument(size_t index, const char* expected, PyObject* got) const {
  return PyErr_Format(PyExc_TypeError,
                      "%s.%s(): argument '%s' (position %zu): expected %s, got %s. The signature is %s%s",
                      module_.c_str(),
                      name_,
                      parameters_[index],
                      index + 1,
                      expected,
                      TypeOf(got).c_str(),
                      name_,
                      signature_);
}

PyObject* Wrap(at::Tensor&& tensor) { return THPVariable_Wrap(std::move(tensor)); }

PyObject* Guarded(PyObject* (*body)(void*), void* data) {
  HANDLE_TH_ERRORS
  return body(data);
  END_HANDLE_TH_ERRORS
}

PyObject* Wrap(std::vector<at::Tensor>&& tensors) {
  PyObject* list = PyList_New(static_cast<Py_ssize_t>(tensors.size()));
  for (size_t i = 0; list != nullptr && i < tensors.size(); ++i) {
    PyObject* item = THPVariable_Wrap(std::move(tensors[i]));
    if (item == nullptr)
      Py_CLEAR(list);
    else
      PyList_SET_ITEM(list, i, item);
  }
  return list;
}

}  // namespace phi::python
