"""Sizes of graphs of torch that change, or that only data tells: what is computed of them, and what is a view."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from phi_torch import ir

from .torch_models import Function

SIZES: list[Callable[[Tensor], Tensor]] = [
    lambda x: x.new_zeros(x.shape[1] ** 2 + 1),
    lambda x: x.new_zeros(max(x.shape[1], 2 * x.shape[0]) - min(x.shape[0], x.shape[1])),
    lambda x: F.pad(x, (0, 0, 0, -x.shape[1] % 4)),
]


def test_sizes_of_exported_programs():
    dims = {0: torch.export.Dim("b", min=2, max=64), 1: torch.export.Dim("s", min=4, max=64)}
    model = Function(lambda x: [function(x) for function in SIZES])
    with torch.no_grad():
        exported = torch.export.export(model, (torch.randn(3, 10, 4),), dynamic_shapes=((dims,),))
    program = ir.from_exported(exported)
    assert str(ir.parse(str(program))) == str(program)
    run = ir.compile(program)
    for shape in ((3, 10, 4), (2, 8, 4), (5, 13, 4)):
        x = torch.randn(shape)
        for ours, theirs in zip(run(x), model(x), strict=True):
            assert torch.equal(ours, theirs)


@pytest.mark.parametrize("dim", [torch.export.Dim.AUTO, torch.export.Dim("batch"), torch.export.Dim("batch", min=2)])
def test_an_exported_program_runs_with_the_sizes_that_torch_lets_it_run_with(dim: Any):
    """Tracing takes a dynamic size to be at least 2, which torch does not check."""
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(16, 2)).eval()
    with torch.no_grad():
        exported = torch.export.export(model, (torch.randn(3, 3, 4, 4),), dynamic_shapes=({0: dim},))
        run, module = ir.compile(ir.from_exported(exported)), exported.module()
        for batch in (0, 1, 5):
            x = torch.randn(batch, 3, 4, 4)
            torch.testing.assert_close(run(x)[0], module(x))


def test_a_size_that_is_exported_from_more_than_2_on_is_checked():
    exported = torch.export.export(nn.ReLU(), (torch.randn(5),), dynamic_shapes=({0: torch.export.Dim("n", min=4)},))
    with pytest.raises(ValueError, match="from 4 on"):
        ir.compile(ir.from_exported(exported))(torch.randn(3))


def test_sizes_that_change_are_computed(recwarn: pytest.WarningsRecorder):
    torch._dynamo.reset()
    model = Function(
        lambda x: [
            *(function(x) for function in SIZES),
            x.new_zeros(abs(x.shape[1] - 2 * x.shape[0])),
            x.new_zeros(math.ceil(x.shape[1] * 0.7)),
            x * math.sqrt(x.shape[1]) / x.shape[1],
            x.int() * (x.shape[1] / 2),
            torch.full((3,), x.shape[1] / x.shape[0]),
        ]
    )
    fast = torch.compile(model, backend="phi", dynamic=True)
    for shape in ((3, 10, 4), (2, 8, 4), (5, 13, 4)):
        x = torch.randn(shape)
        torch.testing.assert_close(fast(x), model(x))
    assert not [one for one in recwarn if "runs as it is" in str(one.message)]


class Experts(nn.Module):
    """Each row goes to the layers that its own numbers choose."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        out, gates = torch.zeros_like(x), x.softmax(-1)
        for i, layer in enumerate(self.layers):
            column, row = torch.where((x > 0).t()[i : i + 2])
            out = out.index_add(0, row, layer(x[row]) * gates[row, column, None])
        return out


def test_a_size_that_follows_stands_beside_a_symbol():
    """-1 beside the batch of an attention, whose result lies otherwise in memory than torch's."""

    def attention(x: Tensor) -> Tensor:
        heads = x.view(x.shape[0], -1, 2, 4).transpose(1, 2)
        return F.scaled_dot_product_attention(heads, heads, heads).transpose(1, 2).reshape(x.shape[0], -1, 8)

    with torch.no_grad():
        dims = (({0: torch.export.Dim.AUTO},),)
        exported = torch.export.export(Function(attention), (torch.randn(3, 6, 8),), dynamic_shapes=dims)
    program = ir.from_exported(exported)
    views = [op for op in program.walk() if op.name == "pd_op.reshape"]
    assert [(op.attributes["shape"], op.operands[1]) for op in views] == [([-1, 6, 2, 4], None), ([-1, 6, 8], None)]
    x = torch.randn(5, 6, 8)
    torch.testing.assert_close(ir.compile(program)(x)[0], attention(x))


