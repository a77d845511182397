"""Operators that the executor runs itself: arrays of tensors, select_input, assert, print; and loops that are interrupted."""

from __future__ import annotations

import signal

import pytest
import torch

from phi_torch import ir

X, Y = torch.arange(6.0).reshape(2, 3), -torch.ones(2, 3)
INPUTS = """  %x = pd_op.data {name = "x", shape = [2,3], dtype = float32} : f32[2,3]
  %y = pd_op.data {name = "y", shape = [2,3], dtype = float32} : f32[2,3]
  %i = pd_op.data {name = "i", shape = [1], dtype = int64} : i64[1]
"""


def compiled(*lines: str) -> ir.Executable:
    program = ir.parse("phi.program 1\nprogram {\n" + INPUTS + "".join(f"  {line}\n" for line in lines) + "}\n")
    program.verify()
    return ir.compile(program)


def fetch(name: str, type: str, col: int = 0) -> str:
    return f'pd_op.fetch(%{name}) {{name = "{name}", col = {col}}} : {type}'


ARRAY = "!dense_tensor_array<f32[2,3]>"
FILLED = (
    f"%a = pd_op.create_array {{dtype = float32}} : {ARRAY}",
    "%zero = pd_op.full {shape = [1], value = 0.0, dtype = int64} : i64[1]",
    "%one = pd_op.full {shape = [1], value = 1.0, dtype = int64} : i64[1]",
    f"%b = pd_op.array_write_(%a, %x, %one) : {ARRAY}",
    f"%c = pd_op.array_write_(%b, %y, %zero) : {ARRAY}",
)


def test_arrays():
    run = compiled(
        *FILLED,
        "%n = pd_op.array_length(%c) : i64[1]",
        "%r = pd_op.array_read(%c, %i) : f32[2,3]",
        "%twice = pd_op.add(%r, %r) : f32[2,3]",
        "%t, %sizes = pd_op.array_to_tensor(%c) {axis = 0, use_stack = true} : f32[?,2,3], i32[?]",
        "%j, _ = pd_op.array_to_tensor(%c) {axis = 1, use_stack = false} : f32[2,?], i32[?]",
        *(fetch("n", "i64[1]"), fetch("twice", "f32[2,3]", 1), fetch("t", "f32[?,2,3]", 2), fetch("j", "f32[2,?]", 3)),
    )
    for call in (run, run.run_poisoned, run):  # each run has an array of its own
        for index, expected in ((0, Y), (1, X)):
            n, twice, stacked, joined = call(X, Y, torch.tensor([index]))
            assert n.tolist() == [2] and torch.equal(twice, 2 * expected)
            assert torch.equal(stacked, torch.stack([Y, X])) and torch.equal(joined, torch.cat([Y, X], 1))
    for index in (2, -1):
        with pytest.raises(IndexError, match=rf"pd_op.array_read.*the array has 2 tensors, got the index {index}"):
            run(X, Y, torch.tensor([index]))
    assert run(X, Y, torch.tensor([0]))[0].tolist() == [2]


def test_an_array_is_an_output():
    last = "%last = pd_op.slice_array_dense(%c, %one) : f32[2,3]"
    run = compiled(*FILLED, last, fetch("c", ARRAY), fetch("last", "f32[2,3]", 1), fetch("c", ARRAY, 2))
    x, y = X.clone(), Y.clone()
    for call in (run, run.run_poisoned, run):
        found, one, again = call(x, y, torch.tensor([0]))
        assert isinstance(found, list) and isinstance(again, list)
        for own in (found[0], found[1], again[0], again[1], one):
            own.add_(1)  # each has memory of its own
        assert torch.equal(x, X) and torch.equal(y, Y)
        assert all(torch.equal(ours, theirs + 1) for ours, theirs in zip((*found, *again, one), (Y, X, Y, X, X), strict=True))
    assert "pd_op.fetch" in str(run.lowered(X, Y, torch.tensor([0])))
    (found,) = compiled(f"%a = pd_op.create_array {{dtype = float32}} : {ARRAY}", fetch("a", ARRAY))(X, Y, torch.tensor([0]))
    assert found == []
    run = compiled(*FILLED[:4], fetch("b", ARRAY))
    with pytest.raises(IndexError, match="output 'b', an array of 2 tensors: nothing was written to its place 0"):
        run(X, Y, torch.tensor([0]))


