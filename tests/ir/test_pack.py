"""Large convolutions have packed filters (level 3) or run by Winograd's algorithm, and images with the channels last."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch
from torch.nn import functional

import phi_torch
from phi_torch import ir

CHANNELS, SIZE = 64, 28  # of images for which a convolution is large
LEVEL_3 = 3
WAYS: dict[str, list[int | str]] = {"filters packed": [LEVEL_3], "convolutions by Winograd's algorithm": [LEVEL_3, "winograd"]}


class Network(torch.nn.Module):
    """Twenty convolutions with residuals, and what networks have around them."""

    def __init__(self, channels: int = CHANNELS) -> None:
        super().__init__()
        self.stem = torch.nn.Conv2d(3, channels, 3, padding=1)
        self.convs = torch.nn.ModuleList(torch.nn.Conv2d(channels, channels, 3, padding=1) for _ in range(19))
        self.norm = torch.nn.BatchNorm2d(channels)
        self.last = torch.nn.Linear(channels, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.norm(functional.max_pool2d(self.stem(x).relu(), 3, 2, 1))
        for i, conv in enumerate(self.convs):
            x = (conv(x) / 8 + x).relu() if i % 2 else functional.silu(conv(x))
        return self.last(x.mean((2, 3)))


def exported(module: torch.nn.Module, *inputs: torch.Tensor, **options) -> ir.Program:
    torch.manual_seed(0)
    return ir.from_exported(torch.export.export(module.eval(), inputs, **options))


def compiled(program: ir.Program, way: str = "filters packed") -> tuple[ir.Executable, dict[str, int]]:
    """At level 3 or beyond, and what passes did to convolutions."""
    counts: dict[str, int] = {}
    program = program.clone()
    for one in ir.PassManager(WAYS[way], verify=True).run(program).runs:
        counts |= one.counts if one.name in ("layout", "pack", "winograd") else {}
    return ir.compile(program, passes=[]), counts


def agree(ours: tuple[torch.Tensor, ...], theirs: tuple[torch.Tensor, ...]) -> None:
    for a, b in zip(ours, theirs, strict=True):
        assert a.is_contiguous()
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4 * max(b.abs().max().item(), 1.0))


def takes_all_six(program: ir.Program, way: str = "filters packed") -> None:
    run, counts = compiled(program, way)
    assert counts[way] == 6
    x = torch.randn(2, CHANNELS, SIZE, SIZE)
    agree(run(x), ir.compile(program)(x))
    agree(run.run_poisoned(x), ir.compile(program)(x))


def test_twenty_convolutions():
    batch = torch.export.Dim("batch", min=1)
    program = exported(Network(), torch.randn(2, 3, 2 * SIZE, 2 * SIZE), dynamic_shapes=({0: batch},))
    run, counts = compiled(program)
    assert counts == {"images brought to channels last": 1, "filters packed": 20}
    expected = ir.compile(program)
    for size in (1, 3, 1, 2):
        x = torch.randn(size, 3, 2 * SIZE, 2 * SIZE)
        agree(run(x), expected(x))
        agree(run.run_poisoned(x), expected(x))
    changes = [op for op in run.lowered(x).walk() if op.name == "pd_kernel.transfer"]
    assert len(changes) <= 2 and changes[0].results[0].type.layout == "NHWC"
    again = program.clone()
    ir.PassManager(LEVEL_3).run(again)
    assert not any(one.counts for one in ir.PassManager(["layout", "pack"]).run(again).runs)


def test_small_networks_stay_as_they_are():
    program = exported(Network(8), torch.randn(2, 3, 16, 16))
    assert compiled(program)[1] == {}


@pytest.mark.parametrize("padding", [0, 1])
@pytest.mark.parametrize(("stride", "dilation", "groups"), [(1, 1, 1), (2, 1, 1), (1, 2, 2), (1, 1, CHANNELS)])
def test_arguments_of_convolutions(stride, dilation, groups, padding):
    class Two(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.large = torch.nn.Conv2d(CHANNELS, CHANNELS, 5, padding=2)
            self.conv = torch.nn.Conv2d(CHANNELS, CHANNELS, 3, stride, padding, dilation, groups, bias=padding == 1)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            for _ in range(3):
                x = self.large(x)
            return self.conv(x)

    program = exported(Two(), torch.randn(1, CHANNELS, SIZE, SIZE))
    run, counts = compiled(program)
    assert counts["filters packed"] == 4
    x = torch.randn(1, CHANNELS, SIZE, SIZE)
    agree(run(x), ir.compile(program)(x))


def give(program: ir.Program, weights: ir.Weights) -> None:
    for name in weights:
        program.weights.set(name, weights[name].data)


def activated(activation: str, residual: bool, alpha: float = 0.0) -> ir.Program:
    """Six convolutions, each with a bias."""
    builder = ir.Builder()
    torch.manual_seed(0)

    def create(op: str, *inputs: ir.Value | None, **attributes: object) -> ir.Value:
        return builder.create(op, inputs, attributes).results[0]

    for i in range(6):
        builder.program.weights.set(f"w{i}", torch.randn(CHANNELS, CHANNELS, 3, 3) / 24)
        builder.program.weights.set(f"b{i}", torch.randn(1, CHANNELS, 1, 1))
    x = create("pd_op.data", name="x", shape=[-1, CHANNELS, SIZE, SIZE], dtype="float32")
    for i in range(6):
        w, b = (create("builtin.parameter", name=f"{kind}{i}") for kind in "wb")
        attributes = {"paddings": [1, 1], "activation": activation, "fuse_alpha": alpha}
        x = create("pd_op.fused_conv2d_add_act", x, w, b, x if residual else None, **attributes)
    create("pd_op.fetch", x, name="y", col=0)
    return builder.program


@pytest.mark.parametrize("activation", ["identity", "relu", "leaky_relu", "sigmoid", "tanh", "swish", "hardswish"])
@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_activations(activation, residual, way):
    program = activated(activation, residual, 0.25)
    run, counts = compiled(program, way)
    takes = not residual or activation in ("identity", "relu")
    assert counts.get(way, 0) == (6 if takes else 0)
    x = torch.randn(2, CHANNELS, SIZE, SIZE)
    agree(run(x), ir.compile(program)(x))


AFTER: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "views": lambda x: x.transpose(1, 2)[:, 1:].reshape(2, -1),
    "rows": lambda x: x[1:].flatten(1),
    "concat": lambda x: torch.cat([x, x * 2], 1),
    "softmax": lambda x: x.softmax(1),
    "pools": lambda x: functional.avg_pool2d(x, 2) + functional.adaptive_avg_pool2d(x, SIZE // 2),
    "interpolate": lambda x: functional.interpolate(x, scale_factor=2.0, mode="bilinear"),
    "per channel": lambda x: x * x.mean((2, 3), keepdim=True).sigmoid(),
    "product": lambda x: x @ x.transpose(2, 3),
    "permuted": lambda x: functional.layer_norm(x.permute(0, 2, 3, 1), (CHANNELS,)),
    "aten": lambda x: torch.special.bessel_j0(x),
    "nothing": lambda x: x,
}


@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("way", WAYS)
def test_what_follows_a_large_convolution(after, way):
    class Network(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.convs = torch.nn.ModuleList(torch.nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1) for _ in range(6))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            for conv in self.convs:
                x = conv(x)
            return AFTER[after](x)

    program = exported(Network(), torch.randn(2, CHANNELS, SIZE, SIZE))
    takes_all_six(program, way)


def test_an_operator_with_the_channels_last_in_its_shape():
    program = activated("relu", False)
    fetch = next(op for op in program.walk() if op.name == "pd_op.fetch")
    builder = ir.Builder(program).before(fetch)
    attributes = {"kernel_size": [2, 2], "strides": [2, 2], "pooling_type": "max", "data_format": "NHWC"}
    pool = builder.create("pd_op.pool2d", [fetch.operands[0], None], attributes)
    fetch.set_operand(0, pool.results[0])
    program.refine_types()
    takes_all_six(program)


@pytest.mark.parametrize("way", WAYS)
def test_branches_and_loops(way):
    without = activated("relu", False)
    text = str(without)
    last = re.findall(r"%(\w+), [^\n]*fused_conv2d_add_act", text)[-1]
    body = f"""  %zero = pd_op.full {{shape = [1], value = 0.0, dtype = int64}} : i64[1]
  %two = pd_op.full {{shape = [1], value = 2.0, dtype = int64}} : i64[1]
  %more = pd_op.less_than(%zero, %two) : bool[1]
  %i, %r = pd_op.while(%more, %zero, %{last}) {{
    ^(%j : i64[1], %s : f32[s0,64,28,28]):
    %one = pd_op.full {{shape = [1], value = 1.0, dtype = float32}} : f32[1]
    %next = pd_op.scale(%j, %one) {{bias = 1.0 : f32}} : i64[1]
    %again = pd_op.less_than(%next, %two) : bool[1]
    %t = pd_op.add(%s, %{last}) : f32[s0,64,28,28]
    cf.yield(%again, %next, %t)
  }} : i64[1], f32[s0,64,28,28]
  %u = pd_op.if(%more) {{
    %v = pd_op.tanh(%r) : f32[s0,64,28,28]
    cf.yield(%v)
  }} else {{
    cf.yield(%{last})
  }} : f32[s0,64,28,28]
  pd_op.fetch(%u)"""
    program = ir.parse(re.sub(r"  pd_op.fetch\(%\w+\)", body, text))
    program.verify()
    give(program, without.weights)
    takes_all_six(program, way)


def test_weights_that_change_are_not_packed():
    program = activated("relu", False)
    program.weights.set("w0", program.weights["w0"].data, is_mutable=True)
    assert compiled(program)[1]["filters packed"] == 5


@pytest.mark.parametrize("way", WAYS)
def test_threads_pack_once_and_share(way):
    program = activated("relu", True)
    run, _ = compiled(program, way)
    x = torch.randn(2, CHANNELS, SIZE, SIZE)
    expected = ir.compile(program)(x)
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: run(x), range(24)):
            agree(found, expected)


def grows(call: Callable[[], object]) -> int:
    """The most memory that is resident during a call, in bytes beyond what is before."""

    def resident(name: str) -> int:
        found = re.search(rf"{name}:\s*(\d+) kB", Path("/proc/self/status").read_text())
        assert found is not None
        return int(found[1]) * 1024

    Path("/proc/self/clear_refs").write_text("5")  # the peak begins here
    before = resident("VmRSS")
    call()
    return resident("VmHWM") - before


def test_what_is_read_no_more_is_let_go():
    batch = torch.export.Dim("batch", min=1)
    program = exported(Network(), torch.randn(2, 3, 2 * SIZE, 2 * SIZE), dynamic_shapes=({0: batch},))
    run, _ = compiled(program)
    x = torch.randn(64, 3, 2 * SIZE, 2 * SIZE)
    run(x[:1])
    largest = 64 * CHANNELS * (2 * SIZE) ** 2 * 4
    assert grows(lambda: run(x)) < 4 * largest  # all together are 6 times as large


def test_a_packed_program_is_not_saved(tmp_path):
    program = activated("relu", False)
    ir.PassManager(3).run(program)
    assert str(ir.parse(str(program))) == str(program)
    for name in ("model.phi", "model.json"):
        with pytest.raises(ir.ProgramError, match=r"machine.channels_last, machine.packed_conv2d mean something on this machine"):
            program.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(NotImplementedError, match=r"machine.packed_conv2d"):
        ir.to_module(program)


def test_a_machine_that_packs_nothing():
    program = activated("relu", False)
    with phi_torch.flags(use_onednn=False):
        run, counts = compiled(program)
    assert counts == {"convolutions left alone, as nothing here packs their filters": 6}
    x = torch.randn(2, CHANNELS, SIZE, SIZE)
    agree(run(x), ir.compile(program)(x))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('activation = "relu"', 'activation = "gelu"', "argument 'activation'"),
        (r"paddings = \[1,1\]", "paddings = [1,2,1,1]", "expected the same paddings on both sides"),
        ("groups = 1", "groups = 3", "groups"),
        (r"packed_conv2d\(%\w+, %\w+", "packed_conv2d(%0, %0", "operand 'filter': expected a weight"),
    ],
)
def test_what_cannot_be_packed(old, new, message):
    program = activated("relu", False)
    ir.PassManager(3).run(program)
    text, count = re.subn(old, new, str(program), count=1)
    assert count == 1
    changed = ir.parse(text)
    give(changed, program.weights)
    with pytest.raises(ValueError, match=message):
        ir.compile(changed, passes=[])(torch.randn(1, CHANNELS, SIZE, SIZE))


def test_precision_is_chosen_before():
    names = [one.name for one in ir.PassManager(4).passes]
    assert names.index("mixed_precision") < names.index("layout") < names.index("pack")
    run = ir.compile(activated("relu", False), passes=3, dtype="bfloat16")
    assert [one.name for one in run.passes][-4:] == ["mixed_precision", "layout", "pack", "fuse_elementwise"]
