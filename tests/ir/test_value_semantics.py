"""The pass maximize_value_semantics: which tensors become vtensors."""

from __future__ import annotations

import torch

from phi_torch import ir

from .test_passes import names, program_of, run

TENSOR = '  %x = pd_op.data {name = "x", shape = [2,3], dtype = float32} : !f32[2,3]\n'


def test_tensors_that_nobody_writes_are_vtensors():
    body = """  %0 = pd_op.relu(%x) : !f32[2,3]
  %v = builtin.to_vtensor(%0) : f32[2,3]
  %1 = pd_op.tanh(%v) : f32[2,3]
  %t = builtin.to_tensor(%1) : !f32[2,3]
  %l = builtin.combine(%t, %x) : vec<!f32[2,3],!f32[2,3]>
  %2 = pd_op.add_n(%l) : !f32[2,3]
  pd_op.fetch(%2) {name = "y", col = 0} : !f32[2,3]
"""
    program = program_of(TENSOR + body)
    assert run(program, "maximize_value_semantics") == {"tensors that are vtensors": 6}
    assert "!" not in str(program) and "vtensor" not in str(program) and "to_tensor" not in str(program)
    assert run(program, "maximize_value_semantics") == {}


def test_tensors_that_are_written_stay():
    body = """  %0 = pd_op.tanh(%x) : !f32[2,3]
  %1 = pd_op.reshape(%0, none) {shape = [6]} : !f32[6]
  %2 = pd_op.relu_(%1) : !f32[6]
  %3 = pd_op.exp(%0) : !f32[2,3]
  pd_op.fetch(%3) {name = "y", col = 0} : !f32[2,3]
"""
    program = program_of(TENSOR + body)
    (before,) = ir.compile(program, passes=[])(x := torch.randn(2, 3))
    assert run(program, "maximize_value_semantics") == {"tensors that are vtensors": 3}  # %x, %3 and what is fetched
    assert [str(op.results[0].type)[0] for op in program.walk()] == ["f", "!", "!", "!", "f", "f"]
    assert torch.equal(ir.compile(program, passes=[])(x)[0], before)
    assert torch.equal(ir.compile(program)(x)[0], before)


def test_tensors_become_vtensors_after_writes_are_gone():
    body = "  %0 = pd_op.tanh(%x) : !f32[2,3]\n  %1 = pd_op.relu_(%0) : !f32[2,3]\n"
    program = program_of(TENSOR + body + '  pd_op.fetch(%1) {name = "y", col = 0} : !f32[2,3]\n')
    run(program, "functionalize", "maximize_value_semantics")
    assert "!" not in str(program) and names(program) == ["data", "tanh", "relu", "fetch"]
