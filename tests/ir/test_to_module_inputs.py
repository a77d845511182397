"""Inputs of modules whose names in the program are no names of arguments."""

from __future__ import annotations

import copy

import pytest
import torch

from phi_torch import ir


def program(first: str, second: str) -> ir.Program:
    builder = ir.Builder()
    x, y = (
        builder.create("pd_op.data", (), {"name": name, "shape": [2], "dtype": "float32"}).results[0] for name in (first, second)
    )
    (out,) = builder.create("pd_op.subtract", (x, y)).results
    builder.create("pd_op.fetch", (out,), {"name": "out", "col": 0})
    return builder.program


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [
        ("_jst.0.x.0", "_jst.1.y.0", ("_jst_0_x_0", "_jst_1_y_0")),
        ("x.y", "x_y", ("x_y_", "x_y")),
        ("self", "torch", ("self_", "torch_")),
        ("class", "0", ("class_", "_0")),
        ("", "input", ("_", "input")),
    ],
)
def test_inputs_of_any_name(first: str, second: str, named: tuple[str, str]):
    module = ir.to_module(program(first, second))
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([0.5, 4.0])
    for one in (module, copy.deepcopy(module), torch.compile(module, backend="eager", fullgraph=True)):
        torch.testing.assert_close(one(x, y), x - y)
        torch.testing.assert_close(one(**{named[1]: y, named[0]: x}), x - y)
