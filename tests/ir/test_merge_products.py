"""The pass merge_parallel_matmul: which products become one, and which stay."""

from __future__ import annotations

import pytest
import torch

from phi_torch import ir

from .paddle_models import FOLDERS

DATA = '  %x = pd_op.data {name = "x", shape = [-1,4,6], dtype = float32} : f32[s0,4,6]\n'
WEIGHTS = {"q": [6, 3], "k": [6, 5], "v": [6, 2], "t": [7, 6], "bq": [3], "bk": [5], "narrow": [4, 3]}


def parameter(name: str) -> str:
    return f'  %{name} = builtin.parameter {{name = "{name}"}} : f32{str(WEIGHTS[name]).replace(" ", "")}\n'


def fetch(**types: str) -> str:
    named = enumerate(types.items())
    return "".join(f'  pd_op.fetch(%{name}) {{name = "{name}", col = {i}}} : {type}\n' for i, (name, type) in named)


def program_of(body: str, mutable: str = "") -> ir.Program:
    names = [name for name in WEIGHTS if f"%{name}" in body and f"%{name} = " not in body]
    first = "".join(parameter(name) for name in names)
    program = ir.parse(f'phi.program 1\nsymbols {{ s0 "x.0" >= 1 }}\nprogram {{\n{DATA}{first}{body}}}\n')
    torch.manual_seed(3)
    for name, shape in WEIGHTS.items():
        if f'"{name}"' in str(program):
            program.weights.set(name, torch.randn(shape), is_mutable=name == mutable)
    program.verify()
    return program


def run(program: ir.Program) -> dict[str, int]:
    (one,) = ir.PassManager(["merge_parallel_matmul"], verify=True).run(program).runs
    return dict(one.counts)


def names(program: ir.Program) -> list[str]:
    return [op.name.removeprefix("pd_op.") for op in program.walk()]


def check(program: ir.Program, merged: int, left: int) -> ir.Program:
    """The results stay, with all that follows from weights folded too; `left` products are there then."""
    inputs = [torch.randn(rows, 4, 6) for rows in (1, 3)]
    before = [ir.compile(program, passes=[])(x) for x in inputs]
    types = [str(op.operands[0].type) for op in program.walk() if op.name == "pd_op.fetch"]
    assert run(program) == {"products merged": merged}
    assert types == [str(op.operands[0].type) for op in program.walk() if op.name == "pd_op.fetch"]
    assert run(program) == {}
    folded = program.clone()
    ir.PassManager(["constant_fold", "cse", "dce"], verify=True).run(folded)
    for one in (program, folded):
        for x, expected in zip(inputs, before):
            for ours, theirs in zip(ir.compile(one, passes=[])(x), expected, strict=True):
                torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)
    assert sum(name in ("matmul", "fc") for name in names(folded)) == left and "concat" not in names(folded)
    return folded


def test_products_of_one_tensor():
    body = "  %0 = pd_op.matmul(%x, %q) : f32[s0,4,3]\n  %a = pd_op.relu(%0) : f32[s0,4,3]\n"
    # a weight that comes later, and one that is computed
    body += parameter("k") + "  %1 = pd_op.matmul(%x, %k) : f32[s0,4,5]\n"
    body += parameter("v") + "  %w = pd_op.scale(%v, none) {scale = 2.0} : f32[6,2]\n"
    body += "  %2 = pd_op.matmul(%x, %w) : f32[s0,4,2]\n"
    program = program_of(body + fetch(**{"a": "f32[s0,4,3]", "1": "f32[s0,4,5]", "2": "f32[s0,4,2]"}))
    folded = check(program, 3, 1)
    assert names(folded) == ["data", "builtin.parameter", "matmul", "slice", "slice", "slice", "relu", *["fetch"] * 3]


def test_products_with_a_bias():
    body = "".join(
        f"  %{i} = pd_op.fc(%x, %{w}, %b{w}) {{in_num_col_dims = 2, activation_type = {act}}} : f32[s0,4,{WEIGHTS[w][1]}]\n"
        for i, (w, act) in enumerate([("q", '"relu"'), ("k", '"relu"'), ("q", '""')])
    )
    program = program_of(body + fetch(**{"0": "f32[s0,4,3]", "1": "f32[s0,4,5]", "2": "f32[s0,4,3]"}))
    check(program, 2, 2)


