"""Types that follow from operands: symbols, sizes that programs compute, loops, and what is guessed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from phi_torch import ir

from .paddle_models import FOLDERS

UNPROVEN = "unproven_types"


class Make:
    """Builds operations whose results follow."""

    def __init__(self) -> None:
        self.builder = ir.Builder()

    def __call__(self, op: str, /, *operands: Any, **attributes: Any) -> Any:
        made = self.builder.create(op if "." in op else f"pd_op.{op}", operands, attributes)
        return made.results[0] if len(made.results) == 1 else made.results

    def data(self, name: str, *shape: int, dtype: str = "float32") -> Any:
        return self("data", name=name, shape=shape, dtype=dtype)


@pytest.fixture
def make() -> Make:
    return Make()


def is_proven(value: Any) -> bool:
    return UNPROVEN not in value.defining_op.attributes


def test_an_image_becomes_logits(make: Make):
    x, w = make.data("x", -1, 1, 28, 28), make.data("w", 6, 1, 3, 3)
    y = make("conv2d", x, w, strides=[2, 2], paddings=[1, 1])
    y = make("add", y, make("reshape", make.data("b", 6), None, shape=[1, -1, 1, 1]))
    assert str(y.type) == "f32[s0,6,14,14]" and is_proven(y)
    y = make("flatten", make("relu", y), start_axis=1, stop_axis=3)
    y = make("matmul", y, make.data("v", 6 * 14 * 14, 10))
    assert str(y.type) == "f32[s0,10]" and is_proven(y)
    make.builder.program.verify()


def test_the_end_of_a_slice_is_likely_that_of_the_dimension(make: Make):
    for end in (2**31 - 1, 2**63 - 1):
        y = make("slice", make.data(f"x{end}", -1, 4), None, None, axes=[0], starts=[1], ends=[end])
        assert y.type.dims[0].endswith("-1") and not is_proven(y)


def test_sizes_are_expressions(make: Make):
    x = make.data("x", -1, 1, -1, -1)
    y = make("conv2d", x, make.data("w", 6, 1, 3, 3), strides=[2, 2], paddings=[1, 1])
    assert y.type.dims == ["s0", 6, "floordiv(s1+1,2)", "floordiv(s2+1,2)"] and is_proven(y)
    y = make("concat", make("builtin.combine", x, x), None, axis=0)
    assert y.type.dims == ["2*s0", 1, "s1", "s2"] and is_proven(y)
    y = make("reshape", y, None, shape=[-1, 1])
    assert y.type.dims == ["2*s0*s1*s2", 1] and is_proven(y)


def test_shapes_that_are_values(make: Make):
    x = make.data("x", -1, 4)

    def number(value: int) -> Any:
        return make("full_int_array", value=[value])

    batch = make("slice", make("shape64", x), number(0), number(1), axes=[0], infer_flags=[1], decrease_axis=[0])
    four = make("full", shape=[], value=4.0, dtype="int64")
    shape = make("stack", make("builtin.combine", batch, make("multiply", four, batch)))
    y = make("full_with_tensor", make("full", shape=[1], value=0.0, dtype="float32"), shape, dtype="float32")
    assert y.type.dims == ["s0", "4*s0"] and is_proven(y)
    y = make("expand", make.data("row", 1, 4), make("stack", make("builtin.combine", batch, four)))
    assert y.type.dims == ["s0", 4] and is_proven(y)


def test_numbers_and_no_numbers_are_none(make: Make):
    """As in tensors: one of a single number is as long as the other."""
    one, none = make("full_int_array", value=[4]), make("full_int_array", value=[])
    for x, y in ((one, none), (none, one)):
        row = make("full_with_tensor", make("full", shape=[1], value=0.0), make("add", x, y), dtype="float32")
        assert row.type.dims == [] and is_proven(row)


def test_a_shape_of_data_has_symbols_of_its_own(make: Make):
    y = make("reshape", make.data("x", 4, 4), make.data("shape", 3, dtype="int64"))
    assert len(set(y.type.dims)) == 3 and all(isinstance(dim, str) for dim in y.type.dims)


def test_sizes_that_values_decide_on_are_symbols(make: Make):
    x = make.data("x", 3, 4)
    places = make("nonzero", x)
    chosen = make("masked_select", x, make("greater_than", x, x))
    assert [str(value.type) for value in (places, chosen)] == ["i64[s0,2]", "f32[s1]"]


def test_a_list_has_the_sizes_of_its_values():
    value = '%0 = torch.call(%x) {target = "aten.nonzero.default"} : i64[?,2]'
    program = ir.parse(
        'phi.program 1\nprogram {\n%x = pd_op.data {name = "x", shape = [3,4], dtype = float32} : f32[3,4]\n' + value + "\n}\n"
    )
    call = list(program.walk())[-1]
    made = ir.Builder(program).create("builtin.combine", call.results)
    program.verify()
    assert str(made.results[0].type) == "vec<i64[?,2]>"


def test_a_guess_is_marked_and_so_is_what_depends_on_it(make: Make):
    y = make("add", make.data("x", -1), make.data("y", -1))
    assert len(y.type.dims) == 1 and not is_proven(y) and not is_proven(make("relu", y))
    assert is_proven(make("relu", make.data("z", -1)))
    program = make.builder.program
    program.refine_types()
    assert not is_proven(y) and str(ir.parse(str(program))) == str(program)


def test_many_sizes_are_guessed_alike(make: Make):
    slots = [make.data(f"x{index}", -1, 3) for index in range(100)]  # one for each feature of a ranking model
    joined = make("concat", make("builtin.combine", *slots), axis=1)
    assert str(joined.type.dims[1]) == "300" and not is_proven(joined)
    with pytest.raises(ValueError, match="expected equal shapes but for axis 1, got .* at 99"):
        make("concat", make("builtin.combine", *slots[1:], make.data("y", -1, 3, 3)), axis=1)


def test_operands_that_do_not_fit(make: Make):
    with pytest.raises(ValueError, match="'x'.*3.*'y'|do not broadcast"):
        make("add", make.data("x", 3), make.data("y", 4))
    with pytest.raises(ValueError, match="^'pd_op.create_array': it does not tell the types of its results"):
        make("create_array", dtype="float32")
    with pytest.raises(ValueError, match="^'pd_op.matmul': operand 'y' is missing$"):
        make("matmul", make.data("x", 3))
    with pytest.raises(ValueError, match="^'pd_op.relu': expected 1 operands, got 2$"):
        make("relu", make.data("x", 3), make.data("y", 3))
    assert make.builder.create("mine.op", [], undeclared=True).results == []


def loop(body: str, result: str = "f32[?,4]") -> ir.Program:
    program = ir.parse(f"""phi.program 1
