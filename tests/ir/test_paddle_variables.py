"""What programs of PaddlePaddle write: variables that get another tensor, in branches too, and statistics."""

from __future__ import annotations

import pytest
import torch

from phi_torch import ir
from phi_torch.ir.paddle import to_program

from .test_paddle_json import data, fetch, op, parameter, program, read, tensor
from .test_paddle_lowered import floats, said

INTEGERS = tensor("0.t_i64", [2])


def test_a_variable_is_the_tensor_that_it_was_given():
    """As `paddle.assign(x, output)` of other sizes writes it: what is fetched afterwards is the variable."""
    assign = op("1.assign_out_", (1, 2), O=[{"%": 3, "TT": INTEGERS}])
    file = program(data(1, "x", "int64", [2]), data(2, "old", "float32", [3]), assign, fetch(2, INTEGERS))
    (found,) = ir.compile(to_program(read(file), {}))(torch.tensor([7, 8]), torch.zeros(3))
    assert found.tolist() == [7, 8]


def test_a_branch_that_gives_nothing_has_no_end_in_a_file():
    """As `paddle.static.nn.cond` writes branches that only assign; one of them may be empty, and what another tensor is given to
    within is not known outside."""
    assigns = [op("1.assign_out_", (1, to), O=[{"%": to + 10, "TT": INTEGERS}]) for to in (2, 3)]
    regions = [{"#": "region_0", "blocks": [{"#": "block_0", "args": [], "ops": ops}]} for ops in (assigns, [])]
    branch = op("1.if", (4,), O=[], regions=regions)
    condition = op("1.data", A=data(4, "c", "bool", [1])["A"], O=[{"%": 4, "TT": tensor("0.t_bool", [1])}])
    inputs = data(1, "x", "int64", [2]), data(2, "y", "int64", [2]), data(3, "z", "float32", [2]), condition
    copy = op("1.assign", (2,), O=[{"%": 5, "TT": INTEGERS}])
    file = program(*inputs, branch, copy, fetch(5, INTEGERS), fetch(3, floats(2)))
    run = ir.compile(to_program(read(file), {}))
    x, y, z = torch.tensor([7, 8]), torch.tensor([1, 2]), torch.ones(2)
    for holds in (True, False):
        found, other = run(x, y, z, torch.tensor([holds]))
        assert torch.equal(found, x if holds else y) and torch.equal(other, z)


@pytest.mark.parametrize("trains", [False, True])
def test_statistics_that_train_in_a_test(trains: bool):
    """Of a batch norm with `is_test` and `trainable_statistics`, which has those of the batch."""
    names = ("mean", "variance", "scale", "bias")
    parameters = [parameter(id, A=[0, 0, 1, name], O={"%": id, "TT": floats(3)}) for id, name in enumerate(names, 2)]
    numbers = said(momentum=("0.a_f32", 0.5), epsilon=("0.a_f32", 1e-5), data_format=("0.a_str", "NCHW"))
    modes = said(is_test=("0.a_bool", True), use_global_stats=("0.a_bool", False), trainable_statistics=("0.a_bool", trains))
    shapes = [(7, (4, 3)), *((id, (3,)) for id in range(8, 12)), (12, ())]
    norm = op("1.batch_norm_", (1, 2, 3, 4, 5), A=[*modes, *numbers], O=[{"%": id, "TT": floats(*one)} for id, one in shapes])
    weights = {name: torch.full((3,), float(name in ("variance", "scale"))) for name in names}
    loaded = to_program(read(program(*parameters, data(1, "x", "float32", [4, 3]), norm, fetch(7, floats(4, 3)))), weights)
    x = torch.randn(4, 3)
    ir.compile(loaded)(x)
    expected = x.mean(0) / 2 if trains else torch.zeros(3)
    torch.testing.assert_close(loaded.weights["mean"].data, expected)


def test_statistics_that_are_parameters_get_no_gradient():
    """As PaddlePaddle's own translation of programs of Paddle 2 writes them: trainable, as all that is kept."""
    names = ("mean", "variance", "scale", "bias")
    parameters = [parameter(id, A=[0, 1, 1, name], O={"%": id, "TT": floats(3)}) for id, name in enumerate(names, 2)]
    numbers = said(momentum=("0.a_f32", 0.5), epsilon=("0.a_f32", 1e-5), data_format=("0.a_str", "NCHW"))
    modes = said(**{name: ("0.a_bool", name == "is_test") for name in ("is_test", "use_global_stats", "trainable_statistics")})
    shapes = [(7, (4, 3)), *((id, (3,)) for id in range(8, 12)), (12, ())]
    norm = op("1.batch_norm_", (1, 2, 3, 4, 5), A=[*modes, *numbers], O=[{"%": id, "TT": floats(*one)} for id, one in shapes])
    weights = {name: torch.full((3,), float(name in ("variance", "scale"))) for name in names}
    loaded = to_program(read(program(*parameters, data(1, "x", "float32", [4, 3]), norm, fetch(7, floats(4, 3)))), weights)
    module = ir.to_module(loaded)
    x = torch.randn(4, 3)
    module(x).sum().backward()
    given = {name for name, one in module.named_parameters() if one.grad is not None}
    assert given == {"scale", "bias"}
    torch.testing.assert_close(module.get_parameter("bias").grad, torch.full((3,), 4.0))