def test_arrays_are_carried_by_loops():
    run = compiled(
        "%zero = pd_op.full {shape = [1], value = 0.0, dtype = int64} : i64[1]",
        f"%a = pd_op.create_array {{dtype = float32}} : {ARRAY}",
        "%more = pd_op.less_than(%zero, %i) : bool[1]",
        "%last, %filled, %v = pd_op.while(%more, %zero, %a, %x) {",
        f"  ^(%k : i64[1], %array : {ARRAY}, %value : f32[2,3]):",
        f"  %written = pd_op.array_write_(%array, %value, %k) : {ARRAY}",
        "  %sum = pd_op.add(%value, %y) : f32[2,3]",
        "  %one = pd_op.full {shape = [1], value = 1.0, dtype = float32} : f32[1]",
        "  %next = pd_op.scale(%k, %one) {bias = 1.0 : f32} : i64[1]",
        "  %again = pd_op.less_than(%next, %i) : bool[1]",
        "  cf.yield(%again, %next, %written, %sum)",
        f"}} : i64[1], {ARRAY}, f32[2,3]",
        "%t, _ = pd_op.array_to_tensor(%filled) {axis = 0, use_stack = true} : f32[?,2,3], i32[?]",
        fetch("t", "f32[?,2,3]"),
    )
    for rounds in (1, 4, 2):
        (found,) = run(X, Y, torch.tensor([rounds]))
        assert torch.equal(found, torch.stack([X - k for k in range(rounds)]))


def test_parts_of_arrays():
    run = compiled(
        *FILLED,
        "%two = pd_op.full_int_array {value = [2]} : i64[1]",
        "%d = pd_op.assign_array(%c) : " + ARRAY,
        "%r = pd_op.slice_array_dense(%d, %i) : f32[2,3]",
        f"%p = pd_op.slice_array(%d, %i, %two) : {ARRAY}",
        "%n = pd_op.array_length(%p) : i64[1]",
        f"%popped, %o = pd_op.array_pop(%c) {{index = -1}} : {ARRAY}, f32[2,3]",
        "%m = pd_op.array_length(%popped) : i64[1]",
        *(fetch("r", "f32[2,3]"), fetch("n", "i64[1]", 1), fetch("o", "f32[2,3]", 2), fetch("m", "i64[1]", 3)),
    )
    for call in (run, run.run_poisoned, run):
        for index, expected, count in ((0, Y, 2), (1, X, 1), (-1, X, 1), (-2, Y, 2)):
            r, n, o, m = call(X, Y, torch.tensor([index]))
            assert torch.equal(r, expected) and torch.equal(o, X) and (n.tolist(), m.tolist()) == ([count], [1])
    with pytest.raises(IndexError, match="slice_array_dense.*the array has 2 tensors, got the index 2"):
        run(X, Y, torch.tensor([2]))
    run = compiled(
        *FILLED, f"%p = pd_op.slice_array(%c, %i, %zero) : {ARRAY}", "%n = pd_op.array_length(%p) : i64[1]", fetch("n", "i64[1]")
    )
    with pytest.raises(ValueError, match="expected a part of the array, which has 2 tensors, got those from 1 to 0"):
        run(X, Y, torch.tensor([1]))