program {{
  %x = pd_op.data {{name = "x", shape = [-1,4], dtype = float32}} : f32[?,4]
  %c = pd_op.data {{name = "c", shape = [1], dtype = bool}} : bool[1]
  %r = pd_op.while(%c, %x) {{
    ^(%a : f32[?,4]):
    {body}
    cf.yield(%c, %b)
  }} : {result}
  %z = pd_op.relu(%r) : f32[?,4]
}}
""")
    program.refine_types()
    return program


def test_a_loop_that_keeps_its_sizes():
    program = loop("%b = pd_op.relu(%a) : f32[?,4]")
    assert str(program).count("f32[s0,4]") == 5 and len(program.symbols) == 1 and UNPROVEN not in str(program)


def test_a_loop_that_changes_a_size():
    program = loop("%l = builtin.combine(%a, %a) : vec<f32[?,4], f32[?,4]>\n    %b = pd_op.concat(%l, none) : f32[?,4]")
    inner = next(op for op in program.walk() if op.name == "pd_op.while")
    (argument,) = inner.regions[0].blocks[0].arguments
    assert argument.type.dims == ["s1", 4] and inner.results[0].type.dims == ["s2", 4]
    doubled = next(op for op in program.walk() if op.name == "pd_op.concat").results[0]
    assert doubled.type.dims == ["2*s1", 4] and UNPROVEN not in str(program)


def test_a_size_in_a_loop_that_its_operator_contradicts():
    """It is forgotten, so that the loop is what it is where the file says nothing of the size."""
    said, unsaid = (loop(f"%b = pd_op.scale(%a, none) : f32[{size}]") for size in ("?,7", "?,?"))
    assert str(said) == str(unsaid) and "f32[s0,4]" in str(said) and UNPROVEN not in str(said)


def test_a_list_in_a_loop_has_the_types_of_its_values():
    """Paddle's files leave it with the sizes of before the loop."""
    said, unsaid = (
        loop(f"%l = builtin.combine(%a, %a) : vec<{one}, {one}>\n    %b = pd_op.concat(%l, none) : f32[?,4]")
        for one in ("f32[2,4]", "f32[?,4]")
    )
    assert str(said) == str(unsaid)
    said.verify()


