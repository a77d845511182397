"""Sizes that programs compute: one export of a module, and one compilation, hold for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from phi_torch import ir

Value = Any
F32 = {"dtype": "float32"}


class Making:
    """A program of one input, and what makes its operations."""

    def __init__(self, sizes: list[int]) -> None:
        self.builder = ir.Builder()
        self.x = self("pd_op.data", name="x", shape=sizes, **F32)

    def __call__(self, op: str, /, *operands: Value, gives: Any = None, **attributes: Any) -> Value:
        """`gives`: the types of the results, where an operator does not tell."""
        results = self.builder.create(op, operands, attributes, gives).results
        return results[0] if results else None

    def type(self, dtype: str, *sizes: int) -> ir.Type:
        return self.builder.program.context.dense_tensor(dtype, sizes)

    def list(self, *values: Value) -> Value:
        return self("builtin.combine", *values)

    def ints(self, *numbers: int) -> Value:
        return self("pd_op.full_int_array", value=list(numbers), dtype="int64")

    def number(self, value: float, dtype: str = "int64", shape: tuple[int, ...] = ()) -> Value:
        return self("pd_op.full", shape=list(shape), value=float(value), dtype=dtype)

    def shape(self, x: Value | None = None) -> Value:
        return self("pd_op.shape64", self.x if x is None else x)

    def size(self, dim: int, x: Value | None = None) -> Value:
        start, end = self.ints(dim), self.ints(dim + 1)
        return self("pd_op.slice", self.shape(x), start, end, axes=[0], infer_flags=[1], decrease_axis=[0])

    def part(self, values: Value, start: int, end: int) -> Value:
        return self("pd_op.slice", values, self.ints(start), self.ints(end), axes=[0], infer_flags=[1], decrease_axis=[])

    def scaled(self, value: Value, scale: float, bias: float = 0.0) -> Value:
        factor = self.number(scale, "float32", (1,))
        return self("pd_op.scale", value, factor, bias=bias, bias_after_scale=True)

    def ends(self, *outputs: Value) -> ir.Program:
        for col, value in enumerate(outputs):
            self("pd_op.fetch", value, name=f"out_{col}", col=col)
        return self.builder.program


def exports(program: ir.Program, first: torch.Tensor, *others: torch.Tensor, **tolerance: Any) -> None:
    """One export, and one compilation, that give for each input what the program gives."""
    module, run = ir.to_module(program), ir.compile(program, passes=[])
    dynamic = {dim: torch.export.Dim.AUTO for dim in range(first.dim()) if any(first.shape[dim] != x.shape[dim] for x in others)}
    exported = torch.export.export(module, (first,), dynamic_shapes=(dynamic,)).module()
    count = 0

    def backend(graph: torch.fx.GraphModule, inputs: Any) -> Any:
        nonlocal count
        count += 1
        return graph.forward

    fast = torch.compile(module, backend=backend, dynamic=True, fullgraph=True)
    for x in (first, *others):
        expected = run(x)
        for one in (module, exported, fast):
            found = one(x)
            for ours, theirs in zip(found if isinstance(found, tuple) else (found,), expected, strict=True):
                torch.testing.assert_close(ours.detach(), theirs, **tolerance)
    assert count == 1


def three(make: Making) -> ir.Type:
    return make.builder.program.context.vector([make.type("int64")] * 3)


NUMBERS: dict[str, Callable[[Making], Value]] = {
    "shape": lambda make: make("pd_op.cast", make.part(make("pd_op.shape", make.x), 0, 1), dtype="int64"),
    "numel": lambda make: make("pd_op.numel", make.x),
    "slice": lambda make: make.part(make.shape(), 0, 1),
    "strided_slice": lambda make: make("pd_op.strided_slice", make.shape(), make.ints(0), make.ints(3), make.ints(2), axes=[0]),
    "unbind": lambda make: make("builtin.slice", make("pd_op.unbind", make.shape(), axis=0, gives=[three(make)]), index=0),
    "gather": lambda make: make("pd_op.gather", make.shape(), make.ints(2, 0), make.number(0, "int32", (1,))),
    "index_select": lambda make: make("pd_op.index_select", make.shape(), make.ints(0), axis=0),
    "cast": lambda make: make("pd_op.cast", make("pd_op.cast", make.size(0), dtype="int32"), dtype="int64"),
    "reshape": lambda make: make("pd_op.reshape", make.shape(), make.ints(3)),
    "scale": lambda make: make.scaled(make.size(0), 2, 1),
    "scale by an attribute": lambda make: make("pd_op.scale", make.size(0), None, scale=3.0, bias=1.0, bias_after_scale=True),
    "add": lambda make: make("pd_op.add", make.size(0), make.size(1)),
    "add to several": lambda make: make("pd_op.add", make.shape(), make.number(1, shape=(3,))),
    "subtract": lambda make: make("pd_op.subtract", make.scaled(make.size(0), 4), make.size(0)),
    "multiply": lambda make: make("pd_op.multiply", make.size(0), make.size(1)),
    "floor_divide": lambda make: make("pd_op.floor_divide", make.scaled(make.size(0), 1, 5), make.number(2)),
    "remainder": lambda make: make("pd_op.scale", make("pd_op.remainder", make.size(0), make.number(4)), None, bias=2.0),
    "maximum": lambda make: make("pd_op.maximum", make.size(0), make.scaled(make.size(1), 1, 1)),
    "minimum": lambda make: make("pd_op.minimum", make.size(0), make.scaled(make.size(1), 1, 1)),
    "clip": lambda make: make("pd_op.clip", make.size(0), make.number(2.5, "float32", (1,)), make.number(6, "float32", (1,))),
    "prod": lambda make: make("pd_op.prod", make.shape(), make.ints(0), keepdim=True, reduce_all=False),
    "sum": lambda make: make("pd_op.sum", make.shape(), make.ints(), dtype="undefined", keepdim=False),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_that_follow_from_sizes(name: str):
    make = Making([-1, 2, 3])
    number = NUMBERS[name](make)
    sizes = make.list(make("pd_op.reshape", number, make.ints(-1)), make.ints(2))
    shape = make("pd_op.concat", sizes, make.number(0, "int32", (1,)))
    program = make.ends(make("pd_op.full_with_tensor", make.number(2, "float32", (1,)), shape, **F32), number)
    exports(program, torch.zeros(4, 2, 3), torch.zeros(3, 2, 3), torch.zeros(7, 2, 3))


def image(*sizes: int) -> torch.Tensor:
    return torch.randn(*sizes, generator=torch.Generator().manual_seed(sum(sizes)))


@pytest.mark.parametrize("is_list", [False, True], ids=["out_size", "size_tensor"])
@pytest.mark.parametrize(("method", "rank"), [("linear", 3), ("nearest", 4), ("bilinear", 4), ("bicubic", 4), ("trilinear", 5)])
def test_images_get_sizes_of_others(method: str, rank: int, is_list: bool):
    make = Making([-1, 2, *[-1] * (rank - 2)])
    sizes = [make("pd_op.cast", make.scaled(make.size(dim), 2, 1), dtype="int32") for dim in range(2, rank)]
    operands = (make("pd_op.stack", make.list(*sizes), axis=0), None, None)
    if is_list:
        operands = (None, make.list(*(make("pd_op.reshape", size, make.ints(1)) for size in sizes)), None)
    how = {"out_d": -1, "out_h": -1, "out_w": -1, "scale": [], "interp_method": method, "align_corners": False, "align_mode": 0}
    gives = [make.type("float32", -1, 2, *[-1] * (rank - 2))]
    program = make.ends(make(f"pd_op.{method}_interp", make.x, *operands, data_format="NCHW", gives=gives, **how))
    exports(program, image(3, 2, *[5] * (rank - 2)), image(4, 2, *[8] * (rank - 2)), atol=1e-5, rtol=1e-5)
    x = image(3, 2, *[5] * (rank - 2)).requires_grad_()
    ir.to_module(program)(x).square().sum().backward()
    assert x.grad is not None and x.grad.abs().sum() > 0


def test_images_that_keep_their_size_sometimes():
    make = Making([-1, 2, -1, -1])
    sizes = [make("pd_op.maximum", make.size(dim), make.number(6)) for dim in (2, 3)]
    how = {"out_d": -1, "out_h": -1, "out_w": -1, "scale": [], "interp_method": "bilinear", "align_corners": False, "align_mode": 0}
    stacked = make("pd_op.stack", make.list(*sizes), axis=0)
    gives = [make.type("float32", -1, 2, -1, -1)]
    program = make.ends(make("pd_op.bilinear_interp", make.x, stacked, None, None, data_format="NCHW", gives=gives, **how))
    exports(program, image(3, 2, 5, 5), image(3, 2, 8, 8), atol=1e-5, rtol=1e-5)


def test_a_scale_beside_the_size_says_how_far_pixels_are():
    make = Making([1, 1, 4, 4])
    sizes = make("pd_op.cast", make.part(make.shape(), 2, 4), dtype="int32")
    how = {"out_d": -1, "out_h": -1, "out_w": -1, "interp_method": "bilinear", "align_corners": False, "align_mode": 1}
    gives = [make.type("float32", 1, 1, -1, -1)]
    found = make("pd_op.bilinear_interp", make.x, sizes, None, None, data_format="NCHW", scale=[2.0, 2.0], gives=gives, **how)
    program = make.ends(found)
    x = image(1, 1, 4, 4)
    torch.testing.assert_close(ir.to_module(program)(x), ir.compile(program, passes=[])(x)[0])


def test_ranges_of_sizes():
    make = Making([-1, 3])
    zero, one, rows = make.number(0), make.number(1), make.size(0)
    ends = make.scaled(rows, 2, 1)
    int64, float32 = {"dtype": "int64", "gives": [make.type("int64", -1)]}, {**F32, "gives": [make.type("float32", -1)]}
    program = make.ends(
        make("pd_op.arange", zero, rows, one, **int64),
        make("pd_op.arange", rows, ends, make.number(2), **float32),
        make("pd_op.arange", zero, make("pd_op.cast", rows, **F32), one, **float32),
        make("pd_op.eye", rows, ends, **F32, gives=[make.type("float32", -1, -1)]),
        make(
            "pd_op.linspace",
            make.number(-1, "float32", (1,)),
            make.number(1, "float32", (1,)),
            make.number(6, "int32", (1,)),
            **float32,
        ),
        make("pd_op.linspace", make.number(0, "float32", (1,)), make.number(5, "float32", (1,)), rows, **float32),
    )
    exports(program, torch.zeros(4, 3), torch.zeros(7, 3))


def test_a_value_that_is_a_size():
    make = Making([-1, 3])
    program = make.ends(make("pd_op.full_with_tensor", make.size(0), make.shape(), dtype="int64"))
    exports(program, torch.zeros(4, 3), torch.zeros(7, 3))


def test_sizes_of_what_has_guessed_ones():
    """Two inputs that are added may be of one size or not: what rank their sum has is known nevertheless."""
    make = Making([-1, -1])
    columns = make("pd_op.transpose", make.x, perm=[1, 0])
    sum = make("pd_op.add", make.x, columns)
    assert "unproven_types" in sum.defining_op.attributes
    program = make.ends(
        make("pd_op.reshape", sum, make("pd_op.concat", make.list(make.shape(sum), make.ints(1)), make.number(0, "int32", (1,))))
    )
    exports(program, torch.randn(4, 4), torch.randn(6, 6))


def test_a_size_of_what_has_a_guessed_rank():
    body = (
        "phi.program 1\nsymbols { s0 >= 1 }\nprogram {\n"
        '%x = pd_op.data {name = "x", shape = [-1,3], dtype = float32} : f32[s0,3]\n'
        "%axes = pd_op.full_int_array {value = [0]} : i64[1]\n"
        "%y = pd_op.squeeze(%x, %axes) {unproven_types = true} : f32[3]\n"
        "%shape = pd_op.shape64(%y) {unproven_types = true} : i64[1]\n"
        "%one = pd_op.full_int_array {value = [1]} : i64[1]\n"
        "%size = pd_op.slice(%shape, %axes, %one) {axes = [0], infer_flags = [1], decrease_axis = [0], "
        "unproven_types = true} : i64[]\n"
        "%list = builtin.combine(%size) {unproven_types = true} : vec<i64[]>\n"
        "%sizes = pd_op.stack(%list) {axis = 0, unproven_types = true} : i64[1]\n"
        "%two = pd_op.full {shape = [1], value = 2.0, dtype = float32} : f32[1]\n"
        "%z = pd_op.expand(%two, %sizes) {unproven_types = true} : f32[3]\n"
        "%same = pd_op.reshape(%y, %shape) {unproven_types = true} : f32[3]\n"
        'pd_op.fetch(%z) {name = "z", col = 0, unproven_types = true} : f32[3]\n'
        'pd_op.fetch(%same) {name = "same", col = 1, unproven_types = true} : f32[3]\n}\n'
    )
    program = ir.parse(body)
    module = ir.to_module(program)
    for rows in (1, 2, 5):
        x = torch.randn(rows, 3)
        for ours, theirs in zip(module(x), ir.compile(program, passes=[])(x), strict=True):
            torch.testing.assert_close(ours, theirs)
    text = "\n".join(line for line in body.split("\n") if "%same" not in line)
    exports(ir.parse(text), torch.zeros(4, 3), torch.zeros(7, 3))


def test_sizes_that_are_data_are_no_numbers():
    make = Making([-1])
    found = make("pd_op.nonzero", make.x)
    program = make.ends(
        make("pd_op.arange", make.number(0), make.size(0, found), make.number(1), dtype="int64", gives=[make.type("int64", -1)])
    )
    x = torch.tensor([1.0, 0, 2])
    assert ir.to_module(program)(x).tolist() == [0, 1]


@pytest.mark.parametrize("op", ["add", "multiply", "subtract"])
@pytest.mark.parametrize(
    ("dtype", "a", "b"), [("uint8", 200, 100), ("int8", 100, -100), ("int32", 2**30, 2**31 - 128), ("int32", 2, 5)]
)
def test_constants_that_overflow_are_what_the_operator_makes_of_them(op, dtype, a, b):
    making = Making([2, 3])
    result = making(f"pd_op.{op}", making.number(a, dtype, (1,)), making.number(b, dtype, (1,)))
    making("pd_op.fetch", making("pd_op.add", making.x, making("pd_op.cast", result, **F32)), name="out", col=0)
    program = making.builder.program
    x = torch.zeros(2, 3)
    (expected,) = ir.compile(program, passes=[])(x)
    found = ir.to_module(program)(x)
    assert expected.equal(found[0] if isinstance(found, tuple) else found)