def test_gradients_of_arrays():
    run = compiled(
        *FILLED,
        f"%zeros = pd_op.create_array_like(%c) {{val = 0.5}} : {ARRAY}",
        f"%more = pd_op.array_write_(%zeros, %x, %zero) : {ARRAY}",
        f"%both = builtin.combine(%c, %more) : vec<{ARRAY}, {ARRAY}>",
        f"%sums = pd_op.add_n_array(%both) : {ARRAY}",
        "%s, _ = pd_op.array_to_tensor(%sums) {axis = 0, use_stack = true} : f32[?,2,3], i32[?]",
        "%j, _ = pd_op.array_to_tensor(%sums) {axis = 1, use_stack = false} : f32[2,?], i32[?]",
        f"%as = pd_op.tensor_to_array(%c, %s) {{axis = 0, use_stack = true}} : {ARRAY}",
        f"%bs = pd_op.tensor_to_array(%c, %j) {{axis = -1, use_stack = false}} : {ARRAY}",
        "%a1 = pd_op.array_read(%as, %i) : f32[2,3]",
        "%b1 = pd_op.array_read(%bs, %i) : f32[2,3]",
        *(fetch("a1", "f32[2,3]"), fetch("b1", "f32[2,3]", 1)),
    )
    for call in (run, run.run_poisoned, run):
        for index, expected in ((0, Y + X), (1, X + 0.5)):
            found = call(X, Y, torch.tensor([index]))
            assert torch.equal(found[0], expected) and torch.equal(found[1], expected)
    wrong = "%w = pd_op.tensor_to_array(%c, %x) {axis = AXIS, use_stack = false} : " + ARRAY
    for axis, message in (("2", "expected an axis of"), ("0", "argument 'sections'")):
        run = compiled(*FILLED, wrong.replace("AXIS", axis), "%n = pd_op.array_length(%w) : i64[1]", fetch("n", "i64[1]"))
        with pytest.raises((IndexError, ValueError), match=message):
            run(X, Y, torch.tensor([0]))


def test_tensors_of_an_array_have_sizes_of_their_own():
    other = "!dense_tensor_array<f32[1]>"
    run = compiled(
        *FILLED,
        "%v = pd_op.full {shape = [1], value = 3.0, dtype = float32} : f32[1]",
        f"%d = pd_op.array_write_(%c, %v, %zero) : {other}",
        "%r = pd_op.array_read(%d, %i) : f32[?]",
        fetch("r", "f32[?]"),
    )
    assert run(X, Y, torch.tensor([0]))[0].tolist() == [3]


def test_what_an_array_lacks():
    run = compiled(*FILLED[:2], "%r = pd_op.array_read(%a, %i) : f32[2,3]", fetch("r", "f32[2,3]"))
    with pytest.raises(IndexError, match="the array has 0 tensors, got the index 0"):
        run(X, Y, torch.tensor([0]))
    run = compiled(
        FILLED[0], f"%b = pd_op.array_write_(%a, %x, %i) : {ARRAY}", "%n = pd_op.array_length(%b) : i64[1]", fetch("n", "i64[1]")
    )
    assert run(X, Y, torch.tensor([5]))[0].tolist() == [6]
    for index in (-1, 1 << 40):
        with pytest.raises(IndexError, match=f"expected an index from 0 to 16777215, got {index}"):
            run(X, Y, torch.tensor([index]))


def test_select_input():
    run = compiled("%s = pd_op.select_input(%i, %x, %y) : f32[2,3]", "%z = pd_op.add(%s, %s) : f32[2,3]", fetch("z", "f32[2,3]"))
    assert torch.equal(run(X, Y, torch.tensor([0]))[0], 2 * X)
    assert torch.equal(run(X, Y, torch.tensor([1]))[0], 2 * Y)
    with pytest.raises(IndexError, match="expected the number of one of 2 tensors"):
        run(X, Y, torch.tensor([2]))


def test_assert():
    run = compiled(
        "%zero = pd_op.full {shape = [1], value = 0.0, dtype = int64} : i64[1]",
        "%c = pd_op.less_than(%zero, %i) : bool[1]",
        "%l = builtin.combine(%x, %i) : vec<f32[2,3], i64[1]>",
        'pd_op.assert(%c, %l) {summarize = 2}  loc("/check")',
        fetch("x", "f32[2,3]"),
    )
    message = r"pd_op.assert.*/check(.|\n)*does not hold; its data:\n  float32\[2, 3\] \[0 1 \.\.\.\]\n  int64\[1\] \[-3\]"
    with pytest.raises(RuntimeError, match=message):
        run(X, Y, torch.tensor([-3]))
    assert torch.equal(run(X, Y, torch.tensor([1]))[0], X)


