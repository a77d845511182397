"""The fast functions that the generator writes.

Changed on purpose: `EXPECTTEST_ACCEPT=1 pytest tests/codegen/test_emit_fast.py` rewrites the expected texts.
"""

import re

from _python_forms import emitted
from expecttest import assert_expected_inline

from codegen.emit.torch import fast


def function(name: str) -> str:
    """The declaration and the source of one generated function."""
    text = emitted(fast, "torch/python/fast_0.cc")
    found = re.search(rf"^FastFunction {name}_function\(.*?^}}", text, re.M | re.S)
    return found[0] if found else ""


def test_in_place_only_with_optional_results():
    assert_expected_inline(
        function("sgd_"),
        """\
FastFunction sgd__function(
    "sgd_", "(param, grad, master=None, rate=0.1)", {"param", "grad", "master", "rate"}, &sgd_);
PyObject* sgd_(PyObject* op, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  FastCall<4> call(sgd__function, op, args, nargs, kwnames);
  TensorListArg param_arg;
  call.Require(0, &param_arg);
  TensorArg grad_arg;
  call.Require(1, &grad_arg);
  OptionalTensorArg master_arg;
  call.Read(2, &master_arg);
  ScalarArg rate_arg(0.1);
  call.Read(3, &rate_arg);
  if (!call.matched()) return call.Otherwise();
  const auto compute = [&]() -> decltype(auto) { return ::phi::ops::sgd_::call(param_arg, grad_arg, master_arg, rate_arg); };
  if (call.is_op()) return call.Run<Out<0>>(compute);
  return call.Run<In<0>, In<2>, Out<0>>(compute);
}""",
    )


def test_enumerators_are_none_and_mean_the_default():
    assert_expected_inline(
        function("full"),
        """\
FastFunction full_function(
    "full", "(shape, value, dtype=None, place=None, *, out=None)", {"shape", "value", "dtype", "place"}, &full);
PyObject* full(PyObject* op, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  FastCall<4> call(full_function, op, args, nargs, kwnames);
  IntArrayArg shape_arg;
  call.Require(0, &shape_arg);
  ScalarArg value_arg;
  call.Require(1, &value_arg);
  DataTypeArg dtype_arg;
  call.Read(2, &dtype_arg);
  PlaceArg place_arg;
  call.Read(3, &place_arg);
  if (!call.matched()) return call.Otherwise();
  const auto compute = [&]() -> decltype(auto) { return ::phi::ops::full::call(shape_arg, value_arg, dtype_arg, place_arg); };
  return call.Run<Out<0>>(compute);
}""",
    )


def test_in_place_form_returns_its_argument():
    assert_expected_inline(
        function("relu_"),
        """\
FastFunction relu__function(
    "relu_", "(x)", {"x"}, &relu_);
PyObject* relu_(PyObject* op, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  FastCall<1> call(relu__function, op, args, nargs, kwnames);
  TensorArg x_arg;
  call.Require(0, &x_arg);
  if (!call.matched()) return call.Otherwise();
  const auto compute = [&]() -> decltype(auto) { return ::phi::ops::relu_::call(x_arg); };
  return call.Run<In<0>>(compute);
}""",
    )


def test_a_deprecated_op_warns_in_python():
    assert function("norm") == ""
