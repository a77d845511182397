// SPDX-License-Identifier: Apache-2.0
// The fast way from Python to an op: the arguments by their exact types, the typed dispatcher handle, the results.
// Whatever else a call may hold (a subclass of Tensor, a __torch_function__ mode, a symbolic number) goes to the Python
// function of the same name, which calls torch.ops, or, of a call through torch.ops, to torch's own function.
#pragma once
#include <torch/csrc/python_headers.h>

#include <ATen/PythonTorchFunctionTLS.h>

#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "torch/python/fast_arguments.h"

namespace phi::python {

using FastCFunction = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

// An op's function in Python: its parameters, and the Python function for what the fast way does not know.
class FastFunction {
 public:
  // `signature` is Python's, "(x, axis=-1)".
  FastFunction(const char* name,
               const char* signature,
               std::initializer_list<const char*> parameters,
               FastCFunction fn);

  // The functions of the libraries that were loaded since the last call.
  static std::vector<FastFunction*> TakeAll();

  const char* name() const { return name_; }
  // The function object; `python` is borrowed for good. A new reference, or null with an error set.
  PyObject* Bind(PyObject* python, PyObject* module);
  // A function object that is bound already, as what torch.ops calls: it gives all results of the op, and leaves what
  // it does not know, wrong arguments too, to torch's function `op`. A new reference, or null with an error set.
  static PyObject* BindOp(PyObject* function, PyObject* op);
  // The place of a keyword among the parameters; -1 if there is none.
  Py_ssize_t IndexOf(PyObject* keyword) const;
  // The Python function, or a TypeError for a keyword that it has not.
  PyObject* CallPython(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) const;
  // Sets a TypeError that names the function, the argument, its position, and what was expected. Returns null.
  PyObject* WrongArgument(size_t index, const char* expected, PyObject* got) const;

 private:
  // Sets a TypeError that says what was probably meant. Returns null.
  PyObject* UnknownKeyword(PyObject* keyword) const;

  const char* name_;
  const char* signature_;
  std::vector<const char*> parameters_;
  std::vector<PyObject*> keywords_;  // interned, so that most comparisons are of pointers
  PyObject* python_ = nullptr;
  std::string module_;
  std::string doc_;
  PyMethodDef definition_;
};

// What a Python function returns: the I-th result of the op, or the I-th argument of the call.
template <size_t I>
struct Out {};
template <size_t I>
struct In {};
template <class T>
inline constexpr bool kIsIn = false;
template <size_t I>
inline constexpr bool kIsIn<In<I>> = true;

PyObject* Wrap(at::Tensor&& tensor);
PyObject* Wrap(std::vector<at::Tensor>&& tensors);

// Calls `body(data)`; an exception becomes the Python error that torch's own functions raise, and the result null.
PyObject* Guarded(PyObject* (*body)(void*), void* data);

class ReleaseGil {
 public:
  ReleaseGil() : state_(PyEval_SaveThread()) {}
  ~ReleaseGil() { PyEval_RestoreThread(state_); }
  ReleaseGil(const ReleaseGil&) = delete;

 private:
  PyThreadState* state_;
};

// One call of a function with N parameters; `op` is torch's function for a call through torch.ops, else null.
template <size_t N>
class FastCall {
 public:
  FastCall(const FastFunction& function, PyObject* op, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames)
      : function_(function), op_(op), args_(args), nargs_(nargs), kwnames_(kwnames) {
    if (nargs > static_cast<Py_ssize_t>(N) || at::impl::torch_function_mode_enabled()) {
      match_ = Match::kUnknown;
      return;
    }
    for (Py_ssize_t i = 0; i < nargs; ++i) objects_[i] = args[i];
    if (kwnames != nullptr) PlaceKeywords();
  }

