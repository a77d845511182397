"""Operators of Paddle 2 that files of PaddlePaddle 3 have: it translates programs, and keeps what it has no other for."""

from __future__ import annotations

import torch

from phi_torch import ir
from phi_torch.ir.paddle import to_program

from .test_paddle_json import data, fetch, op, program, read, tensor
from .test_paddle_lowered import floats, said


def test_an_affine_channel_runs_and_has_gradients():
    inputs = data(1, "x", "float32", [2, 3, 4]), data(2, "scale", "float32", [3]), data(3, "bias", "float32", [3])
    made = op("1.affine_channel", (1, 2, 3), A=said(data_layout=("0.a_str", "NCHW")), O=[{"%": 4, "TT": floats(2, 3, 4)}])
    loaded = to_program(read(program(*inputs, made, fetch(4, floats(2, 3, 4)))), {})
    x, scale, bias = torch.randn(2, 3, 4), torch.randn(3), torch.randn(3)
    expected = x * scale[:, None] + bias[:, None]
    torch.testing.assert_close(ir.compile(loaded)(x, scale, bias)[0], expected)
    leaf = scale.clone().requires_grad_()
    found = ir.to_module(loaded)(x, leaf, bias)
    torch.testing.assert_close(found.detach(), expected)
    found.sum().backward()
    torch.testing.assert_close(leaf.grad, x.sum((0, 2)))


def test_operands_and_results_may_be_absent():
    """A decoding of whole sequences of a length, without labels to be compared with."""
    paths = tensor("0.t_i64", [1, 3])
    length = data(3, "length", "int64", [1, 1])
    made = op("1.crf_decoding", (1, 2, 0, 3), O=[{"%": 4, "TT": paths}])
    inputs = data(1, "emission", "float32", [1, 3, 2]), data(2, "transition", "float32", [4, 2]), length
    loaded = to_program(read(program(*inputs, made, fetch(4, paths))), {})
    emission = torch.tensor([[[2.0, 1.0], [0.0, 3.0], [1.0, 0.0]]])
    (found,) = ir.compile(loaded)(emission, torch.zeros(4, 2), torch.tensor([[3]]))
    assert found.tolist() == [[0, 1, 0]]
    unit = op(
        "1.gru_unit", (1, 2, 3, 0), O=[{"%": 5, "TT": {"#": "NULL"}}, {"%": 6, "TT": {"#": "NULL"}}, {"%": 4, "TT": floats(2, 2)}]
    )
    given = data(1, "x", "float32", [2, 6]), data(2, "h", "float32", [2, 2]), data(3, "w", "float32", [2, 6])
    loaded = to_program(read(program(*given, unit, fetch(4, floats(2, 2)))), {})
    assert ir.compile(loaded)(torch.randn(2, 6), torch.randn(2, 2), torch.randn(2, 6))[0].shape == (2, 2)


def test_what_is_not_as_paddlepaddle_writes_it_is_kept():
    made = op("1.affine_channel", (1,), O=[{"%": 2, "TT": floats(3)}])
    loaded = to_program(read(program(data(1, "x", "float32", [3]), made, fetch(2, floats(3)))), {})
    assert "pd_op.affine_channel" in loaded.counts()


def test_a_reshape_of_paddle_2():
    shape = op("1.full_int_array", A=said(value=("1.a_intarray", [-1, 2])), O=[{"%": 2, "TT": tensor("0.t_i64", [2])}])
    made = op("1.legacy_reshape", (1, 2), O=[{"%": 3, "TT": floats(3, 2)}])
    loaded = to_program(read(program(data(1, "x", "float32", [6]), shape, made, fetch(3, floats(3, 2)))), {})
    x = torch.randn(6)
    assert torch.equal(ir.compile(loaded)(x)[0], x.view(3, 2))


def test_a_list_of_one_tensor_has_all_sizes():
    """As an expand_v2 of Paddle 2 has its slot Shape."""
    sizes = tensor("0.t_i32", [2])
    both = op("0.combine", (2,), O=[{"%": 3, "TT": {"#": "0.t_vec", "D": [sizes]}}])
    made = op("1.expand", (1, 3), O=[{"%": 4, "TT": floats(2, 3)}])
    shape = op("1.data", A=data(2, "shape", "int32", [2])["A"], O=[{"%": 2, "TT": sizes}])
    loaded = to_program(read(program(data(1, "x", "float32", [1, 3]), shape, both, made, fetch(4, floats(2, 3)))), {})
    x, wanted = torch.randn(1, 3), torch.tensor([2, 3], dtype=torch.int32)
    for found in (ir.compile(loaded)(x, wanted)[0], ir.to_module(loaded)(x, wanted)):
        assert torch.equal(found, x.expand(2, 3))
