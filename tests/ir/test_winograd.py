"""Winograd's algorithm computes what a convolution does, in float32 to a few roundings more."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from phi_torch import ir

NAME = "machine.winograd_conv2d"


def convolution(filters: int, channels: int, size: int, paddings: list[int], steps: bool = False) -> ir.Program:
    """One operation that the pass makes: with `steps` a bias, a residual of its own and a relu."""
    builder = ir.Builder()

    def create(op: str, *inputs: ir.Value | None, **attributes: object) -> ir.Value:
        return builder.create(op, inputs, attributes).results[0]

    def images(name: str, channels: int) -> ir.Value:
        return create("pd_op.data", name=name, shape=[-1, channels, -1, -1], dtype="float32")

    generator = torch.Generator().manual_seed(0)
    builder.program.weights.set("w", torch.randn(filters, channels, size, size, generator=generator) / (3 * channels**0.5))
    builder.program.weights.set("b", torch.randn(1, filters, 1, 1, generator=generator))
    x, residual = images("x", channels), images("residual", filters) if steps else None
    w, b = create("builtin.parameter", name="w"), create("builtin.parameter", name="b") if steps else None
    plain = {"strides": [1, 1], "dilations": [1, 1], "groups": 1, "padding_algorithm": "EXPLICIT", "paddings": paddings}
    types = [residual.type if residual else x.type]
    made = builder.create(NAME, [x, w, b, residual], {**plain, "activation": "relu" if steps else "identity"}, types)
    create("pd_op.fetch", made.results[0], name="y", col=0)
    return builder.program


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize(
    ("batch", "channels", "filters", "height", "width", "paddings"),
    [
        (1, 64, 64, 28, 28, [1, 1]),
        (2, 37, 65, 15, 6, [0, 2]),
        (3, 1, 2, 4, 5, [1, 0]),
        (1, 16, 16, 1, 3, [1, 3]),
        (70, 9, 40, 9, 9, [1, 1]),
    ],
)
@pytest.mark.parametrize("steps", [False, True])
def test_values(batch, channels, filters, height, width, paddings, last, steps):
    program = convolution(filters, channels, 3, paddings, steps)
    run = ir.compile(program, passes=[])
    torch.manual_seed(0)
    order = torch.channels_last if last else torch.contiguous_format
    x = torch.randn(batch, channels, height, width).to(memory_format=order)
    weights = {name: program.weights[name].data.double() for name in ("w", "b")}
    expected = torch.nn.functional.conv2d(x.double(), weights["w"], None, 1, paddings)
    inputs = [x]
    if steps:
        inputs.append(torch.randn(expected.shape).to(memory_format=order))
        expected = (expected + weights["b"] + inputs[1]).relu()
    (out,) = run(*inputs)
    torch.testing.assert_close(out.double(), expected, rtol=5e-5, atol=5e-5)
    (poisoned,) = run.run_poisoned(*inputs)
    assert torch.equal(out, poisoned)


def test_a_number_that_is_none_stays_where_it_is():
    x = torch.randn(1, 32, 16, 16)
    x[0, 0, 0, 0] = float("nan")
    (out,) = ir.compile(convolution(32, 32, 3, [1, 1]), passes=[])(x)
    assert out[0, :, :2, :2].isnan().all() and not out[0, :, 4:].isnan().any()


class Chain(torch.nn.Module):
    """Large convolutions of 3x3, and others."""

    def __init__(self) -> None:
        super().__init__()
        self.plain = torch.nn.ModuleList(torch.nn.Conv2d(64, 64, 3, padding=1) for _ in range(3))
        options = [(1, 1, 2), (1, 2, 1), (2, 1, 1)]  # stride, dilation and groups
        self.others = torch.nn.ModuleList(torch.nn.Conv2d(64, 64, 3, s, 1, d, g) for s, d, g in options)
        self.points, self.wide = torch.nn.Conv2d(64, 64, 1), torch.nn.Conv2d(64, 64, 5, padding=2)
        self.few = torch.nn.Conv2d(64, 8, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for conv in (*self.plain, self.wide, self.points, *self.others, self.few):
            x = conv(x).relu()
        return x


def test_what_it_is_worth_for():
    program = ir.from_exported(torch.export.export(Chain().eval(), (torch.randn(1, 64, 56, 56),)))
    ir.PassManager([3, "winograd"], verify=True).run(program)
    names = [op.name for op in program.walk() if op.name.startswith("machine.")]
    assert names == ["machine.channels_last", *[NAME] * 3, *["machine.packed_conv2d"] * 6]
    assert not any(one.counts for one in ir.PassManager(["layout", "pack", "winograd"]).run(program).runs)
    assert str(ir.parse(str(program))) == str(program)


def test_the_backend_takes_it(monkeypatch):
    made: list[ir.Executable] = []
    compile_program = ir.compile

    def watched(*args: Any, **options: Any) -> ir.Executable:
        made.append(compile_program(*args, **options))
        return made[-1]

    monkeypatch.setattr(ir, "compile", watched)
    model, x = Chain().eval(), torch.randn(1, 64, 56, 56)
    fast = torch.compile(model, backend="phi", options={"level": 3, "passes": "winograd", "freezing": True})
    with torch.no_grad():
        torch.testing.assert_close(fast(x), model(x), rtol=1e-4, atol=1e-4)
    assert made[0].explain().count(NAME) == 3


def test_level_4_computes_in_half_the_width_instead():
    names = [one.name for one in ir.PassManager(4).passes]
    assert names.index("mixed_precision") < names.index("pack") < names.index("winograd")


def test_other_filters_are_refused():
    run = ir.compile(convolution(32, 32, 5, [2, 2]), passes=[])
    with pytest.raises(ValueError, match=r"argument 'filter': expected 3x3, groups = 1.*got the filter \[32, 32, 5, 5\]"):
        run(torch.randn(1, 32, 16, 16))