  template <class Arg>
  void Require(size_t i, Arg* arg) {
    // Python's own error for a missing argument
    if (objects_[i] == nullptr) {
      match_ = Match::kUnknown;
    } else {
      Read(i, arg);
    }
  }
  template <class Arg>
  void Read(size_t i, Arg* arg) {
    if (objects_[i] == nullptr) return;
    const Match match = arg->Read(objects_[i]);
    if (__builtin_expect(match != Match::kYes, 0)) Miss(match, i, Arg::kExpected);
  }
  bool matched() const { return match_ == Match::kYes; }
  bool is_op() const { return op_ != nullptr; }

  // The result, or the error, of a call that did not match.
  PyObject* Otherwise() const {
    if (is_op()) return PyObject_Vectorcall(op_, args_, nargs_, kwnames_);
    return match_ == Match::kNo ? function_.WrongArgument(wrong_, expected_, objects_[wrong_])
                                : function_.CallPython(args_, nargs_, kwnames_);
  }

  // Calls `op` and builds what the function returns: one object, a tuple of several, or None.
  template <class... Results, class Op>
  PyObject* Run(const Op& op) {
    auto body = [&] { return CallAndBuild<Results...>(op); };
    return Guarded([](void* data) { return (*static_cast<decltype(body)*>(data))(); }, &body);
  }

 private:
  template <class... Results, class Op>
  PyObject* CallAndBuild(const Op& op) {
    using Value = std::decay_t<decltype(op())>;
    if constexpr ((kIsIn<Results> && ...)) {  // the op's own result, if there is one, is an argument
      {
        const ReleaseGil released;
        op();
      }
      std::tuple<> none;
      return Build<Results...>(none);
    } else {
      Value value = [&] {
        const ReleaseGil released;
        return op();
      }();
      return Build<Results...>(value);
    }
  }

  template <class... Results, class Value>
  PyObject* Build(Value& value) {
    if constexpr (sizeof...(Results) == 0) {
      Py_RETURN_NONE;
    } else if constexpr (sizeof...(Results) == 1) {
      return (Object(Results(), value), ...);
    } else {
      PyObject* objects[] = {Object(Results(), value)...};
      PyObject* tuple = PyTuple_New(sizeof...(Results));
      for (size_t i = 0; i < sizeof...(Results); ++i) {
        if (tuple == nullptr || objects[i] == nullptr) {
          for (size_t j = i; j < sizeof...(Results); ++j) Py_XDECREF(objects[j]);
          Py_XDECREF(tuple);
          return nullptr;
        }
        PyTuple_SET_ITEM(tuple, i, objects[i]);
      }
      return tuple;
    }
  }
  template <size_t I, class Value>
  PyObject* Object(In<I>, Value&) {
    PyObject* object = objects_[I] == nullptr ? Py_None : objects_[I];  // an optional argument may be left out
    Py_INCREF(object);
    return object;
  }
  template <size_t I, class... T>
  PyObject* Object(Out<I>, std::tuple<T...>& values) {
    return Wrap(std::move(std::get<I>(values)));
  }
  template <size_t I, class Value>
  PyObject* Object(Out<I>, Value& value) {
    static_assert(I == 0);
    return Wrap(std::move(value));
  }

  void PlaceKeywords() {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kwnames_); ++i) {
      const Py_ssize_t place = function_.IndexOf(PyTuple_GET_ITEM(kwnames_, i));
      if (place < 0 || objects_[place] != nullptr) {  // Python's own error
        match_ = Match::kUnknown;
        return;
      }
      objects_[place] = args_[nargs_ + i];
    }
  }

  void Miss(Match match, size_t i, const char* expected) {
    if (match == Match::kBeyondOp && !is_op()) return;
    if (match_ == Match::kUnknown) return;
    if (match == Match::kNo && match_ == Match::kNo) return;  // the first one is reported
    match_ = match;
    wrong_ = i;
    expected_ = expected;
  }

  const FastFunction& function_;
  PyObject* op_;
  PyObject* const* args_;
  Py_ssize_t nargs_;
  PyObject* kwnames_;
  PyObject* objects_[N == 0 ? 1 : N] = {};
  Match match_ = Match::kYes;
  size_t wrong_ = 0;
  const char* expected_ = "";
};

}  // namespace phi::python
