"""What a compiled program says of itself: in a line, and as a program of the dialect pd_kernel."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.testing._internal.two_tensor import TwoTensor

from phi_torch import ir

from .paddle_models import FOLDERS
from .test_executor import io_of, small
from .torch_models import Function


def test_repr():
    run = ir.compile(small())
    assert repr(run) == "<Executable (x: f32[s0,3]) -> (y: f32[s0,2]), 2 operations after passes up to level 3>"
    assert repr(run).split(", ")[-1].startswith(f"{len(run.explain().splitlines())} operations")
    assert "after no passes" in repr(ir.compile(small(), passes=[]))
    assert "after passes up to level 1" in repr(ir.compile(small(), passes=["cse", "dce"]))
    assert "level 4" in repr(ir.compile(small(), dtype="bfloat16"))
    assert [one.name for one in ir.compile(small(), passes=["cse", "dce"]).passes] == ["cse", "dce"]


def test_a_path_is_no_program():
    with pytest.raises(TypeError, match="expected a program or a module, got str; ir.load reads files"):
        ir.compile("model")  # type: ignore[arg-type]


def calls(program: ir.Program) -> list[tuple[str, str | None]]:
    """(operator, kernel) of each call."""
    found = [op for op in program.walk() if op.name == "pd_kernel.call"]
    return [(op.attributes["op"].removeprefix("pd_op."), op.attributes.get("kernel")) for op in found]


def names(program: ir.Program) -> list[str]:
    return [op.name.removeprefix("pd_op.").removeprefix("pd_kernel.") for op in program.walk()]


def checked(run: ir.Executable, *inputs: torch.Tensor) -> ir.Program:
    program = run.lowered(*inputs)
    program.verify()
    assert str(ir.parse(str(program))) == str(program)
    return program


def test_kernels_have_their_keys_and_places():
    run = ir.compile(small())
    program = checked(run, torch.randn(4, 3))
    assert names(program) == ["data", "builtin.parameter", "call", "call", "fetch"]
    first, second = (op for op in program.walk() if op.name == "pd_kernel.call")
    assert calls(program) == [("matmul", "matmul"), ("tanh", "tanh")]
    assert "CPU" in str(first.attribute("key")) and "float32" in str(first.attribute("key"))
    assert first.location == "/Linear/" and str(first.results[0].type) == "f32[4,2]"
    assert "transpose_x" not in first.attributes  # at its default
    assert second.operands == first.results and second.attributes["memory"] == ["output"]
    assert str(checked(run, torch.randn(7, 3))).count("f32[7,2]") == 3  # each set of shapes has its own
    with pytest.raises(NotImplementedError, match=r"pd_kernel.call, 2 times"):
        ir.compile(program)
    with pytest.raises(ValueError, match=r"input 'x': expected f32\[s0,3\]"):
        run.lowered(torch.randn(4, 5))


def program_of(body: str) -> ir.Program:
    program = ir.parse(f"phi.program 1\nprogram {{\n{body}}}\n")
    program.verify()
    return program


def test_views_copies_and_constants():
    body = """  %x = pd_op.data {name = "x", shape = [4,6], dtype = float32} : f32[4,6]
  %0 = pd_op.relu(%x) : f32[4,6]
  %1 = pd_op.slice(%0, none, none) {axes = [0,1], starts = [2,0], ends = [4,3]} : f32[2,3]
  %2 = pd_op.matmul(%1, %1) {transpose_y = true} : f32[2,2]
  %3 = pd_op.shape64(%x) : i64[2]
  pd_op.fetch(%2) {name = "y", col = 0} : f32[2,2]
  pd_op.fetch(%3) {name = "sizes", col = 1} : i64[2]
"""
    x = torch.randn(4, 6)
    run = ir.compile(program_of(body), passes=[])
    program = checked(run, x)
    assert names(program) == ["data", "call", "alias", "call", "builtin.constant", "transfer", "fetch", "fetch"]
    (alias,) = (op for op in program.walk() if op.name == "pd_kernel.alias")
    assert alias.attributes["offset"] == 2 * 6 * 4 and alias.attributes["strides"] == [6, 1]
    (constant,) = (op for op in program.walk() if op.name == "builtin.constant")
    assert np.frombuffer(constant.attributes["value"][2], np.int64).tolist() == [4, 6]


def test_arguments_that_tensors_give():
    """Known with the schedule, or when it runs."""
    body = """  %x = pd_op.data {name = "x", shape = [-1,6], dtype = float32} : f32[s0,6]
  %n = pd_op.data {name = "n", shape = [2], dtype = int64} : i64[2]
  %0 = pd_op.shape64(%x) : i64[2]
  %1 = pd_op.tile(%x, %0) : f32[?,?]
  %2 = pd_op.tile(%x, %n) : f32[?,?]
  pd_op.fetch(%1) {name = "y", col = 0} : f32[?,?]
  pd_op.fetch(%2) {name = "z", col = 1} : f32[?,?]
