"""Modules of programs with branches and loops: compiled, exported."""

from __future__ import annotations

import pytest
import torch

from phi_torch import ir

from .paddle_models import DATA
from .test_to_module import call, inputs_of, parsed


@pytest.mark.parametrize("name", ["ctl_cond", "ctl_while"])
def test_control_flow_compiles(name: str):
    program = ir.load(DATA / name)
    module = ir.to_module(program)
    fast = torch.compile(module, backend="aot_eager", fullgraph=True, dynamic=True)
    for file in ("io.npz", "io2.npz"):
        inputs, _ = inputs_of(program, DATA / name, file)
        with torch.no_grad():
            for ours, theirs in zip(call(fast, *inputs), call(module, *inputs)):
                torch.testing.assert_close(ours, theirs)


def test_a_choice_in_a_branch_compiles():
    """As of an early return of Paddle 2, whose inner branches end in a choice of two values."""
    body = """  %x = pd_op.data {name = "x", shape = [3], dtype = float32} : f32[3]
  %c = pd_op.data {name = "c", shape = [], dtype = bool} : bool[]
  %m = pd_op.data {name = "m", shape = [1], dtype = int32} : i32[1]
  %y = pd_op.if(%c) {
    %0 = pd_op.exp(%x) : f32[3]
    %1 = pd_op.relu(%x) : f32[3]
    %2 = pd_op.select_input(%m, %0, %1) : f32[3]
    cf.yield(%2)
  } else {
    %3 = pd_op.tanh(%x) : f32[3]
    cf.yield(%3)
  } : f32[3]
  pd_op.fetch(%y) {name = "y", col = 0} : f32[3]
"""
    module = ir.to_module(parsed(body))
    fast, x = torch.compile(module, backend="aot_eager", fullgraph=True), torch.randn(3)
    for holds, number, expected in ((True, 0, x.exp()), (True, 1, x.relu()), (False, 1, x.tanh())):
        given = x, torch.tensor(holds), torch.tensor([number], dtype=torch.int32)
        with torch.no_grad():
            for found in (module(*given), fast(*given)):
                torch.testing.assert_close(found, expected)


def test_branches_export():
    program = ir.load(DATA / "ctl_cond")
    module = ir.to_module(program)
    inputs, _ = inputs_of(program, DATA / "ctl_cond", "io.npz")
    exported = torch.export.export(module, tuple(inputs), dynamic_shapes={"x": {0: torch.export.Dim("batch", min=1)}})
    assert "cond" in str(exported.graph)
    for file in ("io.npz", "io2.npz"):
        inputs, _ = inputs_of(program, DATA / "ctl_cond", file)
        for ours, theirs in zip(call(exported.module(), *inputs), call(module, *inputs)):
            torch.testing.assert_close(ours, theirs)
