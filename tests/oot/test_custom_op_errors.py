"""What is declared wrong is refused when the library is loaded; what runs wrong says what is wrong with which output."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch

from ._paddle_calls import SOURCES

HERE = Path(__file__).parent / "custom_ops"
ops = torch.ops.paddle_errors


@pytest.fixture(scope="module")
def errors(build_sources):
    errors = build_sources("paddle_errors", [HERE / "errors.cc", HERE / "twice.cc"])
    return [error.removeprefix("(InvalidArgument) ").removeprefix("(AlreadyExists) ") for error in errors]


EXPECTED = {
    "no_kernel": r"has no kernel; add .SetKernelFn",
    "no_inputs": r"expected at least one name in .Inputs",
    "wrong_inputs": r"the kernel takes 1 tensor, expected 2 tensors, as .Inputs",
    "wrong_kind": r"the kernel takes the input X@VECTOR as T, expected std::vector<T>",
    "same_input": r"the input X@OPTIONAL is declared twice",
    "wrong_attribute": r"the kernel takes the attribute 'scale' as float, expected double",
    "unknown_attribute": r"attribute 'scale: complex': expected one of the types bool, int, int64_t, float",
    "missing_attribute": r"the kernel takes 1 attribute, expected 0 attributes",
    "wrong_outputs": r"the kernel has 1 output parameter, expected 2, one for each output",
    "list_output": r"the output Out@VECTOR is a list, whose length must be that of an input: pair it",
    "wrong_map": r"the in-place map names 'Y', which is none of the inputs X",
    "wrong_infer": r"the InferShape function takes more inputs than the 1",
    "orphan_grad": r"differentiates paddle_errors::orphan, which is not declared; add PD_BUILD_OP\(orphan\)",
    "twice": r"is declared twice: at .*errors.cc:\d+ and at .*twice.cc:\d+",
    "wrong_grad_input_grad": r"the input Y is neither an input \(X\) nor an output \(Out\) of paddle_errors::wrong_grad_input",
    "wrong_grad_output_grad": r"the output Y@GRAD is the gradient of no input of paddle_errors::wrong_grad_output \(X\)",
    "wrong_grad_attribute_grad": r"the attribute 'scale: float' is none of paddle_errors::wrong_grad_attribute",
}


@pytest.mark.parametrize("name", EXPECTED)
def test_registration(errors, name):
    (message,) = [e for e in errors if e.startswith((f"paddle_errors::{name} ", f"paddle_errors::{name}:"))]
    assert "errors.cc:" in message
    assert re.search(EXPECTED[name], message), message


def test_every_error_is_expected(errors):
    assert len(errors) == len(EXPECTED)


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("returns_two", ValueError, "the kernel returns 2 tensors, expected 1"),
        ("returns_none", ValueError, "the kernel did not make output Out"),
        ("other_dtype", ValueError, r"output Out with shape \[4\] and data type int64, expected \[4\] and float32"),
        ("other_shape", ValueError, r"output Out with shape \[2\] and data type float32, expected \[4\]"),
        ("throws", RuntimeError, "the author's own error"),
        ("reads_double", TypeError, "asked for as float64, but its data type is float32"),
        ("enforces", ValueError, "expected a matrix, got rank 1"),
    ],
)
def test_run(errors, name, error, message):
    with pytest.raises(error, match=f"paddle_errors::{name}: .*{message}"):
        getattr(ops, name)(torch.ones(4))


def test_a_wrong_gradient_does_not_differentiate(errors):
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(NotImplementedError, match="wrong_grad_input"):
        ops.wrong_grad_input(x).sum().backward()


def test_wrong_data_type(build_sources):
    build_sources("paddle_ops", SOURCES)
    message = "paddle_ops::scaled_tanh: .*not implemented for data type int64; it takes float32, float64"
    with pytest.raises(NotImplementedError, match=message):
        torch.ops.paddle_ops.scaled_tanh(torch.ones(2, dtype=torch.int64), 1.0)


def test_wrong_arity(errors):
    with pytest.raises((RuntimeError, TypeError), match="expected at most 1 argument"):
        ops.enforces(torch.ones(2), torch.ones(2))
