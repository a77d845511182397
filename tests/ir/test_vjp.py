"""The gradients of operations in programs are those that autograd has."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from phi_torch import ir


class Graph:
    """A program of inputs and one operation, with what differentiates it."""

    def __init__(self) -> None:
        self.builder = ir.Builder()
        self.inputs: list[torch.Tensor] = []

    def input(self, x: torch.Tensor) -> ir.Value:
        name, dtype = f"x{len(self.inputs)}", str(x.dtype).removeprefix("torch.")
        self.inputs.append(x)
        return self.builder.create("pd_op.data", [], {"name": name, "shape": list(x.shape), "dtype": dtype}).results[0]

    def run(self, values: list[ir.Value | None]) -> list[torch.Tensor | None]:
        there = [value for value in values if value is not None]
        for i, value in enumerate(there):
            self.builder.create("pd_op.fetch", [value], {"name": f"y{i}", "col": i})
        self.builder.program.verify()
        found = iter(ir.compile(self.builder.program, passes=[])(*self.inputs))
        return [None if value is None else next(found) for value in values]


X, Y = torch.linspace(-2, 2, 12).reshape(3, 4), torch.linspace(1, 3, 4)
CASES: dict[str, tuple[str, list[torch.Tensor], dict[str, Any], Any]] = {
    "renamed": ("pd_op.relu", [X], {}, torch.relu),
    "broadcast": ("pd_op.multiply", [X, Y], {}, torch.mul),
    "attributes": ("pd_op.matmul", [X, X + 1], {"transpose_y": True}, lambda x, y: x @ y.T),
    "a mutable attribute": ("pd_op.sum", [X], {"axis": [1], "keepdim": True}, lambda x: x.sum(1, keepdim=True)),
    "invoked": ("pd_op.scale", [X], {"scale": 3.0, "bias": 1.0}, lambda x: 3 * x + 1),
    "the dtype of an input": ("pd_op.cast", [X], {"dtype": "float64"}, lambda x: x.double()),
    "an output": ("pd_op.softmax", [X], {"axis": 1}, lambda x: torch.softmax(x, 1)),
}


@pytest.mark.parametrize("case", CASES)
def test_gradients(case: str):
    name, tensors, attributes, function = CASES[case]
    graph = Graph()
    op = graph.builder.create(name, [*map(graph.input, tensors), *[None] * (len(inputs_of(name)) - len(tensors))], attributes)
    leaves = [tensor.clone().requires_grad_() for tensor in tensors]
    y = function(*leaves)
    weight = torch.linspace(0.5, 2, y.numel(), dtype=y.dtype).reshape(y.shape)
    gradients = graph.builder.differentiate(op, [graph.input(weight)])
    assert gradients[len(tensors) :] == [None] * (len(gradients) - len(tensors))
    expected = torch.autograd.grad(y, leaves, weight)
    for ours, theirs in zip(graph.run(gradients), expected):
        torch.testing.assert_close(ours, theirs)


def inputs_of(name: str) -> list[Any]:
    info = ir.op_info(name)
    assert info is not None
    return info.inputs


def test_lists():
    graph = Graph()
    x, y = graph.input(X), graph.input(X + 1)
    (both,) = graph.builder.create("builtin.combine", [x, y]).results
    joined = graph.builder.create("pd_op.concat", [both, None], {"axis": 0})
    weight = torch.randn(6, 4)
    gradients = graph.builder.differentiate(joined, [graph.input(weight)])
    assert gradients[0] is not None
    parts = graph.builder.create("builtin.split", [gradients[0]])
    found = graph.run(list(parts.results))
    assert [f"{value.type}" for value in parts.results] == ["f32[3,4]"] * 2
    torch.testing.assert_close(found, [weight[:3], weight[3:]])


def test_what_does_not_flow_is_zero_and_what_is_not_wanted_is_absent():
    graph = Graph()
    op = graph.builder.create("pd_op.multiply", [graph.input(X), graph.input(Y)])
    first, second = graph.builder.differentiate(op, [None], [True, False])
    assert second is None
    assert graph.builder.differentiate(op, [None], [False, False]) == [None, None]
    (found, _) = graph.run([first, second])
    assert found is not None and torch.equal(found, torch.zeros_like(X))


def test_errors():
    graph = Graph()
    x = graph.input(X)
    op = graph.builder.create("pd_op.relu", [x])
    with pytest.raises(ValueError, match="expected the gradients of its 1 results, got 2"):
        graph.builder.differentiate(op, [x, x])
    with pytest.raises(ValueError, match="expected to be told of 1 operands"):
        graph.builder.differentiate(op, [x], [True, True])
    data = x.defining_op
    assert data is not None and data.info.gradient is None
    with pytest.raises(ValueError, match="'pd_op.data' has no gradient"):
        graph.builder.differentiate(data, [x])
    with pytest.raises(ValueError, match="of another program"):
        Graph().builder.differentiate(op, [None])


def test_the_table():
    gradients = {name: info.gradient for name in ir.op_names() if (info := ir.op_info(name)) is not None}
    assert all(ir.op_info(name) is not None for name in gradients.values() if name is not None)
    assert gradients["pd_op.relu"] == gradients["pd_op.relu_"] == "pd_op.relu_grad"
    assert gradients["pd_op.multiply"] == "pd_op.multiply_grad"
    assert gradients["pd_op.multiply_"] is None  # it needs what is overwritten
    assert gradients["pd_op.add_"] == "pd_op.add_grad"  # it needs the shape of that only
    assert gradients["pd_op.scale"] == "pd_op.scale"
