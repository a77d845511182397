"""The pass maximize_value_semantics: which tensors become vtensors; and what assignments write."""

from __future__ import annotations

import pytest
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


@pytest.mark.parametrize("passes", [[], 2])
def test_assignments_to_what_data_decides_are_seen(passes):
    """Of a loop as PaddlePaddle writes an RNN: its condition is assigned, and how often it runs is known at no time before."""
    program = ir.parse("""phi.program 1
program {
  %x = pd_op.data {name = "x", shape = [6], dtype = float32} : f32[6]
  %zero = pd_op.full {shape = [], value = 0.0} : f32[]
  %positive = pd_op.greater_than(%x, %zero) : bool[6]
  %found = pd_op.masked_select(%x, %positive) : f32[?]
  %size = pd_op.numel(%found) : i64[]
  %i = pd_op.full {shape = [], value = 0.0, dtype = int64} : i64[]
  %more = pd_op.less_than(%i, %size) : bool[]
  %y = pd_op.scale(%found, none) {scale = 1.0} : f32[?]
  pd_op.while(%more) {
    %next = pd_op.increment_(%i) : i64[]
    %twice = pd_op.scale(%y, none) {scale = 2.0} : f32[?]
    %same = pd_op.assign_out_(%twice, %y) : f32[?]
    %again = pd_op.less_than(%next, %size) : bool[]
    %condition = pd_op.assign_out_(%again, %more) : bool[]
    cf.yield(%more)
  }
  pd_op.fetch(%i) {name = "i", col = 0} : i64[]
  pd_op.fetch(%y) {name = "y", col = 1} : f32[?]
}
""")
    run = ir.compile(program, passes=passes, max_iterations=100)
    for x in (torch.tensor([1.0, -2, 3, -4, 5, -6]), torch.arange(1.0, 7), -torch.ones(6)):
        i, y = run(x)
        found = x[x > 0]
        assert i.item() == len(found)
        torch.testing.assert_close(y, found * 2 ** len(found))
    for ours, theirs in zip(run(x), ir.to_module(program)(x)):
        torch.testing.assert_close(ours, theirs)


def test_memory_that_two_operations_write_is_the_same_under_each_name():
    """What was written first has the second value too, in a loop and of a weight; the module and the executor agree."""
    program = ir.parse("""phi.program 1
program {
  %w = builtin.parameter {name = "w"} : f32[3]
  %x = pd_op.data {name = "x", shape = [3], dtype = float32} : f32[3]
  %n = pd_op.full {shape = [], value = 4.0, dtype = int64} : i64[]
  %i = pd_op.full {shape = [], value = 0.0, dtype = int64} : i64[]
  %0 = pd_op.exp(%x) : f32[3]
  %1 = pd_op.scale_(%0, none) {scale = 2.0} : f32[3]
  %2 = pd_op.scale_(%1, none) {bias = 1.0} : f32[3]
  %3 = pd_op.add(%0, %1) : f32[3]
  %4 = pd_op.scale_(%0, none) {scale = 3.0} : f32[3]
  %5 = pd_op.add(%3, %2) : f32[3]
  %6 = pd_op.scale_(%w, none) {scale = 2.0} : f32[3]
  %7 = pd_op.scale_(%6, none) {bias = 1.0} : f32[3]
  %more = pd_op.less_than(%i, %n) : bool[]
  pd_op.while(%more) {
    %next = pd_op.increment_(%i) : i64[]
    %after = pd_op.increment_(%next) : i64[]
    %again = pd_op.less_than(%after, %n) : bool[]
    %condition = pd_op.assign_out_(%again, %more) : bool[]
    cf.yield(%more)
  }
  pd_op.fetch(%5) {name = "y", col = 0} : f32[3]
  pd_op.fetch(%w) {name = "z", col = 1} : f32[3]
  pd_op.fetch(%i) {name = "i", col = 2} : i64[]
}
""")
    x, w = torch.tensor([0.5, -1, 2]), torch.tensor([1.0, 2, 3])
    program.weights.set("w", w.clone(), is_mutable=True)
    module = ir.to_module(program)
    with torch.no_grad():
        y, z, i = module(x)
    torch.testing.assert_close(y, (2 * x.exp() + 1) * 5)
    assert torch.equal(z, 2 * w + 1) and torch.equal(program.weights["w"].data, z) and i.item() == 4
    program.weights.set("w", w.clone(), is_mutable=True)
    for ours, theirs in zip(ir.compile(program)(x), (y, z, i)):
        torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("passes", [[], 2])
@pytest.mark.parametrize(
    ("made", "rows"),
    [
        *(("pd_op.scatter(%0, %i, %1) {overwrite = true}", rows) for rows in (2, 3)),
        *(("pd_op.scatter_nd_add(%0, %at, %1)", rows) for rows in (2, 3)),
        ("pd_op.add(%0, %1)", 1),
    ],
)
def test_a_result_is_not_made_in_what_a_part_of_is_still_read(made: str, rows: int, passes):
    """The first rows of an operand are another one: they begin where it does."""
    first = f"axes = [0], starts = [0], ends = [{rows}], infer_flags = [1], decrease_axis = []"
    program = ir.parse(f"""phi.program 1
program {{
  %x = pd_op.data {{name = "x", shape = [3,2], dtype = float32}} : f32[3,2]
  %i = pd_op.data {{name = "i", shape = [{rows}], dtype = int64}} : i64[{rows}]
  %at = pd_op.reshape(%i, none) {{shape = [{rows}, 1]}} : i64[{rows},1]
  %0 = pd_op.exp(%x) : f32[3,2]
  %1 = pd_op.slice(%0, none, none) {{{first}}} : f32[{rows},2]
  %2 = {made} : f32[3,2]
  pd_op.fetch(%2) {{name = "y", col = 0}} : f32[3,2]
}}
""")
    x, i = torch.randn(3, 2), torch.arange(rows).flip(0)
    torch.testing.assert_close(ir.compile(program, passes=passes)(x, i)[0], ir.to_module(program)(x, i))