def test_more_elements_than_a_number_counts():
    huge = f"%y = pd_op.full {{shape = [{1 << 62},4], value = 0.0, dtype = float32}} : f32[?,?]"
    program = ir.parse(f"phi.program 1\nprogram {{\n  {huge}\n}}\n")
    program.refine_types()
    assert "f32[s0,s1]" in str(program) and UNPROVEN in str(program)


def test_branches_that_differ():
    program = ir.parse("""phi.program 1
program {
  %x = pd_op.data {name = "x", shape = [-1,4], dtype = float32} : f32[?,4]
  %c = pd_op.data {name = "c", shape = [1], dtype = bool} : bool[1]
  %r, %s = pd_op.if(%c) {
    cf.yield(%x, %x)
  } else {
    %l = builtin.combine(%x, %x) : vec<f32[?,4], f32[?,4]>
    %b = pd_op.concat(%l, none) : f32[?,4]
    cf.yield(%x, %b)
  } : f32[?,?], f32[?,?]
}
""")
    program.refine_types()
    results = next(op for op in program.walk() if op.name == "pd_op.if").results
    assert [one.type.dims for one in results] == [["s0", 4], ["s1", 4]]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_a_file_says_follows(folder: Path):
    """Where a type is inferred, it is what PaddlePaddle wrote, with its open sizes told."""
    program, told = ir.load(folder), 0
    for op in program.walk():
        if op.results and op.info.is_registered and not op.regions and op.name != "builtin.parameter":
            attributes = {name: op.attribute(name) for name in op.attributes if name != UNPROVEN}
            try:
                made = ir.Builder(program).before(op).create(op.name, op.operands, attributes)
            except ValueError as error:
                assert "does not tell the types" in str(error) or "its values would decide on the shape" in str(error), op
                continue
            for ours, theirs in zip(made.results, op.results):
                if theirs.type is not None and theirs.uses:
                    told += 1
                    numbers = (
                        [(a, b) for a, b in zip(ours.type.shape, theirs.type.shape) if -1 not in (a, b)]
                        if theirs.type.kind != "vector"
                        else []
                    )
                    assert ours.type.kind == theirs.type.kind and all(a == b for a, b in numbers), op
            made.erase()
    assert told


@pytest.mark.parametrize("start", [-1, (1 << 31) - 1])
def test_a_tensor_from_the_end_on_has_all_of_its_size(start: int):
    builder = ir.Builder()
    x = builder.create("pd_op.data", [], {"name": "x", "shape": [-1, 3], "dtype": "float32"}).results[0]
    part = {"axes": [0], "starts": [start], "ends": [-(1 << 31)], "strides": [-1]}
    (y,) = builder.create("pd_op.strided_slice", [x, None, None, None], part).results
    assert str(y.type) == "f32[s0,3]"
