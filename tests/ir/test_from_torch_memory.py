"""Where the results of graphs of torch lie in memory: as in eager, so that whoever gets them may take a view; what they write."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from phi_torch import ir

CONV = nn.Conv2d(3, 4, 3, padding=1).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
IMAGES = torch.randn(2, 3, 8, 8).contiguous(memory_format=torch.channels_last)
VOLUME = torch.randn(3, 4, 5)
ROWS = torch.randn(2, 3, 4)


def images(x: Tensor) -> tuple[Tensor, Tensor]:
    y = CONV(x)
    return y, y.permute(0, 2, 3, 1).view(-1)


def rows(x: Tensor) -> tuple[Tensor, Tensor]:
    y = x.transpose(1, 2) * 2
    return y, y.transpose(1, 2).view(-1)


def overwritten(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    y = x.transpose(1, 2) + 1
    part = y.transpose(1, 2)[0]
    part.mul_(2)
    return y, part, y.sum()


def shortened(x: Tensor) -> tuple[Tensor, ...]:
    """Of sizes that may be 0, which torch's strides say as max(1, size)."""
    return x.permute(2, 0, 1)[1:, 1:] * 2, x.permute(2, 1, 0)[1:, 1:, 1:] + 1, x[1:, 1:].mT.exp()


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("trains", [False, True])
@pytest.mark.parametrize(("function", "x"), [(images, IMAGES), (rows, ROWS), (overwritten, ROWS), (shortened, VOLUME)])
def test_results_lie_in_memory_as_in_eager(function: Callable[[Tensor], Any], x: Tensor, trains: bool, dynamic: bool):
    torch._dynamo.reset()
    fast = torch.compile(function, backend="phi", dynamic=dynamic)
    for given in (x, torch.cat([x, x])):
        inputs = [given.clone(memory_format=torch.preserve_format).requires_grad_(trains) for _ in range(2)]
        with torch.set_grad_enabled(trains):
            ours, theirs = fast(inputs[0]), function(inputs[1])
        for one, other in zip(ours, theirs, strict=True):
            torch.testing.assert_close(one, other)
            assert one.stride() == other.stride()
        if trains:
            for results in (ours, theirs):
                sum(one.square().sum() for one in results).backward()
            torch.testing.assert_close(inputs[0].grad, inputs[1].grad)


def parts(x: Tensor) -> tuple[Tensor, ...]:
    y = x.transpose(0, 1) * 2
    return y, y.detach()[1:], y[x.shape[1] - 2], x.exp().chunk(2, 2)[1]


def parts_alone(x: Tensor) -> tuple[Tensor, ...]:
    y = x.relu()
    return y[:1].view(-1), y.flatten()[: x.shape[0]], y.split(1)[0].squeeze(0)


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("trains", [False, True])
@pytest.mark.parametrize("function", [parts, parts_alone])
def test_results_share_memory_as_in_eager(function: Callable[[Tensor], Any], trains: bool, dynamic: bool):
    torch._dynamo.reset()
    fast = torch.compile(function, backend="phi", dynamic=dynamic)
    for given in (ROWS, torch.cat([ROWS, ROWS])):
        found = []
        for one in (fast, function):
            results = [result.detach() for result in one(given.clone().requires_grad_(trains))]
            results[0].fill_(7)
            found.append(results)
        torch.testing.assert_close(*found)


@pytest.mark.parametrize(
    "view",
    [lambda t: t[:, ::2], lambda t: t[1:3, 1:], lambda t: t.unfold(1, 3, 1), lambda t: t.expand(2, 4, 6)],
    ids=["step", "part", "windows", "expanded"],
)
@pytest.mark.parametrize("dynamic", [False, True])
def test_a_view_with_gaps_of_what_is_computed_has_those_of_eager(view, dynamic):
    def function(x):
        return view(x + 1)

    x = torch.randn(4, 6)
    torch._dynamo.reset()
    found, expected = torch.compile(function, backend="phi", dynamic=dynamic, fullgraph=True)(x), function(x)
    assert torch.equal(found, expected) and found.stride() == expected.stride()


class Moved(nn.Module):
    """A buffer takes what another one was, before or after that one is written."""

    now: Tensor
    before: Tensor

    def __init__(self, way: str) -> None:
        super().__init__()
        self.way = way
        self.register_buffer("now", torch.arange(3.0))
        self.register_buffer("before", torch.zeros(3))

    def forward(self, x: Tensor) -> Tensor:
        y = x + self.now
        if self.way == "swapped":
            now = self.now.clone()
            self.now.copy_(self.before)
            self.before.copy_(now)
        else:
            self.before.copy_(self.now if self.way == "kept" else self.now.view(3, 1).view(3))
            self.now.add_(1)
        return y


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("way", ["swapped", "kept", "seen"])
def test_a_buffer_takes_what_another_one_was(way: str, compiled: bool):
    eager, ours, x = Moved(way), Moved(way), torch.ones(3)
    program = ir.from_exported(torch.export.export(ours, (x,)))
    run = ir.compile(program) if compiled else ir.to_module(program)
    for _ in range(3):
        expected, found = eager(x), run(x)
        torch.testing.assert_close(found[0] if compiled else found, expected)
        torch.testing.assert_close(ours.state_dict(), eager.state_dict())


class Counts(nn.Module):
    """Adds to a buffer, or to a parameter."""

    calls: Tensor

    def __init__(self, name: str):
        super().__init__()
        self.name, self.norm, self.conv = name, nn.BatchNorm2d(3), nn.Conv2d(3, 3, 1)
        self.register_buffer("calls", torch.zeros(3))
        self.offset = nn.Parameter(torch.zeros(3))

    def forward(self, x: Tensor) -> Tensor:
        getattr(self, self.name).add_(1)
        return self.norm(self.conv(x)) + self.calls[0] + self.offset[1]


@pytest.mark.parametrize("name", ["calls", "offset"])
def test_frozen_is_what_a_graph_does_not_write(name: str, tmp_path: Path):
    torch._dynamo.reset()
    model, x = Counts(name).eval(), torch.randn(1, 3, 4, 4)
    same = copy.deepcopy(model)
    fast = torch.compile(model, backend="phi", options={"freezing": True, "dump": str(tmp_path / "dump")})
    with torch.no_grad():
        for _ in range(3):
            torch.testing.assert_close(fast(x), same(x), rtol=1e-4, atol=1e-5)
    text = (tmp_path / "dump").read_text()
    assert text.count("builtin.parameter") == 7 and text.count("pd_op.data") == 2, text
