"""The pass mixed_precision: which operators run in half the width, and what it costs."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import phi_torch
from phi_torch import ir
from phi_torch._op_table import OPS

from .paddle_models import FOLDERS
from .test_executor import io_of

HALF = {"bfloat16": 2e-2, "float16": 2e-3}  # of the largest element


def types(program: ir.Program) -> list[tuple[str, str]]:
    """(operator, dtype of its first result) without what has none of floating point."""
    named = [(op.name.removeprefix("pd_op."), op.results[0].type) for op in program.walk() if op.results]
    return [(name, type.dtype) for name, type in named if type is not None and type.kind == "dense_tensor"]


def perceptron(middle: str = "pd_op.relu") -> ir.Program:
    builder = ir.Builder()
    torch.manual_seed(5)

    def create(op, *inputs, **attributes):
        return builder.create(op, inputs, attributes).results[0]

    for name, shape in {"w": [6, 8], "b": [8], "v": [8, 3]}.items():
        builder.program.weights.set(name, torch.randn(shape))
    w, b, v = (create("builtin.parameter", name=name) for name in "wbv")
    x = create("pd_op.data", name="x", shape=[-1, 6], dtype="float32")
    hidden = create(middle, create("pd_op.add", create("pd_op.matmul", x, w), b))
    create("pd_op.fetch", create("pd_op.matmul", hidden, v), name="y", col=0)
    builder.program.verify()
    return builder.program


@pytest.mark.parametrize("dtype", HALF)
def test_all_that_takes_half_the_width_has_kernels_of_it(dtype: str):
    names = [name for name, op in OPS.items() if op.autocast == "lower"]
    assert "matmul" in names and [name for name in names if not phi_torch.supported(name, dtype=getattr(torch, dtype))] == []


@pytest.mark.parametrize("middle", ["pd_op.i0e", "pd_op.gammaln"])
def test_what_has_no_kernel_of_half_the_width_stays_wide(middle: str):
    lowered = perceptron(middle)
    ir.PassManager([ir.MixedPrecision()], verify=True).run(lowered)
    assert (middle.removeprefix("pd_op."), "float32") in types(lowered)
    assert ir.compile(lowered, passes=[])(torch.randn(4, 6))[0].dtype == torch.float32


def test_sizes_that_only_a_run_tells_stay_the_same():
    """A list of tensors names them, too."""
    program = perceptron()
    builder = ir.Builder(program)
    last = program.block.operations[-1]
    product, before = last.operands[0], builder.before(last)
    (shape,) = builder.at_start(program.block).create("pd_op.data", [], {"name": "n", "shape": [2], "dtype": "int64"}).results
    (turned,) = before.create("pd_op.reshape", [product, shape]).results
    (pair,) = before.create("builtin.combine", [turned, turned]).results
    (found,) = before.create("pd_op.concat", [pair, None], {"axis": 1}).results
    before.create("pd_op.fetch", [found], {"name": "z", "col": 1})
    x, sizes = torch.randn(4, 6), torch.tensor([2, 6])
    wide, narrow = (ir.compile(program, passes=passes)(sizes, x)[1] for passes in ([], [ir.MixedPrecision()]))
    torch.testing.assert_close(narrow, wide, rtol=2e-2, atol=2e-2 * wide.abs().max().item())


@pytest.mark.parametrize("dtype", HALF)
def test_products_and_what_follows_them(dtype):
    program, x = perceptron(), torch.randn(4, 6)
    (expected,) = ir.compile(program, passes=[])(x)
    lowered = program.clone()
    (run,) = ir.PassManager([ir.MixedPrecision(dtype)], verify=True).run(lowered).runs
    assert dict(run.counts) == {f"operations in {dtype}": 4}
    weights = [("builtin.parameter", dtype)] * 3
    found = types(lowered)
    assert sorted(found[:4]) == sorted([*weights, ("data", "float32")])  # the weights are cast once
    body = [("cast", dtype), ("matmul", dtype), ("add", dtype), ("relu", dtype), ("matmul", dtype), ("cast", "float32")]
    assert [one for one in found[4:] if one[0] not in ("fetch", "builtin.parameter")] == body or found[4:10] == body
    (ours,) = ir.compile(lowered, passes=[])(x)
    assert ours.dtype == torch.float32
    torch.testing.assert_close(ours, expected, rtol=0, atol=HALF[dtype] * expected.abs().max().item())
    for name in (dtype, getattr(torch, dtype)):
        assert torch.equal(ir.compile(program, passes=[], dtype=name)(x)[0], ours)
    assert ir.MixedPrecision(dtype).run(lowered) == {}


def test_what_autocast_keeps_wide():
    program = perceptron("pd_op.exp")  # autocast : fp32
    ir.PassManager(["mixed_precision"], verify=True).run(program)
    assert ("exp", "float32") in types(program)
    assert [dtype for name, dtype in types(program) if name == "matmul"] == ["bfloat16", "bfloat16"]


def test_a_program_that_writes_stays():
    program = ir.parse(str(perceptron()).replace("pd_op.relu", "pd_op.relu_"))
    text = str(program)
    assert ir.MixedPrecision().run(program) == {} and str(program) == text


def test_another_type():
    with pytest.raises(ValueError, match="'dtype': expected bfloat16 or float16, got 'float64'"):
        ir.MixedPrecision("float64")


def test_its_level():
    last = ["mixed_precision", "layout", "pack", "winograd", "fuse_elementwise"]
    assert [one.name for one in ir.PassManager(4).passes][-5:] == last
    assert "mixed_precision" not in [one.name for one in ir.PassManager(3).passes]


# a choice between classes, or between boxes, by numbers that are nearly the same
CHOICES = ("bigru_crf", "crnn_lstm", "pointnet", "yolo")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_programs_at_level_4(folder):
    try:
        run = ir.compile(ir.load(folder), passes=4)
    except NotImplementedError:
        return
    inputs, outputs = io_of(folder, "io.npz")
    names = np.load(folder / "io.npz")["feed_names"].tolist()
    found = run(*(inputs[names.index(name)] for name, _ in run.inputs))
    for ours, theirs in zip(found, outputs, strict=True):
        assert list(ours.shape) == list(theirs.shape) and str(ours.dtype).endswith(str(theirs.dtype))
        if folder.name not in CHOICES:
            np.testing.assert_allclose(ours.numpy(), theirs, rtol=0, atol=0.05 * max(np.abs(theirs).max(), 1e-3))
