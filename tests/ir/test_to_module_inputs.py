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


def typed(**inputs: tuple[str, list[int]]) -> ir.Program:
    builder = ir.Builder()
    for col, (name, (dtype, shape)) in enumerate(inputs.items()):
        (x,) = builder.create("pd_op.data", (), {"name": name, "shape": shape, "dtype": dtype}).results
        builder.create("pd_op.fetch", builder.create("pd_op.add", (x, x)).results, {"name": name, "col": col})
    return builder.program


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (torch.zeros(2), ValueError, r"input 'x': expected f32\[s0,3\], got f32\[2\]"),
        (torch.zeros(1, 2, 3), ValueError, r"got f32\[1,2,3\]"),
        (torch.zeros(2, 4), ValueError, r"got f32\[2,4\]"),
        (torch.zeros(2, 3, dtype=torch.int64), ValueError, r"got i64\[2,3\]"),
        (torch.zeros(2, 3, dtype=torch.complex64), ValueError, r"got c64\[2,3\]"),
        (1.0, TypeError, "input 'x': expected a torch.Tensor, of f32"),
        (None, TypeError, "got NoneType"),
    ],
)
def test_inputs_are_checked(given: object, error: type[Exception], message: str):
    """As a compiled program's are; of several the first that does not fit."""
    module = ir.to_module(typed(x=("float32", [-1, 3]), ids=("int64", [2])))
    with pytest.raises(error, match=message):
        module(given, torch.zeros(2, dtype=torch.int64))
    with pytest.raises(ValueError, match=r"input 'ids': expected i64\[2\], got i32\[2\]"):
        module(torch.zeros(4, 3), torch.zeros(2, dtype=torch.int32))
    with pytest.raises(TypeError, match="ids"):
        module(torch.zeros(4, 3))


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_a_module_of_another_width(dtype: torch.dtype):
    module, x = ir.to_module(typed(x=("float32", [-1, 3]))).to(dtype), torch.ones(5, 3, dtype=dtype)
    torch.testing.assert_close(module(x), 2 * x)
    torch.testing.assert_close(torch.fx.symbolic_trace(module)(x), 2 * x)
    exported = torch.export.export(module, (x,), dynamic_shapes=({0: torch.export.Dim.AUTO},)).module()
    torch.testing.assert_close(exported(x[:2]), 2 * x[:2])
