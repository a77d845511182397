"""Operators of an extension in programs: converted from torch, compiled, saved, and run without Python."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch
from ir.test_run_program import KERNELS, built, outputs  # noqa: F401

import phi_torch
from phi_torch import ir
from phi_torch.extension import loading
from phi_torch.ir import safetensors

from .test_load import HERE, SOURCES, softswish, tested  # noqa: F401

pytestmark = pytest.mark.usefixtures("tested")


class Model(torch.nn.Module):
    """Kernels of the extension's own and one of ours, several results, and a composite."""

    def forward(self, x, weight):
        ops = torch.ops.tested
        total, scaled = ops.two_sums(x, weight, [1], 2.0)
        return ops.softswish(x, 0.5), ops.sum(x, weight, 1) + ops.rectify(total), ops.twice_softswish(scaled)


def expected(x, weight):
    total = (x * weight).sum(1)
    return softswish(x, 0.5), total + total.relu(), softswish(softswish(total * 2))


def names(program):
    return [op.name for op in program.walk()]


@pytest.fixture
def inputs():
    return torch.randn(4, 3), torch.randn(4, 3)


def test_ir_compile(inputs, tmp_path):
    sizes = {0: torch.export.Dim("n", min=2)}
    exported = torch.export.export(Model(), inputs, dynamic_shapes=(sizes, sizes))
    program = ir.from_exported(exported)
    own = [name for name in names(program) if name.startswith("tested.")]
    assert {*own} == {"tested.two_sums", "tested.softswish", "tested.sum", "tested.rectify"} and own.count("tested.softswish") == 3
    assert "torch.call" not in names(program)
    run = ir.compile(program)
    for rows in (4, 7):
        x, weight = torch.randn(rows, 3), torch.randn(rows, 3)
        torch.testing.assert_close(run(x, weight), expected(x, weight))
    assert "tested::two_sums" in run.explain()
    program.save(tmp_path / "model.phi")
    loaded = ir.load(tmp_path / "model.phi")
    assert str(loaded) == str(program)
    torch.testing.assert_close(ir.compile(loaded)(*inputs), expected(*inputs))
    unlike = ir.compile(ir.parse(str(program).replace("f32[s0,3]", "f32[?,3]")))
    with pytest.raises(ValueError, match=r"tested.two_sums(.|\n)*argument 'weight': expected the shape of 'x'"):
        unlike(torch.ones(4, 3), torch.ones(5, 3))


def test_torch_compile(inputs, recwarn):
    torch.testing.assert_close(torch.compile(Model(), backend="phi", fullgraph=True)(*inputs), expected(*inputs))
    leaf, x = inputs[0].requires_grad_(), inputs[0].detach().clone().requires_grad_()

    @torch.compile(backend="phi", fullgraph=True)
    def weighted(x, weight):
        return torch.ops.tested.sum(torch.ops.tested.softswish(x), weight)

    found = weighted(x, inputs[1])
    wanted = (softswish(leaf) * inputs[1]).sum(-1)
    torch.testing.assert_close(found, wanted)
    found.sum().backward()
    wanted.sum().backward()
    torch.testing.assert_close(x.grad, leaf.grad)
    assert not [one for one in recwarn if "runs as it is" in str(one.message)]


def test_a_kernel_in_python(inputs):
    run = ir.compile(Model(), inputs)

    @phi_torch.kernel("tested::softswish", backend="CPU", dtypes=[torch.float32], override=True)
    def sevens(x, beta, out):
        out.fill_(7)

    with sevens:
        assert ir.compile(Model(), inputs)(*inputs)[0].tolist() == [[7] * 3] * 4
    torch.testing.assert_close(run(*inputs), expected(*inputs))


def test_a_shape_that_values_decide(inputs):
    builder = ir.Builder()
    x = builder.create("pd_op.data", [], {"name": "x", "shape": [-1, 3], "dtype": "float32"}).results[0]
    found = builder.create("tested.positives", [x]).results[0]
    swished = builder.create("tested.softswish", [found]).results[0]
    builder.create("pd_op.fetch", [swished], {"name": "y", "col": 0})
    (x, _), run = inputs, ir.compile(builder.program)
    for one in (x, x.abs() + 1, -x.abs()):
        torch.testing.assert_close(run(one), (softswish(one[one > 0]),))
    function = torch.compile(lambda x: torch.ops.tested.positives(x) * 2, backend="phi")
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        torch.testing.assert_close(function(x), x[x > 0] * 2)


def test_what_only_torch_can_call(inputs):
    """A kernel without the tensors that its shapes follow from is none that an executable calls by itself."""

    class Doubled(torch.nn.Module):
        def forward(self, x, like):
            return torch.ops.tested.doubled_like(x, like) + 1

    x, like = inputs
    torch.testing.assert_close(ir.compile(Doubled(), inputs)(x, like), (2 * x + 1,))


def test_what_only_data_tells_is_a_call_of_torch():
    """Whatever is said of the results, as PaddlePaddle does of some."""
    program = ir.parse("""phi.program 1
program {
  %x = pd_op.data {name = "x", shape = [4], dtype = float32} : f32[4]
  %v, %i = tested.first_of_runs(%x) : f32[?], f32[4]
  pd_op.fetch(%v) {name = "v", col = 0} : f32[?]
  pd_op.fetch(%i) {name = "i", col = 1} : f32[4]
}
""")
    run = ir.compile(program)
    x = torch.tensor([1.0, 1.0, 3.0, 1.0])
    values, inverse = run(x)
    assert torch.equal(values, x[1:]) and torch.equal(inverse, torch.tensor([0, 0, 1, 2]))
    assert [str(type) for _, type in run.outputs][1] == "i64[4]"


def test_an_operator_without_a_kernel():
    builder = ir.Builder()
    x = builder.create("pd_op.data", [], {"name": "x", "shape": [4], "dtype": "float32"}).results[0]
    op = builder.create("tested.twice_softswish", [x], {}, [x.type])
    builder.create("pd_op.fetch", op.results, {"name": "y", "col": 0})
    assert op.info.composite_only and op.info.kernel is None and op.info.autocast == "none"
    given = torch.randn(4)
    for run in (ir.compile(builder.program, passes=[]), ir.compile(builder.program)):
        torch.testing.assert_close(run(given), (softswish(softswish(given)),))


def test_without_python(tested, inputs, built, tmp_path):  # noqa: F811
    ir.from_exported(torch.export.export(Model(), inputs)).save(tmp_path / "model.phi")
    safetensors.write(tmp_path / "in.safetensors", dict(zip(("x", "weight"), inputs)), {})
    folder = Path(tested.__file__).parent / "lib"
    libraries = [one for one in loading._libraries(folder, "tested") if not one.name.endswith("_python.so")]
    command = [built, tmp_path / "model.phi", tmp_path / "in.safetensors", *KERNELS, *libraries]
    found = outputs(subprocess.check_output(command, text=True))
    for (_, _, shape, values), wanted in zip(found, expected(*inputs), strict=True):
        torch.testing.assert_close(torch.from_numpy(np.asarray(values)).reshape(shape), wanted)
