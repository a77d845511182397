"""Gradient operators of PaddlePaddle 3 that are no operators here, as its files have them."""

from __future__ import annotations

import pytest
import torch

from phi_torch import ir
from phi_torch.legacy import BlockDesc, OpDesc, ProgramDesc, VarDesc

X = '%x = pd_op.data {{name = "x", shape = {0}, dtype = float64}} : f64{0}'
Y = '%y = pd_op.data {{name = "y", shape = {0}, dtype = float64}} : f64{0}'
G = '%g = pd_op.data {{name = "g", shape = {0}, dtype = float64}} : f64{0}'


def parsed(*lines: str) -> ir.Program:
    return ir.parse("phi.program 1\nprogram {\n" + "".join(f"  {line}\n" for line in lines) + "}\n")


def compiled(*lines: str) -> ir.Executable:
    return ir.compile(parsed(*lines))


def fetch(name: str, type: str, col: int = 0) -> str:
    return f'pd_op.fetch(%{name}) {{name = "{name}", col = {col}}} : {type}'


def test_a_cross_product():
    sizes, type = "[4,3]", "f64[4,3]"
    run = compiled(
        *(X.format(sizes), Y.format(sizes), G.format(sizes)),
        f"%a, %b = pd_op.cross_grad(%x, %y, %g) {{axis = 9 : i32}} : {type}, {type}",
        *(fetch("a", type), fetch("b", type, 1)),
    )
    x, y, g = (torch.randn(4, 3, dtype=torch.float64, requires_grad=True) for _ in range(3))
    expected = torch.autograd.grad(torch.linalg.cross(x, y), (x, y), g)
    for found, one in zip(run(x.detach(), y.detach(), g.detach()), expected):
        torch.testing.assert_close(found, one)


@pytest.mark.parametrize("align_corners", [False, True])
def test_a_grid_of_sizes_that_only_a_run_tells(align_corners: bool):
    run = compiled(
        X.format("[2,2,3]"),
        G.format("[2,4,5,2]"),
        '%sizes = pd_op.data {name = "sizes", shape = [4], dtype = int32} : i32[4]',
        f"%a = pd_op.affine_grid_grad(%x, %g, %sizes) {{align_corners = {str(align_corners).lower()}}} : f64[2,2,3]",
        fetch("a", "f64[2,2,3]"),
    )
    x = torch.randn(2, 2, 3, dtype=torch.float64, requires_grad=True)
    g = torch.randn(2, 4, 5, 2, dtype=torch.float64)
    out = torch.nn.functional.affine_grid(x, [2, 1, 4, 5], align_corners=align_corners)
    (expected,) = torch.autograd.grad(out, x, g)
    torch.testing.assert_close(run(x.detach(), g, torch.tensor([2, 1, 4, 5], dtype=torch.int32))[0], expected)


def test_gradients_of_which_a_file_says_another_data_type():
    """PaddlePaddle says float32 of all gradients of a product of several matrices."""
    said = "vec<f32[2,3], f32[3,4], f32[4,2]>"
    run = compiled(
        *(X.format("[2,3]"), Y.format("[3,4]"), '%z = pd_op.data {name = "z", shape = [4,2], dtype = float64} : f64[4,2]'),
        *(G.format("[2,2]"), "%all = builtin.combine(%x, %y, %z) : vec<f64[2,3], f64[3,4], f64[4,2]>"),
        f"%grads = pd_op.multi_dot_grad(%all, %g) : {said}",
        "%a, %b, %c = builtin.split(%grads) : f32[2,3], f32[3,4], f32[4,2]",
        "%d = pd_op.relu(%a) : f32[2,3]",
        fetch("d", "f32[2,3]"),
    )
    x, y, z, g = (torch.randn(sizes, dtype=torch.float64) for sizes in ((2, 3), (3, 4), (4, 2), (2, 2)))
    torch.testing.assert_close(run(x, y, z, g)[0], (g @ z.T @ y.T).relu())