def test_transposed_weights_are_joined_along_their_rows():
    body = parameter("t") + "  %0 = pd_op.matmul(%x, %t) {transpose_y = true} : f32[s0,4,7]\n"
    body += "  %1 = pd_op.matmul(%x, %q) : f32[s0,4,3]\n  %u = pd_op.scale(%t, none) {scale = -1.0} : f32[7,6]\n"
    body += "  %2 = pd_op.matmul(%x, %u) {transpose_y = true} : f32[s0,4,7]\n"
    check(program_of(body + fetch(**{"0": "f32[s0,4,7]", "1": "f32[s0,4,3]", "2": "f32[s0,4,7]"})), 2, 2)


def test_transposed_operands():
    text = "phi.program 1\nprogram {\n"
    text += '  %x = pd_op.data {name = "x", shape = [6,4], dtype = float32} : f32[6,4]\n' + parameter("q") + parameter("k")
    text += "  %0 = pd_op.matmul(%x, %q) {transpose_x = true} : f32[4,3]\n"
    text += "  %1 = pd_op.matmul(%x, %k) {transpose_x = true} : f32[4,5]\n"
    program = ir.parse(text + fetch(**{"0": "f32[4,3]", "1": "f32[4,5]"}) + "}\n")
    for name in ("q", "k"):
        program.weights.set(name, torch.randn(WEIGHTS[name]))
    x = torch.randn(6, 4)
    before = ir.compile(program, passes=[])(x)
    assert run(program) == {"products merged": 2}
    for ours, theirs in zip(ir.compile(program, passes=[])(x), before):
        torch.testing.assert_close(ours, theirs)


TWO = "  %0 = pd_op.matmul(%x, %q) : f32[s0,4,3]\n  %1 = pd_op.matmul(%x, %k) : f32[s0,4,5]\n"
OF_TWO = {"0": "f32[s0,4,3]", "1": "f32[s0,4,5]"}


@pytest.mark.parametrize(
    ("body", "mutable"),
    [
        (TWO, "k"),  # a weight that is written
        (TWO + '  builtin.set_parameter(%k) {parameter_name = "k"}\n', ""),
        (TWO + "  %w = pd_op.relu_(%x) : f32[s0,4,6]\n", ""),  # what is multiplied is written
        (TWO + "  %w = pd_op.relu_(%0) : f32[s0,4,3]\n", ""),  # a result is written
        (TWO.replace("(%x, %k)", "(%y, %k)").replace("  %1", "  %y = pd_op.relu(%x) : f32[s0,4,6]\n  %1"), ""),
        (TWO.replace("f32[s0,4,5]", "f32[?,4,5]").replace("%0 = pd_op.matmul(%x, %q)", "%0 = pd_op.relu(%x)"), ""),
    ],
    ids=["mutable", "set", "x written", "result written", "of two tensors", "one product"],
)
def test_what_stays(body, mutable):
    program = ir.parse(str(program_of(TWO + fetch(**OF_TWO))).replace(TWO, body))
    for name in ("q", "k"):
        program.weights.set(name, torch.randn(WEIGHTS[name]), is_mutable=name == mutable)
    before = names(program)
    assert run(program) == {}
    assert names(program) == before


def test_in_branches_apart():
    text = """  %c = pd_op.full {shape = [1], value = 1.0, dtype = bool} : bool[1]
  %a = pd_op.matmul(%x, %q) : f32[s0,4,3]
  %r = pd_op.if(%c) {
    %0 = pd_op.matmul(%x, %q) : f32[s0,4,3]
    %1 = pd_op.matmul(%x, %k) : f32[s0,4,5]
    %2 = pd_op.sum(%1, none) {axis = [-1], keepdim = true} : f32[s0,4,1]
    %3 = pd_op.add(%0, %2) : f32[s0,4,3]
    cf.yield(%3)
  } else {
    cf.yield(%a)
  } : f32[s0,4,3]
"""
    check(program_of(text + fetch(a="f32[s0,4,3]", r="f32[s0,4,3]")), 2, 2)


def test_attention_of_bert():
    """Of each layer's products for q, k and v one is left."""
    folder = next((folder for folder in FOLDERS if folder.name == "bert"), None)
    if folder is None:
        pytest.skip("PHI_PADDLE3_MODELS is not set")
    program = ir.load(folder)
    before = sum(op.name == "pd_op.matmul" for op in program.walk())
    ir.PassManager().run(program)
    after = sum(op.name in ("pd_op.matmul", "pd_op.fc", "pd_op.fused_gemm_epilogue") for op in program.walk())
    assert (before, after) == (18, 14)
