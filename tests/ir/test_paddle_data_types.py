"""Data types that a file of PaddlePaddle does not tell: of variables of loops, `s = 0; while ...: s = s + x`, and of places."""

from __future__ import annotations

import json

import pytest
import torch

from phi_torch import ir
from phi_torch.ir.paddle import read_document, to_document, to_program, write_document

LOOP = """phi.program 1
program {{
  %x = pd_op.data {{name = "x", shape = [2], dtype = float32}} : f32[2]
  %zero = pd_op.full {{shape = [], value = 0.0, dtype = int64}} : i64[]
  %start = pd_op.full {{shape = [{first}], value = 7.0, dtype = {dtype}}} : {start}[{first}]
  %n = pd_op.full {{shape = [], value = 3.0, dtype = int64}} : i64[]
  %go = pd_op.less_than(%zero, %n) : bool[]
  %k, %s = pd_op.while(%go, %zero, %start) {{
    ^(%i : i64[], %a : {start}[{first}]):
    %one = pd_op.full {{shape = [1], value = 1.0}} : f32[1]
    %next = pd_op.scale(%i, %one) {{bias = 1.0 : f32}} : i64[]
    {body}
    %more = pd_op.less_than(%next, %n) : bool[]
    cf.yield(%more, %next, %b)
  }} : i64[], {start}[{first}]
  {after}
  pd_op.fetch(%out) {{name = "out", col = 0}} : {start}[{first}]
}}
"""
ADDS = "%c = pd_op.cast(%a) {dtype = float32} : f32[{first}]\n%b = pd_op.add(%c, %x) : f32[2]"
IF = """%out = pd_op.if(%go) {
    %p = pd_op.assign(%s) : i64[2]
    cf.yield(%p)
  } else {
    cf.yield(%s)
  } : i64[2]"""
VIEW = "%shape = pd_op.full_int_array {value = [2]} : i64[1]\n%out = pd_op.reshape(%s, %shape) : i64[2]"


def loaded(body: str, after: str = "%out = pd_op.assign(%s) : i64[2]", dtype: str = "int64", first: str = "2") -> ir.Program:
    start = {"int64": "i64", "float64": "f64", "float32": "f32"}[dtype]
    text = LOOP.format(body=body.replace("{first}", first), after=after, dtype=dtype, start=start, first=first)
    return to_program(read_document(write_document(to_document(ir.parse(text)))), {})


@pytest.mark.parametrize("after", ["%out = pd_op.assign(%s) : i64[2]", IF, VIEW], ids=["assign", "if", "view"])
def test_numbers_become_floating_point(after: str):
    program = loaded(ADDS, after)
    x = torch.tensor([0.5, -1.25])
    for run in (ir.compile(program), ir.compile(program, passes=[]), ir.to_module(program)):
        found = run(x)
        torch.testing.assert_close(found if isinstance(found, torch.Tensor) else found[0], 7 + 3 * x)


def test_another_precision_and_sizes():
    program = loaded(ADDS, "%out = pd_op.assign(%s) : f64[]", "float64", "")
    torch.testing.assert_close(ir.compile(program)(torch.tensor([0.5, 2.0]))[0], torch.tensor([8.5, 13.0]))


@pytest.mark.parametrize(
    ("body", "dtype"),
    [
        ("%d = pd_op.add(%a, %a) : i64[2]\n" + ADDS, "int64"),  # which adds integers in the first round alone
        ("%b = pd_op.cast(%x) {dtype = int64} : i64[2]", "float32"),  # which does not hold 7.5
    ],
)
def test_what_would_be_another_number_is_refused(body: str, dtype: str):
    with pytest.raises(ir.VerifyError, match="the yield of the body after its condition: value 1: expected"):
        loaded(body, f"%out = pd_op.assign(%s) : {'i64' if dtype == 'int64' else 'f32'}[2]", dtype)


def test_places():
    """PaddlePaddle writes no type for what nobody wants, and that of `x` for places."""
    text = """phi.program 1
program {
  %x = pd_op.data {name = "x", shape = [4,2], dtype = float32} : f32[4,2]
  %v, %i, _ = pd_op.unique_consecutive(%x) {return_inverse = true, axis = [0], dtype = int64} : f32[?,2], f32[4], none
  %more = pd_op.abs(%i) : f32[4]
  pd_op.fetch(%i) {name = "i", col = 2} : f32[4]
  pd_op.fetch(%v) {name = "v", col = 0} : f32[?,2]
  pd_op.fetch(%more) {name = "more", col = 1} : f32[4]
}
"""
    program = to_program(read_document(write_document(to_document(ir.parse(text)))), {})
    run = ir.compile(program)
    x = torch.tensor([[1.0, 2.0], [1.0, 2.0], [1.0, 3.0], [1.0, 2.0]])
    values, more, inverse = run(x)
    assert torch.equal(values, x[1:]) and torch.equal(inverse, torch.tensor([0, 0, 1, 2])) and torch.equal(more, inverse)
    assert [str(type) for _, type in run.outputs][2] == "i64[4]"


def test_a_view_has_the_data_type_of_what_it_shows():
    """A program that PaddlePaddle translated from Paddle 2 says float32 of a size, and of the list that it is in."""
    text = """phi.program 1
program {
  %x = pd_op.data {name = "x", shape = [4,2], dtype = int32} : i32[4,2]
  %a = pd_op.full_int_array {value = [0]} : i64[1]
  %b = pd_op.full_int_array {value = [1]} : i64[1]
  %0 = pd_op.slice(%x, %a, %b) {axes = [0], infer_flags = [1], decrease_axis = [0]} : i32[2]
  %1 = pd_op.transpose(%0) {perm = [0]} : i32[2]
  %both = builtin.combine(%0, %1) : vec<i32[2],i32[2]>
  %sum = pd_op.add_n(%both) : i32[2]
  pd_op.fetch(%sum) {name = "s", col = 0} : i32[2]
}
"""
    document = json.loads(write_document(to_document(ir.parse(text))))
    ops = document["program"]["regions"][0]["blocks"][0]["ops"]
    written = json.dumps([one for one in ops if one["#"] != "1.data"]).replace('"0.t_i32"', '"0.t_f32"')
    ops[:] = [*(one for one in ops if one["#"] == "1.data"), *json.loads(written)]
    program = to_program(read_document(json.dumps(document).encode()), {})
    x = torch.arange(8, dtype=torch.int32).reshape(4, 2)
    for found in (ir.compile(program)(x)[0], ir.compile(program, passes=[])(x)[0], ir.to_module(program)(x)):
        torch.testing.assert_close(found, x[0] + x[0])
