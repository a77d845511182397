"""Operators of torch that write to their arguments, in programs: their new values are results."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from phi_torch import ir


@pytest.fixture(scope="module")
def ops() -> Iterator[Any]:
    with torch.library._scoped_library("phi_written", "DEF") as library:
        library.define("scale_(Tensor(a!) x, float k) -> ()")
        library.define("count(Tensor x, Tensor(a!) total, Tensor(b!)? number=None) -> Tensor")
        library.define("fill(Tensor(a!)[] xs, Tensor y) -> ()")

        def count(x: Tensor, total: Tensor, number: Tensor | None = None) -> Tensor:
            total.add_(x)
            if number is not None:
                number.add_(1)
            return x * 2

        def scale_(x: Tensor, k: float) -> None:
            x.mul_(k)

        def fill(xs: list[Tensor], y: Tensor) -> None:
            for x in xs:
                x.copy_(y)

        for function in (scale_, count, fill):
            library.impl(function.__name__, function, "CompositeExplicitAutograd")
        yield torch.ops.phi_written


class Model(nn.Module):
    number: Tensor
    total: Tensor

    def __init__(self, ops: Any) -> None:
        super().__init__()
        self.ops = ops
        self.register_buffer("total", torch.zeros(3))
        self.register_buffer("number", torch.zeros(()))

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        y, a, b = x * 1, torch.zeros(3), torch.ones(3)
        self.ops.scale_(y[1:], 3.0)
        self.ops.fill([a, b], y)
        return y, a + b, self.ops.count(x, self.total, self.number) + self.total, self.ops.count(x, a) + a


def program(ops: Any, x: Tensor) -> ir.Program:
    return ir.from_exported(torch.export.export(Model(ops), (x,)))


WAYS: dict[str, Callable[[Any, Tensor], Any]] = {
    "backend": lambda ops, x: torch.compile(Model(ops), backend="phi"),
    "compile": lambda ops, x: ir.compile(program(ops, x)),
    "to_module": lambda ops, x: ir.to_module(program(ops, x)),
}


@pytest.mark.parametrize("way", WAYS)
def test_operators_that_write(ops: Any, way: str):
    torch._dynamo.reset()
    x = torch.randn(3)
    run, eager, given = WAYS[way](ops, x), Model(ops), x.clone()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):  # the buffers go on
            torch.testing.assert_close(tuple(run(given)), eager(x))
    assert torch.equal(given, x)
    if way == "to_module":
        torch.testing.assert_close(dict(run.named_buffers()), dict(eager.named_buffers()))


@pytest.mark.parametrize(
    "call", ["", "[]", '{"target": "aten.relu.default"}', '{"target": "a", "arguments": {"x": {"operand": 3}}}']
)
def test_what_is_no_call(call: str):
    with pytest.raises(ValueError, match="argument 'call': expected what the conversion of a program writes"):
        torch.ops.phi_programs.written([torch.ones(2)], call)


@pytest.mark.parametrize("name", ["written", "operator", "gradient"])
@pytest.mark.parametrize("way", ["compile", "to_module"])
def test_a_program_of_another_process_finds_its_calls(name: str, way: str):
    text = (
        'phi.program 1\nprogram {\n  %x = pd_op.data {name = "x", shape = [2], dtype = float32} : f32[2]\n'
        "  %0 = builtin.combine(%x) : vec<f32[2]>\n"
        f'  %1 = torch.call(%0) {{target = "phi_programs.{name}.default", call = "", inputs = ["operands"]}} : vec<f32[2]>\n'
        "  %2 = builtin.split(%1) : f32[2]\n"
        '  pd_op.fetch(%2) {name = "y", col = 0} : f32[2]\n}\n'
    )
    code = f"from phi_torch import ir; ir.{way}(ir.parse({text!r}))"
    subprocess.run([sys.executable, "-c", code], check=True)
