"""The autograd nodes and kernels, and the table of boxed kernels, that the generator writes.

Changed on purpose: `EXPECTTEST_ACCEPT=1 pytest tests/codegen/test_emit_autograd.py` rewrites the expected texts.
"""

import re

import pytest
from _yaml import op, ops
from expecttest import assert_expected_inline

from codegen.derivative import DerivativeError, formula
from codegen.emit import autograd, keys
from codegen.model import OpSet

YAML = r"""
    - op : relu
      args : (Tensor x)
      output : Tensor(out)
      category : unary
      inplace : (x -> out)
      backward : relu_grad
      jvp : auto_elementwise

    - op : norm
      args : (Tensor x, Tensor mean, Tensor scale, Tensor[] more, float eps = 1e-5, IntArray axis = {})
      output : Tensor(out), Tensor(mean_out), Tensor[](rest){more.size()}
      infer_meta : {func : NormInferMeta}
      kernel : {func : norm}
      optional : scale
      inplace : (mean -> mean_out)
      backward : norm_grad
      autocast : fp32

    - op : multiply
      args : (Tensor x, Tensor y)
      output : Tensor(out)
      category : binary
      inplace : (x -> out)
      composite : x * y

    - op : sort
      args : (Tensor x)
      output : Tensor(out), Tensor(indices)
      infer_meta : {func : SortInferMeta}
      kernel : {func : sort}

    - op : full
      args : (IntArray shape, DataType dtype = DataType::FLOAT32, Place place = CPUPlace())
      output : Tensor(out)
      infer_meta : {func : CreateInferMeta}
      kernel : {func : full, data_type : dtype, backend : place}
      category : creation

    - op : sgd_
      args : (Tensor param, Tensor grad, Tensor master, float rate)
      output : Tensor(param_out), Tensor(master_out)
      infer_meta : {func : SgdInferMeta}
      kernel : {func : sgd}
      optional : master
      inplace : (param -> param_out), (master -> master_out)
      category : optimizer

    - backward_op : relu_grad
      forward : relu (Tensor x) -> Tensor(out)
      args : (Tensor out, Tensor out_grad)
      output : Tensor(x_grad)
      category : unary_grad
      backward : relu_double_grad

    - backward_op : relu_double_grad
      forward : relu_grad (Tensor out, Tensor grad_out) -> Tensor(grad_x)
      args : (Tensor out, Tensor grad_x_grad)
      output : Tensor(grad_out_grad)
      category : unary_grad

    - backward_op : norm_grad
      forward : norm (Tensor x, Tensor mean, Tensor scale, Tensor[] more, float eps, IntArray axis) -> Tensor(out), Tensor(mean_out), Tensor[](rest)
      args : (Tensor x, Tensor scale, Tensor[] more, Tensor mean_out, Tensor out_grad, Tensor[] rest_grad, float eps, IntArray axis, int groups = 1)
      output : Tensor(x_grad), Tensor(scale_grad), Tensor[](more_grad){more.size()}
      infer_meta : {func : NormGradInferMeta}
      kernel : {func : norm_grad}
      optional : scale
      no_need_buffer : more
"""


def text() -> str:
    return "\n".join(autograd.emit(ops(YAML), "0").values())


def block(start: str) -> str:
    """The generated struct or function that begins with `start`; for a kernel, the one of the key Autograd."""
    match = re.search(rf"^{re.escape(start)}.*?^}};?\n", text(), re.MULTILINE | re.DOTALL)
    assert match is not None, start
    return match[0]


def test_node() -> None:
    assert_expected_inline(block("struct PhiNormBackward0"), """""")


def test_functional() -> None:
    assert_expected_inline(block("at::Tensor relu("), """""")


def test_functional_with_lists() -> None:
    assert_expected_inline(block("std::tuple<at::Tensor, at::Tensor, std::vector<at::Tensor>> norm("), """""")


def test_inplace() -> None:
    assert_expected_inline(block("at::Tensor& relu_("), """""")


def test_inplace_state() -> None:
    """The overwritten mean is no differentiable output: it is cloned for the backward op."""
    assert_expected_inline(block("std::tuple<at::Tensor, std::vector<at::Tensor>> norm_("), """""")


def test_double_grad_finds_renamed_tensors() -> None:
    assert_expected_inline(block("struct PhiReluGradBackward0"), """""")


def test_composite() -> None:
    assert_expected_inline(block("at::Tensor& multiply_("), """""")


def test_without_derivative() -> None:
    assert_expected_inline(block("std::tuple<at::Tensor, at::Tensor> sort("), """""")


def test_optimizer() -> None:
    assert_expected_inline(block("void sgd_("), """""")


def test_creation_needs_no_kernel() -> None:
    assert 'm.impl("full", torch::CppFunction::makeFallthrough());' in text()


def test_every_overload_has_an_autograd_kernel() -> None:
    found = set(re.findall(r'm\.impl\("(\S+)", TORCH_FN\((?!inplace_or_view)', text()))
    assert found == {
        *("relu", "relu_", "relu.out", "relu_grad", "relu_double_grad", "norm", "norm_", "norm_grad"),
        *("multiply", "multiply_", "multiply.out", "sort", "sort.out", "full.out", "sgd_"),
    }


def test_keys() -> None:
    table = keys.emit(ops(YAML), "0")["torch/register_keys.cc"]
    assert_expected_inline("\n".join(re.findall(r"m\.impl\(.*?\);", table)), """""")


def test_backward_op_that_does_not_fit() -> None:
    forward = op("""
        - op : relu
          args : (Tensor x)
          output : Tensor(out)
          category : unary
          backward : relu_grad
    """)
    backward = op("""
        - backward_op : relu_grad
          forward : relu (Tensor x) -> Tensor(out)
          args : (Tensor out, Tensor out_grad, float slope)
          output : Tensor(x_grad)
          category : unary_grad
    """)
    with pytest.raises(DerivativeError) as error:
        formula(forward, OpSet((forward, backward)))
    assert_expected_inline(str(error.value), """""")
