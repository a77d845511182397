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
    for name, var in found.items():
        said = program.blocks[0].vars[name]
        assert var.dtype == said.dtype, name
        if said.dims and var.dims is not None:  # the shapes of unused outputs are left empty
            assert len(var.dims) == len(said.dims), name
            known = [(one, other) for one, other in zip(var.dims, said.dims) if one >= 0 and other >= 0]
            assert all(one == other for one, other in known), name


def test_shapes_for_given_inputs_are_those_of_a_run():
    program, parameters = legacy.read_model(DATA / "dcgan")
    feed = feed_of(np.load(DATA / "dcgan" / "io.npz"))
    found = legacy.infer_shapes(program, {name: tensor.shape for name, tensor in feed.items()})
    names = [name for op in program.blocks[0].ops for name in op.outputs.get("Out", []) if name in found]
    values = Executor(program, parameters).run(feed, names)
    assert {name: found[name].dims for name in names} == {name: tuple(value.shape) for name, value in zip(names, values)}


def test_what_needs_values_or_control_flow_is_left_out():
    variables = {name: VarDesc(name, dtype=torch.float32, dims=(-1, 4)) for name in ("x", "y", "z")}
    variables["n"] = VarDesc("n", dtype=torch.int32, dims=(2,))
    attrs = {"shape": Attribute("INTS", [-1, -1])}
    ops = [
        OpDesc("reshape2", {"X": ["x"], "Shape": ["n"]}, {"Out": ["y"]}, attrs),
        OpDesc("relu", {"X": ["y"]}, {"Out": ["z"]}),
    ]
    found = legacy.infer_shapes(ProgramDesc([BlockDesc(vars=variables, ops=ops)]))
    assert found.keys() == {"x", "n"} and found["x"].dims == (-1, 4)
    inner = legacy.infer_shapes(legacy.read_program(DATA / "ctl_while"))
    assert "n" in inner and "x" not in inner  # the loop assigns to x
