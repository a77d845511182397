"""Shapes of variables before a program runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from phi_torch import legacy
from phi_torch.legacy import Attribute, BlockDesc, Executor, OpDesc, ProgramDesc, VarDesc

from .models import DATA, INFERENCE, feed_of


@pytest.mark.parametrize("folder", INFERENCE, ids=lambda folder: folder.name)
def test_shapes_are_those_that_the_program_says(folder: Path):
    program = legacy.read_program(folder)
    found = legacy.infer_shapes(program)
    assert found
    # bytes in the program, as cuDNN has them; Paddle's kernel for the CPU writes floats there
    reserves = {name for block in program.blocks for op in block.ops if op.type == "rnn" for name in op.outputs["Reserve"]}
    for name, var in found.items():
        plain, _, number = name.partition("@block")
        blocks = program.blocks[int(number) :][:1] if number else program.blocks
        said = next(block.vars[plain] for block in blocks if plain in block.vars)
        assert var.dtype == said.dtype or plain in reserves, name
        if said.dims and var.dims is not None:  # the shapes of unused outputs are left empty
            assert len(var.dims) == len(said.dims), name
            known = [(one, other) for one, other in zip(var.dims, said.dims) if one >= 0 and other >= 0]
            assert all(one == other for one, other in known), name


@pytest.mark.parametrize("name", ["ctl_while", "ctl_cond"])
def test_shapes_within_control_flow(name: str):
    """All that blocks make has a shape: that of a run, where it is known."""
    program, parameters = legacy.read_model(DATA / name)
    found = legacy.infer_shapes(program)
    tensors = {
        var for block in program.blocks for var, desc in block.vars.items() if desc.kind == "dense_tensor" and desc.dims is not None
    }
    assert tensors - {key.partition("@block")[0] for key in found} == set()
    feed = feed_of(np.load(DATA / name / "io.npz"))
    outputs = program.fetches()
    for output, value in zip(outputs, Executor(program, parameters).run(feed)):
        dims = found[output].dims
        assert dims is not None and all(size in (-1, real) for size, real in zip(dims, value.shape, strict=True))


def test_what_differs_between_branches_or_turns_is_unknown():
    def tensor(name: str, *dims: int) -> VarDesc:
        return VarDesc(name, dtype=torch.float32, dims=dims)

    outer = {one.name: one for one in (tensor("x", 2, 3), tensor("y", 4, 3), tensor("z", -1, 3), tensor("loop", -1, 3))}
    outer |= {name: VarDesc(name, dtype=torch.bool, dims=(1,)) for name in ("mask", "more")}
    outer |= {"loop_again": tensor("loop_again", -1, 3), "array": VarDesc("array", "tensor_array", dtype=torch.float32, dims=())}
    outer |= {"i": VarDesc("i", dtype=torch.int64, dims=(1,)), "element": tensor("element", -1, 3)}
    body = BlockDesc(idx=1, parent_idx=0, vars={"grown": tensor("grown", -1, 3)})
    body.ops = [
        OpDesc("concat", {"X": ["loop", "x"]}, {"Out": ["grown"]}, {"axis": Attribute("INT", 0)}),
        OpDesc("assign", {"X": ["grown"]}, {"Out": ["loop"]}),
    ]
    ops = [
        OpDesc("select_input", {"X": ["x", "y"], "Mask": ["mask"]}, {"Out": ["z"]}),
        OpDesc("assign", {"X": ["x"]}, {"Out": ["loop"]}),
        OpDesc("while", {"X": ["x"], "Condition": ["more"]}, {"Out": ["loop"]}, {"sub_block": Attribute("BLOCK", 1)}),
        OpDesc("relu", {"X": ["loop"]}, {"Out": ["loop_again"]}),
        OpDesc("write_to_array", {"X": ["x"], "I": ["i"]}, {"Out": ["array"]}),
        OpDesc("write_to_array", {"X": ["y"], "I": ["i"]}, {"Out": ["array"]}),
        OpDesc("read_from_array", {"X": ["array"], "I": ["i"]}, {"Out": ["element"]}),
    ]
    found = legacy.infer_shapes(ProgramDesc([BlockDesc(vars=outer, ops=ops), body]))
    assert {name: found[name].dims for name in ("z", "loop", "loop_again", "element")} == dict.fromkeys(
        ("z", "loop", "loop_again", "element"), (-1, 3)
    )


def test_shapes_for_given_inputs_are_those_of_a_run():
    program, parameters = legacy.read_model(DATA / "dcgan")
    feed = feed_of(np.load(DATA / "dcgan" / "io.npz"))
    found = legacy.infer_shapes(program, {name: tensor.shape for name, tensor in feed.items()})
    names = [name for op in program.blocks[0].ops for name in op.outputs.get("Out", []) if name in found]
    values = Executor(program, parameters).run(feed, names)
    assert {name: found[name].dims for name in names} == {name: tuple(value.shape) for name, value in zip(names, values)}


def test_what_needs_values_is_left_out():
    variables = {name: VarDesc(name, dtype=torch.float32, dims=(-1, 4)) for name in ("x", "y", "z")}
    variables["n"] = VarDesc("n", dtype=torch.int32, dims=(2,))
    attrs = {"shape": Attribute("INTS", [-1, -1])}
    ops = [
        OpDesc("reshape2", {"X": ["x"], "Shape": ["n"]}, {"Out": ["y"]}, attrs),
        OpDesc("relu", {"X": ["y"]}, {"Out": ["z"]}),
    ]
    found = legacy.infer_shapes(ProgramDesc([BlockDesc(vars=variables, ops=ops)]))
    assert found.keys() == {"x", "n"} and found["x"].dims == (-1, 4)