def test_sizes_of_data_are_symbols():
    model = Experts()
    with torch.no_grad():
        exported = torch.export.export(model, (torch.randn(5, 4),))
        run = ir.compile(ir.from_exported(exported))
        for x in (torch.randn(5, 4), torch.ones(5, 4), -torch.ones(5, 4)):
            torch.testing.assert_close(run(x)[0], model(x))


def test_a_size_of_data_is_found_in_the_tensor_that_has_it():
    def function(x: Tensor) -> tuple[Tensor, Tensor]:
        chosen = x[x > 0]
        return chosen, x.new_zeros(chosen.shape[0] + 1)

    run = ir.compile(Function(function), (torch.randn(6),))
    for x in (torch.randn(6), -torch.ones(6)):
        for ours, theirs in zip(run(x), function(x), strict=True):
            assert torch.equal(ours, theirs)


def test_a_size_is_the_number_in_a_tensor():
    def function(x: Tensor) -> Tensor:
        size = x.max().item()
        torch._check(size >= 0)
        return x.new_ones(size) * size  # type: ignore[arg-type]

    run = ir.compile(Function(function), (torch.tensor([2, 3]),))
    for x in (torch.tensor([2, 3]), torch.tensor([5, 1])):
        assert torch.equal(run(x)[0], function(x))


@pytest.mark.parametrize("way", [ir.compile, ir.to_module])
def test_a_number_is_chosen_by_a_condition(way: Callable[[ir.Program], Any]):
    def function(x: Tensor, place: Tensor) -> tuple[Tensor, Tensor]:
        start = place.item()
        return x.narrow(0, start, 2), x * torch.sym_ite(start > 2, 1, 2)  # type: ignore[arg-type]

    x = torch.randn(6, 4)
    run = way(ir.from_exported(torch.export.export(Function(function), (x, torch.tensor(3)))))
    for place in (torch.tensor(0), torch.tensor(4)):
        torch.testing.assert_close(list(run(x, place)), list(function(x, place)))


def test_a_size_that_follows_from_another_is_no_symbol_of_its_own():
    class Model(nn.Module):
        def forward(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
            torch._check(x.shape[0] + 1 == y.shape[0])
            return x * 2, y + 1

    dynamic = ({0: torch.export.Dim.DYNAMIC},) * 2
    run = ir.compile(Model(), (torch.ones(2, 3), torch.ones(3, 3)), dynamic_shapes=dynamic)
    assert [len(one) for one in run(torch.ones(5, 3), torch.ones(6, 3))] == [5, 6]
    with pytest.raises(ValueError, match="input 'y': expected"):
        run(torch.ones(5, 3), torch.ones(5, 3))


@pytest.mark.parametrize("way", [ir.compile, ir.to_module])
def test_conditions_of_several_parts_are_checked(way: Callable[[ir.Program], Any]):
    from torch.fx.experimental.symbolic_shapes import sym_and, sym_or

    class Model(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            count = x.item()
            torch._check(sym_or(count == 1, sym_and(count > 7, torch.sym_not(count == 9), count < 20)))
            return x * count

    run = way(ir.from_exported(torch.export.export(Model(), (torch.tensor(8),))))
    for count in range(23):
        if count == 1 or (7 < count < 20 and count != 9):
            run(torch.tensor(count))
        else:
            with pytest.raises(RuntimeError, match="Runtime assertion failed"):
                run(torch.tensor(count))


class Branching(nn.Module):
    """Another graph for some sizes."""

    def forward(self, x: Tensor, parts: dict[str, list[Tensor]], scale: float) -> Tensor:
        return (x if x.shape[0] == 5 else x * scale) + parts["more"][0].view(-1, 2, 3).sum(1)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("way", [ir.compile, ir.to_module])
def test_sizes_of_another_graph_are_refused(way: Callable[[ir.Program], Any], strict: bool, tmp_path: Path):
    def inputs(rows: int, more: int) -> tuple[Any, ...]:
        return torch.ones(rows, 3), {"more": [torch.ones(more, 3)]}, 2.5

    dynamic = {"x": {0: torch.export.Dim.DYNAMIC}, "parts": {"more": [{0: torch.export.Dim.DYNAMIC}]}, "scale": None}
    exported = torch.export.export(Branching(), inputs(4, 8), dynamic_shapes=dynamic, strict=strict)
    torch.export.save(exported, tmp_path / "model.pt2")
    for program in (ir.from_exported(exported), ir.load(tmp_path / "model.pt2")):
        run = way(program)
        for rows in (4, 7):
            x, parts, _ = inputs(rows, 2 * rows)
            torch.testing.assert_close(run(x, *parts["more"])[0], Branching()(x, parts, 2.5) if way is ir.compile else x[0] * 4.5)
        with pytest.raises(RuntimeError, match=r"exported for .*size\(\)\[0\] != 5"):
            run(torch.ones(5, 3), torch.ones(10, 3))
