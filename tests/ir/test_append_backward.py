"""Gradients in programs are autograd's, on the same programs as modules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from phi_torch import ir, legacy
from phi_torch.legacy import BlockDesc, OpDesc, ProgramDesc, VarDesc
from phi_torch.legacy.single import attribute_of

from .paddle_models import DATA
from .test_to_module import call, inputs_of, parsed

HEAD = '%x = pd_op.data {name = "x", shape = [3,4], dtype = float64} : f64[3,4]\n%w = builtin.parameter {name = "w"} : f64[4,4]\n'
# what follows makes %y, which is summed
BODIES = {
    "product": "%y = pd_op.matmul(%x, %w) : f64[3,4]\n",
    "chain": (
        "%a = pd_op.matmul(%x, %w) {transpose_y = true} : f64[3,4]\n%b = pd_op.tanh(%a) : f64[3,4]\n"
        "%y = pd_op.softmax(%b) : f64[3,4]\n"
    ),
    "level": "%a = pd_op.sign(%x) : f64[3,4]\n%b = pd_op.matmul(%x, %w) : f64[3,4]\n%y = pd_op.multiply(%a, %b) : f64[3,4]\n",
    "used twice": (
        "%a = pd_op.matmul(%x, %w) : f64[3,4]\n%b = pd_op.multiply(%a, %a) : f64[3,4]\n%c = pd_op.exp(%a) : f64[3,4]\n"
        "%y = pd_op.add(%b, %c) : f64[3,4]\n"
    ),
    "a vector": (
        "%one = pd_op.sum(%w, none) {axis = [0], dtype = undefined} : f64[4]\n%a = pd_op.add(%x, %one) : f64[3,4]\n"
        "%y = pd_op.multiply(%a, %a) : f64[3,4]\n"
    ),
    "a list": (
        "%a = pd_op.matmul(%x, %w) : f64[3,4]\n%b = pd_op.tanh(%a) : f64[3,4]\n"
        "%l = builtin.combine(%a, %b, %a) : vec<f64[3,4], f64[3,4], f64[3,4]>\n%j = pd_op.concat(%l, none) {axis = 0} : f64[9,4]\n"
        "%y = pd_op.multiply(%j, %j) : f64[9,4]\n"
    ),
    "split": (
        "%a = pd_op.matmul(%x, %w) : f64[3,4]\n"
        "%l = pd_op.split_with_num(%a, none) {num = 2, axis = 1} : vec<f64[3,2], f64[3,2]>\n"
        "%p, %q = builtin.split(%l) : f64[3,2], f64[3,2]\n%r = builtin.slice(%l) {index = 1} : f64[3,2]\n"
        "%s = pd_op.exp(%p) : f64[3,2]\n%y = pd_op.multiply(%s, %r) : f64[3,2]\n"
    ),
    "stopped": (
        "%a = pd_op.matmul(%x, %w) : f64[3,4]\n%b = pd_op.assign(%a) {stop_gradient = [true]} : f64[3,4]\n"
        "%y = pd_op.multiply(%a, %b) : f64[3,4]\n"
    ),
    # whose gradient operators are no operators here
    "a power": "%a = pd_op.matrix_power(%w) {n = 2} : f64[4,4]\n%y = pd_op.matmul(%x, %a) : f64[3,4]\n",
    "one of several results": (
        "%u, %s, %v = pd_op.svd(%w) {full_matrices = false} : f64[4,4], f64[4], f64[4,4]\n%y = pd_op.multiply(%x, %s) : f64[3,4]\n"
    ),
    "a kernel of another name": "%a = pd_op.det(%w) : f64[]\n%y = pd_op.multiply(%x, %a) : f64[3,4]\n",
    "one of several operands": "%a = pd_op.kron(%x, %w) : f64[12,16]\n%y = pd_op.tanh(%a) : f64[12,16]\n",
    "a list of results": (
        "%a = pd_op.matmul(%x, %w) : f64[3,4]\n"
        "%l = pd_op.unstack(%a) {axis = 0, num = 3} : vec<f64[4], f64[4], f64[4]>\n"
        "%p = builtin.slice(%l) {index = 1} : f64[4]\n%y = pd_op.multiply(%a, %p) : f64[3,4]\n"
    ),
    "an equation": (
        "%l = builtin.combine(%x, %w) : vec<f64[3,4], f64[4,4]>\n"
        '%y, %c, %s = pd_op.einsum(%l) {equation = "ij,jk->ik"} : f64[3,4], vec<f64[], f64[]>, vec<f64[], f64[]>\n'
    ),
    "an attribute that is an operand": (
        "%n = pd_op.full_int_array {value = [1], dtype = int32} : i32[1]\n"
        "%a = pd_op.reverse(%w, %n) : f64[4,4]\n%y = pd_op.matmul(%x, %a) : f64[3,4]\n"
    ),
    "a branch": (
        "%a = pd_op.matmul(%x, %w) : f64[3,4]\n%m = pd_op.mean(%x, none) : f64[]\n"
        "%z = pd_op.full {shape = [], value = 0.0, dtype = float64} : f64[]\n%c = pd_op.greater_than(%m, %z) : bool[]\n"
        "%y = pd_op.if(%c) {\n%d = pd_op.exp(%a) : f64[3,4]\n%e = pd_op.multiply(%d, %x) : f64[3,4]\ncf.yield(%e)\n"
        "} else {\n%f = pd_op.matmul(%a, %w) : f64[3,4]\ncf.yield(%f)\n} : f64[3,4]\n"
    ),
}


def gradients(program: ir.Program, loss: ir.Value, inputs: list[torch.Tensor]) -> dict[str, torch.Tensor]:
    pairs = ir.append_backward(program, loss)
    builder = ir.Builder(program)
    for i, (_, gradient) in enumerate(pairs):
        if gradient is not None:
            builder.create("pd_op.fetch", [gradient], {"name": f"gradient_{i}", "col": 100 + i})
    program.verify()
    names = [value.name for value, gradient in pairs if gradient is not None]
    found = ir.compile(program)(*inputs)
    return dict(zip(names, found[len(found) - len(names) :]))


@pytest.mark.parametrize("positive", [True, False])
@pytest.mark.parametrize("name", BODIES)
def test_programs(name: str, positive: bool):
    body = BODIES[name].replace("%y =", "%y =")
    shape = {"a list": "f64[9,4]", "split": "f64[3,2]", "one of several operands": "f64[12,16]"}.get(name, "f64[3,4]")
    body = HEAD + body + f'pd_op.fetch(%y) {{name = "y", col = 0}} : {shape}\n'
    torch.manual_seed(0)
    x, w = torch.randn(3, 4, dtype=torch.float64).abs(), torch.randn(4, 4, dtype=torch.float64)
    x = x if positive else -x
    program = parsed(body)
    program.weights.set("w", w)
    (y,) = call(ir.to_module(program), x)
    if name == "stopped":
        a = x @ w.requires_grad_()
        (expected,) = torch.autograd.grad((a * a.detach()).sum(), [w])
        w.requires_grad_(False)
    else:
        module = ir.to_module(program)
        (y,) = call(module, x)
        (expected,) = torch.autograd.grad(y.sum(), list(module.parameters()))
    last = next(op for op in program.block.operations if op.name == "pd_op.fetch")
    builder = ir.Builder(program).before(last)
    loss = builder.create("pd_op.sum", [last.operands[0], None], {"axis": []}).results[0]
    found = gradients(program, loss, [x])
    torch.testing.assert_close(found["w"], expected)
    if name == "a list of results":  # PaddlePaddle reads attributes by their kinds
        made = {op.name: op.attribute("axis").kind for op in program.walk() if "unstack" in op.name}
        assert made["pd_op.unstack_grad"] == made["pd_op.unstack"] == "i32"


@pytest.mark.parametrize("name", ["wide_deep", "ctl_cond", "dcgan"])
def test_programs_of_paddle(name: str):
    folder: Path = DATA / name
    program = ir.load(folder)
    inputs, _ = inputs_of(program, folder, "io.npz")
    module = ir.to_module(program)
    y = call(module, *inputs)[0]
    y.sum().backward()
    expected = {key: one.grad for key, one in module.named_parameters()}
    fetch = next(op for op in program.block.operations if op.name == "pd_op.fetch" and op.attributes["col"] == 0)
    builder = ir.Builder(program).before(fetch)
    loss = builder.create("pd_op.sum", [fetch.operands[0], None], {"axis": []}).results[0]
    found = gradients(program, loss, inputs)
    assert set(found) == {key for key, one in expected.items() if one is not None} | {k for k in found if expected[k] is None}
    for key, one in found.items():
        theirs = expected[key] if expected[key] is not None else torch.zeros_like(one)
        np.testing.assert_allclose(one.numpy(), theirs.numpy(), rtol=1e-3, atol=1e-4)


def test_errors():
    program = parsed(HEAD + "%y = pd_op.matmul(%x, %w) : f64[3,4]\n")
    y = program.block.operations[-1].results[0]
    with pytest.raises(ValueError, match=r"'loss': expected one element of floating point, got f64\[3,4\]"):
        ir.append_backward(program, y)
    text = HEAD + '%y = torch.call(%w) {target = "aten.sum.default"} : f64[]\n'
    program = parsed(text)
    with pytest.raises(NotImplementedError, match=r"append_backward: torch.call has no gradient; say stop_gradient"):
        ir.append_backward(program, program.block.operations[-1].results[0])
    program.block.operations[-1].operands[0].defining_op.move_after(program.block.operations[-1])
    with pytest.raises(ir.VerifyError, match="used before it is defined"):
        ir.append_backward(program, program.block.operations[-2].results[0])


def test_a_gradient_is_saved_with_the_operands_that_paddle_has(tmp_path: Path):
    program = parsed(
        '%x = pd_op.data {name = "x", shape = [3,4], dtype = float32} : f32[3,4]\n'
        '%w = builtin.parameter {name = "w"} : f32[4,4]\n%a = pd_op.matmul(%x, %w) : f32[3,4]\n'
        '%t = pd_op.data {name = "t", shape = [3,1], dtype = int64} : i64[3,1]\n'
        "%s, %l = pd_op.cross_entropy_with_softmax(%a, %t) : f32[3,4], f32[3,1]\n"
        "%y = pd_op.sum(%l, none) {axis = [], dtype = undefined} : f32[]\n"
    )
    program.weights.set("w", torch.rand(4, 4))
    ((_, gradient),) = ir.append_backward(program, program.block.operations[-1].results[0])
    ir.Builder(program).create("pd_op.fetch", [gradient], {"name": "g", "col": 0})
    program.save(tmp_path / "model.json")
    ops = json.loads((tmp_path / "model.json").read_text())["program"]["regions"][0]["blocks"][0]["ops"]
    (saved,) = (op for op in ops if op["#"] == "1.cross_entropy_with_softmax_grad")
    assert len(saved["I"]) == 3  # a label, the softmax and the gradient of the loss: ours takes that of the softmax, too
    given = torch.rand(3, 4), torch.tensor([[0], [3], [1]])
    torch.testing.assert_close(ir.compile(ir.load(tmp_path))(*given), ir.compile(program)(*given))


@pytest.mark.parametrize(
    ("type", "inputs", "attrs", "outputs"),
    [
        ("lrn", {"X": torch.rand(2, 3, 4, 4)}, {"n": 3}, ("Out", "MidOut")),
        (
            "affine_channel",
            {"X": torch.rand(2, 3, 4, 4), "Scale": torch.rand(3), "Bias": torch.rand(3)},
            {"data_layout": "NCHW"},
            ("Out",),
        ),
        ("cross_entropy", {"X": torch.rand(4, 3), "Label": torch.tensor([[0], [2], [1], [2]])}, {"soft_label": False}, ("Y",)),
        ("partial_sum", {"X": [torch.rand(3, 4), torch.rand(3, 4)]}, {"start_index": 1, "length": 2}, ("Out",)),
    ],
)
def test_operators_of_paddle_2(type: str, inputs: dict[str, Any], attrs: dict[str, Any], outputs: tuple[str, ...]):
    """That are one operation each: their gradient operators are another one."""
    tensors = {slot: one if isinstance(one, list) else [one] for slot, one in inputs.items()}
    feed = {f"{slot} {at}": one for slot, some in tensors.items() for at, one in enumerate(some)}
    wanted = [name for name, one in feed.items() if one.is_floating_point()]
    for name in wanted:
        feed[name].requires_grad_()
    y = legacy.run_op(type, inputs, attrs, outputs)[outputs[0]]
    expected = torch.autograd.grad(y.square().sum(), [feed[name] for name in wanted])

    variables = {name: VarDesc(name, dtype=one.dtype, dims=tuple(one.shape), need_check_feed=True) for name, one in feed.items()}
    variables |= {name: VarDesc(name, dtype=y.dtype, dims=tuple(y.shape)) for name in outputs}
    op = OpDesc(type, {slot: [f"{slot} {at}" for at, _ in enumerate(some)] for slot, some in tensors.items()})
    op.outputs, op.attrs = {slot: [slot] for slot in outputs}, {name: attribute_of(type, name, one) for name, one in attrs.items()}
    program = ir.from_legacy(ProgramDesc([BlockDesc(vars=variables, ops=[op])]), fetch=outputs[:1])
    fetch = next(op for op in program.walk() if op.name == "pd_op.fetch")
    builder = ir.Builder(program).before(fetch)
    square = builder.create("pd_op.multiply", [fetch.operands[0]] * 2).results[0]
    loss = builder.create("pd_op.sum", [square, None], {"axis": []}).results[0]
    data = {one.attributes["name"]: one.results[0] for one in program.walk() if one.name == "pd_op.data"}
    pairs, builder = ir.append_backward(program, loss, [data[name] for name in wanted]), ir.Builder(program)
    for at, (_, gradient) in enumerate(pairs):
        builder.create("pd_op.fetch", [gradient], {"name": f"gradient {at}", "col": 1 + at})
    program.verify()
    run = ir.compile(program)
    found = run(*(feed[name].detach() for name, _ in run.inputs))
    torch.testing.assert_close(tuple(found[1:]), expected)
