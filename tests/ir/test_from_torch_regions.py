"""`torch.cond`, loops and operators with effects in graphs of torch: as programs, compiled by the backend, with their gradients."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.utils._pytree import tree_leaves

from phi_torch import ir

from .torch_models import Function

while_loop, scan = torch._higher_order_ops.while_loop, torch._higher_order_ops.scan
map_rows: Any = torch._higher_order_ops.map
WEIGHT = nn.Parameter(torch.linspace(-1, 1, 16).view(4, 4))


def nested(x: Tensor) -> Tensor:
    def positive(x: Tensor) -> Tensor:
        return torch.cond(x.mean() > 1, lambda x: x.sin(), lambda x: x.cos(), (x,))

    return torch.cond(x.sum() > 0, positive, lambda x: x - 1, (x,))


def two(x: Tensor, y: Tensor) -> Any:
    return torch.cond(x.mean() > 0, lambda x, y: (x * y, y.sin()), lambda x, y: (x - y, x.cos()), (x, y))


def weights(x: Tensor) -> Tensor:
    return torch.cond(x.sum() > 0, lambda x: x @ WEIGHT, lambda x: (x + WEIGHT).relu(), (x,))


def sizes(x: Tensor) -> Tensor:
    """The condition is one of sizes; 1 and True are not the same."""
    shifted = torch.cond(x.shape[0] > 4, lambda x: x * 2 + x.shape[1], lambda x: x + 1, (x,))
    return shifted.reshape(-1) * x.shape[0]


def rounds(x: Tensor, n: Tensor) -> Any:
    return while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * 2 + x), (torch.zeros((), dtype=torch.int64), x.clone()))


def rounds_of_a_size(x: Tensor) -> Any:
    return while_loop(lambda i, y: i < y.shape[0], lambda i, y: (i + 1, y * 1.5), (torch.tensor(0), x))


def loop_in_a_branch(x: Tensor) -> Tensor:
    def positive(x: Tensor) -> Tensor:
        return while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y + x), (torch.tensor(0), x.clone()))[1]

    return torch.cond(x.sum() > 0, positive, lambda x: x.sin(), (x,))


def branch_in_a_loop(x: Tensor) -> Any:
    def step(i: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        return i + 1, torch.cond(y.sum() > 1, lambda y: y / 2, lambda y: y * 3, (y,))

    return while_loop(lambda i, y: i < 4, step, (torch.tensor(0), x))


def rounds_with_weights(x: Tensor) -> Any:
    return while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, torch.tanh(y @ WEIGHT + x)), (torch.tensor(0), x * 2))


def a_number_is_carried(x: Tensor) -> Any:
    return while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 1.5 + i), (0, x))


def steps(x: Tensor) -> Any:
    def step(h: Tensor, row: Tensor) -> Any:
        h = torch.tanh(h + row)
        return h, (h.exp(), row > 0)

    return scan(step, x[0] * 0, x)


def steps_back(x: Tensor) -> Any:
    return scan(lambda h, row: (h @ WEIGHT + row, h.clone()), torch.ones(4), x, dim=1, reverse=True)


def rows_of_rows(x: Tensor) -> Any:
    return map_rows(lambda row: (map_rows(lambda one: one * 2 + 1, row), row.cos()), x)


def checked(x: Tensor) -> Tensor:
    """Whether a matrix is singular is an effect."""
    return torch.linalg.solve(x @ x.mT + torch.eye(3), x)


CASES: dict[str, tuple[Callable[..., Any], list[list[Tensor]], bool]] = {  # calls, and whether sizes are dynamic
    "nested": (nested, [[torch.randn(3) + k] for k in (-2, 0.5, 3)], False),
    "two results": (two, [[torch.randn(3) + k, torch.randn(3)] for k in (-3, 3)], False),
    "weights": (weights, [[torch.randn(4, 4) + k] for k in (-3, 3)], False),
    "a condition of sizes": (sizes, [[torch.randn(n, 3)] for n in (3, 5, 6)], True),
    "rounds": (rounds, [[torch.randn(3), torch.tensor(n)] for n in (0, 1, 3)], False),
    "rounds of a size": (rounds_of_a_size, [[torch.randn(n, 2)] for n in (3, 5)], True),
    "a loop in a branch": (loop_in_a_branch, [[torch.randn(3) + k] for k in (-3, 3)], False),
    "a branch in a loop": (branch_in_a_loop, [[torch.randn(3) + k] for k in (-3, 3)], False),
    "rounds with weights": (rounds_with_weights, [[torch.randn(2, 4)]], False),
    "a number is carried": (a_number_is_carried, [[torch.randn(3)]], False),
    "steps": (steps, [[torch.randn(n, 3)] for n in (3, 5)], True),
    "steps back": (steps_back, [[torch.randn(4, 3)]], False),
    "rows of rows": (rows_of_rows, [[torch.randn(n, 3)] for n in (2, 4)], True),
    "checked": (checked, [[torch.randn(3, 3)]], False),
}


def compiled(function: Callable[..., Any], dynamic: bool) -> Callable[..., Any]:
    torch._dynamo.reset()
    return torch.compile(function, backend="phi", dynamic=dynamic or None)


@pytest.fixture(autouse=True)
def graphs_are_converted():
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=r"torch\.compile\(backend")
        yield


def same(found: Any, expected: Any) -> None:
    for a, b in zip(tree_leaves(found), tree_leaves(expected), strict=True):
        torch.testing.assert_close(a, b)


@pytest.mark.parametrize("name", CASES)
def test_compiled(name: str):
    function, calls, dynamic = CASES[name]
    fast = compiled(function, dynamic)
    with torch.no_grad():
        for inputs in calls:
            same(fast(*inputs), function(*inputs))


@pytest.mark.parametrize(
    "name",
    ["nested", "two results", "weights", "a condition of sizes", "rounds with weights", "steps back", "rows of rows", "checked"],
)
def test_gradients(name: str):
    function, calls, dynamic = CASES[name]
    fast = compiled(function, dynamic)

    def gradients(function: Callable[..., Any], inputs: Sequence[Tensor]) -> Any:
        leaves = [one.clone().requires_grad_() for one in inputs]
        total = sum(one.square().sum() for one in tree_leaves(function(*leaves)) if one.requires_grad)
        return torch.autograd.grad(total, [*leaves, WEIGHT], allow_unused=True)

    for inputs in calls:
        same(gradients(fast, inputs), gradients(function, inputs))


@pytest.mark.parametrize("name", ["nested", "two results", "rounds", "a branch in a loop", "steps", "rows of rows"])
def test_exported(name: str):
    function, calls, dynamic = CASES[name]
    program = ir.from_exported(torch.export.export(Function(function), tuple(calls[0])))
    again = ir.parse(str(program))
    assert str(again) == str(program)
    run, module = ir.compile(program), ir.to_module(program)
    for inputs in calls[: 1 if dynamic else None]:
        expected = tree_leaves(function(*inputs))
        same(run(*inputs), expected)
        same(module(*inputs), expected)


@pytest.mark.parametrize("name", ["steps", "rows of rows"])
def test_modules_with_a_known_number_of_rounds_are_exported_and_compiled(name: str):
    function, (inputs, *_), _ = CASES[name]
    module = ir.to_module(ir.from_exported(torch.export.export(Function(function), tuple(inputs))))
    expected = tree_leaves(function(*inputs))
    same(torch.export.export(module, tuple(inputs)).module()(*inputs), expected)
    torch._dynamo.reset()
    same(torch.compile(module, backend="phi", fullgraph=True)(*inputs), expected)


def test_the_program():
    program = ir.from_exported(torch.export.export(Function(rounds), (torch.zeros(3), torch.tensor(2))))
    (loop,) = (op for op in program.walk() if op.name == "pd_op.while")
    assert [one.name for one in loop.regions[0].blocks[0].operations][-2:] == ["pd_op.less_than", "cf.yield"]


def test_effects():
    """Operators with effects run in their order, and the first that fails is the error."""

    def inverse(x: Tensor) -> Tensor:
        return torch.linalg.inv(x) + torch.linalg.cholesky(x)

    program = ir.from_exported(torch.export.export(Function(inverse), (torch.eye(3),)))
    for run in (compiled(inverse, False), ir.compile(program), ir.to_module(program)):
        run(torch.eye(3))
        with pytest.raises(RuntimeError, match="linalg.inv: The diagonal element 1 is zero"):
            run(torch.zeros(3, 3))