def test_print(capfd: pytest.CaptureFixture[str]):
    run = compiled('%p = pd_op.print(%x) {message = "here:", summarize = 3} : f32[2,3]', fetch("p", "f32[2,3]"))
    assert torch.equal(run(X, Y, torch.tensor([0]))[0], X)
    assert capfd.readouterr().out == "here: float32[2, 3] [0 1 2 ...]\n"


class Enough(Exception):
    pass


def test_a_loop_without_end_is_interrupted():
    run = compiled(
        "%zero = pd_op.full {shape = [1], value = 0.0, dtype = int64} : i64[1]",
        "%more = pd_op.less_than(%zero, %i) : bool[1]",
        "%last = pd_op.while(%more, %zero) {",
        "  ^(%k : i64[1]):",
        "  %one = pd_op.full {shape = [1], value = 1.0, dtype = float32} : f32[1]",
        "  %next = pd_op.scale(%k, %one) {bias = 1.0 : f32} : i64[1]",
        "  %again = pd_op.less_than(%next, %i) : bool[1]",
        "  cf.yield(%again, %next)",
        "} : i64[1]",
        fetch("last", "i64[1]"),
    )

    def stop(*_: object) -> None:
        raise Enough

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(Enough):
            run(X, Y, torch.tensor([1 << 60]))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert run(X, Y, torch.tensor([7]))[0].tolist() == [7]


@pytest.mark.parametrize(("dtype", "short"), [("float32", "f32"), ("bool", "bool"), ("int64", "i64"), ("bfloat16", "bf16")])
def test_assign_value(dtype: str, short: str):
    """It writes its operand, in each run."""
    run = compiled(
        f"%a = pd_op.full {{shape = [2,2], value = 3.0, dtype = {dtype}}} : !{short}[2,2]",
        f"%b = pd_op.assign_value_(%a) {{shape = [2,2], dtype = {dtype}, values = [1.0,0.0,0.0,1.0]}} : !{short}[2,2]",
        *(fetch("a", f"!{short}[2,2]"), fetch("b", f"!{short}[2,2]", 1)),
    )
    for call in (run, run.run_poisoned, run):
        a, b = call(X, Y, torch.tensor([0]))
        assert a.dtype == getattr(torch, dtype) and a.tolist() == b.tolist() == [[1, 0], [0, 1]]


def test_assign_out():
    """It writes its second operand, in each run."""
    run = compiled(
        "%a = pd_op.full {shape = [2,3], value = 3.0, dtype = float32} : !f32[2,3]",
        "%d = pd_op.scale(%x, none) {bias = 1.0} : !f32[2,3]",
        "%b = pd_op.assign_out_(%d, %a) : !f32[2,3]",
        *(fetch("a", "!f32[2,3]"), fetch("b", "!f32[2,3]", 1)),
    )
    for call in (run, run.run_poisoned, run):
        a, b = call(X, Y, torch.tensor([0]))
        assert torch.equal(a, X + 1) and torch.equal(b, X + 1)


def test_values_that_are_too_few():
    with pytest.raises(ValueError, match=r"attribute 'values': expected as many numbers as the shape \[2, 2\] has elements, got 3"):
        compiled(
            "%a = pd_op.full {shape = [2,2], value = 3.0, dtype = float32} : !f32[2,2]",
            "%b = pd_op.assign_value_(%a) {shape = [2,2], dtype = float32, values = [1.0,0.0,0.0]} : !f32[2,2]",
            fetch("b", "!f32[2,2]"),
        )


def test_the_size_of_a_batch_is_that_of_a_run():
    text = """phi.program 1
program {
  %x = pd_op.data {name = "x", shape = [-1,3], dtype = float32} : f32[?,3]
  %a = pd_op.full_batch_size_like(%x) {shape = [-1,3], dtype = float32, value = 2.5, input_dim_idx = 0, output_dim_idx = 0}
    : f32[?,3]
  pd_op.fetch(%a) {name = "a", col = 0} : f32[?,3]
}
"""
    program = ir.parse(text)
    program.verify()
    run = ir.compile(program)
    for batch in (4, 1):
        assert torch.equal(run(torch.ones(batch, 3))[0], torch.full([batch, 3], 2.5))