def test_a_third_gradient_of_a_power():
    type, names = "f64[4]", "xgabc"
    run = compiled(
        *(f'%{name} = pd_op.data {{name = "{name}", shape = [4], dtype = float64}} : {type}' for name in names),
        f"%p, %q, %r = pd_op.pow_triple_grad(%x, %g, %a, %b, %c) {{y = 3.0 : f32}} : {type}, {type}, {type}",
        *(fetch(name, type, col) for col, name in enumerate("pqr")),
    )
    leaves = [torch.randn(4, dtype=torch.float64, requires_grad=True) for _ in range(3)]
    x, g, a = leaves
    thirds = [torch.randn(4, dtype=torch.float64) for _ in range(2)]
    expected = torch.autograd.grad((6 * x * g * a, 3 * x**2 * a), leaves, thirds)
    for found, one in zip(run(*(leaf.detach() for leaf in leaves), *thirds), expected, strict=True):
        torch.testing.assert_close(found, one)


def test_a_derived_gradient_without_passes():
    type = "f64[2,2]"
    given = f"(%x, %x, %x, %x, %x) {{transpose_x = false, transpose_y = false}} : {type}, {type}, {type}"
    program = parsed(X.format("[2,2]"), f"%a, %b, %c = pd_op.matmul_double_grad{given}", fetch("a", type))
    for passes in ([], ["decompose"], ["cse"]):
        assert ir.compile(program, passes=passes)(torch.ones(2, 2, dtype=torch.float64))[0].tolist() == [[2, 2], [2, 2]]


def test_a_result_that_an_operator_does_not_give():
    slots = {"X": "x", "Y": "y", "grad_out": "g", "grad_x@GRAD": "a", "grad_y@GRAD": "b"}
    made = {"X@GRAD": "dx", "Y@GRAD": "dy", "DDOut": "dg"}
    op = OpDesc("matmul_v2_grad_grad", {slot: [name] for slot, name in slots.items()}, {s: [name] for s, name in made.items()})
    variables = [VarDesc(name, dtype=torch.float32, dims=(2, 2), need_check_feed=True) for name in slots.values()]
    variables += [VarDesc(name, dtype=torch.float32, dims=(2, 2)) for name in made.values()]
    program = ProgramDesc([BlockDesc(vars={one.name: one for one in variables}, ops=[op])])
    run = ir.compile(ir.from_legacy(program, fetch=["dx"]))
    with pytest.raises(ValueError, match="slot DDOut: expected a result, which the operator does not give here"):
        run(*[torch.ones(2, 2)] * len(run.inputs))


def test_gradients_of_which_the_sizes_are_a_guess():
    """PaddlePaddle's compiler takes a slice up to an unknown end for one of no rows."""
    rows, flag = "f64[0,3]", "{unproven_types = true}"
    run = compiled(
        X.format("[4,3]"),
        "%first = pd_op.full_int_array {value = [0]} : i64[1]",
        "%step = pd_op.full_int_array {value = [2]} : i64[1]",
        '%end = pd_op.data {name = "end", shape = [1], dtype = int64} : i64[1]',
        f"%rows = pd_op.strided_slice(%x, %first, %end, %step) {{axes = [0], unproven_types = true}} : {rows}",
        f"%u, %s, %v = pd_op.svd(%rows) {flag} : f64[0,0], f64[0], f64[0,3]",
        "%ones = pd_op.full_like(%s, none) {value = 1.0, dtype = float64, unproven_types = true} : f64[0]",
        f"%a = pd_op.svd_grad(%rows, %u, %v, %s, none, none, %ones) {{full_matrices = false, unproven_types = true}} : {rows}",
        fetch("a", rows),
    )
    x = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
    (expected,) = torch.autograd.grad(torch.linalg.svdvals(x[:4:2]).sum(), x)
    torch.testing.assert_close(run(x.detach(), torch.tensor([4]))[0], expected[::2])