"""
    program = ir.parse(f'phi.program 1\nsymbols {{ s0 "x.0" >= 1 }}\nprogram {{\n{body}}}\n')
    lowered = checked(ir.compile(program, passes=[]), torch.randn(3, 6), torch.tensor([2, 1]))
    known, told = (op for op in lowered.walk() if op.name == "pd_kernel.call")
    assert known.attributes["repeat_times"] == [3, 6] and len(known.operands) == 1
    assert str(known.results[0].type) == "f32[9,36]" and known.attributes["memory"] == ["output"]
    assert told.attributes["tensor_arguments"] == ["repeat_times"] and "repeat_times" not in told.attributes
    assert [one.name for one in told.operands] == ["x", "n"] and told.attributes["memory"] == ["dynamic"]


def test_memory_that_is_used_again_shows():
    body = '  %x = pd_op.data {name = "x", shape = [16], dtype = float32} : f32[16]\n  %0 = pd_op.relu(%x) : f32[16]\n'
    body += "".join(f"  %{i + 1} = pd_op.tanh(%{i}) : f32[16]\n" for i in range(3))
    program = checked(ir.compile(program_of(body + '  pd_op.fetch(%3) {name = "y", col = 0} : f32[16]\n')), torch.ones(16))
    places = [op.attributes["memory"] for op in program.walk() if op.name == "pd_kernel.call"]
    assert places == [["output"]] * 4  # each writes over what it reads


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_programs_of_paddle(folder):
    """Every kernel that a run calls is a call, in its order."""
    program = ir.load(folder)
    try:
        run = ir.compile(program)
    except NotImplementedError:
        return
    inputs, _ = io_of(folder, "io.npz")
    by_name = dict(zip(np.load(folder / "io.npz")["feed_names"].tolist(), inputs))
    inputs = [by_name[name] for name, _ in run.inputs]
    lowered = checked(run, *inputs)
    if any(op.regions for op in program.walk()):
        assert any(op.name in ("pd_kernel.if", "pd_kernel.while") for op in lowered.walk())
        return  # a run goes through one branch
    ran = [row.kernel for row in run.profile(*inputs, repeat=1).rows if row.kernel]
    kernels = [kernel for _, kernel in calls(lowered) if kernel]
    casts = sum(op.name == "pd_kernel.transfer" and op.attribute("key") is not None for op in lowered.walk())
    assert len(ran) == len(kernels) + casts
    assert [one for one in ran if one != "cast"] == [one for one in kernels if one != "cast"]


def test_tensors_without_memory_are_refused():
    """They say that they are on the CPU."""
    layer, x = torch.nn.Linear(3, 4), torch.randn(2, 3)
    run = ir.compile(layer, (x,))
    with FakeTensorMode() as mode:
        fake = mode.from_tensor(x)
        for call in (lambda: run(fake), lambda: run(torch.ones(2, 3)), lambda: run(TwoTensor(x, x))):
            with pytest.raises(ValueError, match="input 'input': expected a tensor with memory of its own"):
                call()
    with pytest.raises(ValueError, match="expected a tensor with memory of its own"):
        torch.vmap(run)(torch.randn(4, 2, 3))
    program = ir.from_exported(torch.export.export(layer, (x,)))
    with pytest.raises(ValueError, match="a weight lies in memory"):
        program.weights.set("weight", fake)


def test_a_copy_of_what_does_not_change_is_itself():
    run = ir.compile(small())
    module = Function(run)
    assert copy.copy(run) is run and copy.deepcopy(module).function is run


def test_what_has_state_is_not_copied():
    model = torch.nn.BatchNorm1d(3)
    for run in (ir.compile(small(), reuse_outputs=True), ir.compile(model, (torch.randn(4, 3),))):
        with pytest.raises(TypeError, match="compile the program once more"):
            copy.deepcopy(run)


def test_pickle_says_what_to_do():
    with pytest.raises(TypeError, match="not pickled; save the program"):
        pickle.dumps(ir.compile(small()))
    for copies in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match=r"program\.clone\(\) .* program\.save\(path\)"):
            copies(small())
