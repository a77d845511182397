"""Operators of `onednn_op`, as Paddle Inference saves them in programs that it has optimised for CPUs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from phi_torch import ir
from phi_torch.ir.paddle import to_program

from .test_paddle_json import data, fetch, op, program, read
from .test_paddle_lowered import floats, said

LIBRARY = said(onednn_data_type=("0.a_str", ""), mkldnn_data_type=("0.a_str", "float32"), scale_x=("0.a_f32", 1.0))


def ints(name: str, *values: int) -> dict[str, Any]:
    return {"N": name, "AT": {"#": "0.a_array", "D": [{"#": "0.a_i32", "D": one} for one in values]}}


def activation(name: str, alpha: float = 0.0, beta: float = 0.0) -> list[dict[str, Any]]:
    return said(fuse_activation=("0.a_str", name), fuse_alpha=("0.a_f32", alpha), fuse_beta=("0.a_f32", beta))


def loaded(name: str, attributes: list[dict[str, Any]], shapes: list[tuple[int, ...] | None], *result: int) -> ir.Program:
    """A program of the operator with inputs of these shapes, None for one that is absent."""
    inputs = [data(at, f"x{at}", "float32", list(shape)) for at, shape in enumerate(shapes, 1) if shape is not None]
    operands = tuple(0 if shape is None else at for at, shape in enumerate(shapes, 1))
    made = op(name, operands, A=[*attributes, *LIBRARY], O=[{"%": 20, "TT": floats(*result)}])
    return to_program(read(program(*inputs, made, fetch(20, floats(*result)))), {})


def same(found: ir.Program, shapes: list[tuple[int, ...] | None], expected: Callable[..., Tensor]) -> None:
    given = [torch.randn(shape) for shape in shapes if shape is not None]
    assert not any(name.startswith("onednn_op") for name in found.counts())
    for run in (ir.compile(found), ir.compile(found, passes=[])):
        torch.testing.assert_close(run(*given)[0], expected(*given), rtol=1e-4, atol=1e-5)


def test_an_operator_that_the_library_has_too():
    shapes: list[tuple[int, ...] | None] = [(2, 3)]
    found = loaded("onednn_op.softmax", said(axis=("0.a_i32", -1), data_format=("0.a_str", "AnyLayout")), shapes, 2, 3)
    same(found, shapes, lambda x: x.softmax(-1))


ACTIVATIONS: dict[str, tuple[float, float, Callable[[Tensor], Tensor]]] = {
    "": (0, 0, lambda x: x),
    "abs": (0, 0, torch.abs),
    "clip": (-0.5, 0.5, lambda x: x.clamp(-0.5, 0.5)),
    "gelu": (0, 0, functional.gelu),
    "gelu_tanh": (0, 0, lambda x: functional.gelu(x, approximate="tanh")),
    "hard_sigmoid": (0.2, 0.5, lambda x: (0.2 * x + 0.5).clamp(0, 1)),
    "hard_swish": (1 / 6, 0.5, functional.hardswish),
    "leaky_relu": (0.1, 0, lambda x: functional.leaky_relu(x, 0.1)),
    "mish": (0, 0, functional.mish),
    "relu": (0, 0, torch.relu),
    "relu6": (0, 6, functional.relu6),
    "sigmoid": (0, 0, torch.sigmoid),
    "swish": (1, 0, functional.silu),
    "tanh": (0, 0, torch.tanh),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name: str):
    alpha, beta, function = ACTIVATIONS[name]
    attributes = [*activation(name, alpha, beta), *said(axis=("0.a_i32", -1), fused_output_scale=("0.a_f32", 0.5))]
    shapes: list[tuple[int, ...] | None] = [(2, 3), (3,)]
    found = loaded("onednn_op.fused_elementwise_sub", [*attributes, ints("fused_unsqueeze2_axes", 1)], shapes, 2, 1, 3)
    same(found, shapes, lambda x, y: 0.5 * function(x - y)[:, None])


@pytest.mark.parametrize(("bias", "residual"), [(True, True), (True, False), (False, False)])
def test_a_convolution(bias: bool, residual: bool):
    attributes = [*activation("relu"), ints("strides", 2, 2), ints("paddings", 1, 1), ints("dilations", 1, 1)]
    attributes += said(groups=("0.a_i32", 2), data_format=("0.a_str", "NCHW"), padding_algorithm=("0.a_str", "EXPLICIT"))
    shapes = [(2, 4, 5, 5), (6, 2, 3, 3), (6,) if bias else None, (2, 6, 3, 3) if residual else None]

    def expected(x: Tensor, w: Tensor, *others: Tensor) -> Tensor:
        found = functional.conv2d(x, w, others[0] if bias else None, 2, 1, groups=2)
        return (found + others[1] if residual else found).relu()

    same(loaded("onednn_op.fused_conv2d", attributes, shapes, 2, 6, 3, 3), shapes, expected)


def test_a_product():
    """Of parts of an attention, with what is added to it after it has its last shape."""
    attributes = [
        ints("fused_reshape_x", 0, 0, 2, 3),
        ints("fused_transpose_x", 0, 2, 1, 3),
        ints("fused_transpose_out", 0, 2, 1, 3),
    ]
    attributes += [ints("fused_reshape_out", 0, 0, 8), *said(trans_y=("0.a_bool", True), matmul_alpha=("0.a_f32", 0.5))]
    shapes: list[tuple[int, ...] | None] = [(2, 5, 6), (2, 2, 4, 3), (2, 5, 8)]

    def expected(x: Tensor, y: Tensor, residual: Tensor) -> Tensor:
        x = x.unflatten(2, (2, 3)).transpose(1, 2)
        return (0.5 * x @ y.mT).transpose(1, 2).flatten(2) + residual

    same(loaded("onednn_op.fused_matmul", attributes, shapes, 2, 5, 8), shapes, expected)


def test_a_transpose():
    attributes = [ints("axis", 0, 2, 1), ints("fused_squeeze2_axes", 2), ints("fused_reshape2_shape", -1, 4)]
    shapes: list[tuple[int, ...] | None] = [(3, 4, 1, 2)]
    same(loaded("onednn_op.fused_transpose", attributes, shapes, 6, 4), shapes, lambda x: x[:, :, 0].transpose(1, 2).reshape(-1, 4))


def test_a_layer():
    attributes = [*activation("tanh"), ints("fused_reshape2_shape", 0, 2, 2), *said(in_num_col_dims=("0.a_i32", 1))]
    shapes: list[tuple[int, ...] | None] = [(3, 5), (5, 4), (4,)]
    same(loaded("onednn_op.fc", attributes, shapes, 3, 2, 2), shapes, lambda x, w, b: (x @ w + b).tanh().view(3, 2, 2))


def test_a_batch_norm_with_a_relu():
    names = ("x", "mean", "variance", "scale", "bias")
    inputs = [data(at, name, "float32", [2, 4] if name == "x" else [4]) for at, name in enumerate(names, 1)]
    flags = {"is_test": True, "fuse_with_relu": True, "use_global_stats": True, "trainable_statistics": False}
    numbers = said(epsilon=("0.a_f32", 1e-5), momentum=("0.a_f32", 0.9), data_format=("0.a_str", "NCHW"))
    numbers += said(**{name: ("0.a_bool", value) for name, value in flags.items()})
    types = [floats(2, 4), *[floats(4)] * 4, {"#": "NULL"}]
    results = [{"%": 0 if type == {"#": "NULL"} else 20 + at, "TT": type} for at, type in enumerate(types)]
    made = op("onednn_op.batch_norm_", (1, 2, 3, 4, 5), A=[*numbers, *LIBRARY], O=results)
    run = ir.compile(to_program(read(program(*inputs, made, fetch(20, floats(2, 4)))), {}))
    x, mean, variance, scale, bias = torch.randn(2, 4), torch.randn(4), torch.rand(4), torch.randn(4), torch.randn(4)
    expected = functional.batch_norm(x, mean, variance, scale, bias).relu()
    torch.testing.assert_close(run(x, mean, variance, scale, bias)[0], expected)


@pytest.mark.parametrize("attribute", [said(scale_out=("0.a_f32", 0.1)), activation("unknown")])
def test_what_is_not_known_is_kept(attribute: list[dict[str, Any]]):
    """Such as an operator of integers, whose scales say what they mean."""
    found = loaded("onednn_op.fused_elementwise_add", attribute, [(2, 3), (3,)], 2, 3)
    assert "onednn_op.fused_elementwise_add" in found.counts()
