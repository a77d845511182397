"""Programs as torch modules: values, gradients, weights, control flow, what is written."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from phi_torch import ir

from .paddle_models import DATA, FOLDERS
from .test_executor import DEEP, LOOP, RUN, io_of


def call(module: Any, *inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
    found = module(*inputs)
    return found if isinstance(found, tuple) else (found,)


def inputs_of(program: ir.Program, folder: Path, file: str) -> tuple[list[torch.Tensor], list[np.ndarray]]:
    inputs, outputs = io_of(folder, file)
    names = np.load(folder / file)["feed_names"].tolist()
    order = [op.attributes["name"] for op in program.walk() if op.name == "pd_op.data"]
    return [inputs[names.index(name)] for name in order], outputs


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_programs_give_what_paddle_gives_and_train(folder: Path):
    program = ir.load(folder)
    try:
        module = ir.to_module(program)
    except NotImplementedError as error:
        assert folder.name not in RUN and "operators have no function in torch.ops" in str(error)
        return
    for file in ("io2.npz", "io.npz"):
        inputs, outputs = inputs_of(program, folder, file)
        found = call(module, *inputs)
        assert len(found) == len(outputs)
        for ours, theirs in zip(found, outputs):
            assert list(ours.shape) == list(theirs.shape)
            np.testing.assert_allclose(ours.detach().numpy(), theirs, rtol=1e-4, atol=2e-4 if folder.name in DEEP else 1e-5)
    parameters = dict(module.named_parameters())
    if parameters:
        # of squares: the sum of a softmax has no gradient
        sum((one * one).sum() for one in found if one.requires_grad).backward()  # type: ignore[union-attr]
        assert any(one.grad is not None and one.grad.abs().sum() > 0 for one in parameters.values())
    for name, parameter in parameters.items():
        assert parameter.data_ptr() == program.weights[name].data.data_ptr()
    assert set(module.state_dict()) == set(program.weights)


def test_a_step_of_training_changes_the_program():
    program = ir.load(DATA / "wide_deep")
    module = ir.to_module(program)
    inputs, _ = inputs_of(program, DATA / "wide_deep", "io.npz")
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    losses = []
    for _ in range(3):
        loss = (call(module, *inputs)[0] ** 2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[0] > losses[1] > losses[2]
    (found,) = ir.compile(program)(*inputs)
    torch.testing.assert_close(found, call(module, *inputs)[0].detach())


def parsed(body: str, **weights: torch.Tensor) -> ir.Program:
    program = ir.parse(f"phi.program 1\nsymbols {{ s0 >= 1 }}\nprogram {{\n{body}}}\n")
    for name, tensor in weights.items():
        program.weights.set(name, tensor, is_mutable=True)
    return program


def both(program: ir.Program, *inputs: torch.Tensor) -> Any:
    """The outputs of the module, which are those of the executable."""
    expected = ir.compile(program, passes=[])(*inputs)
    found = call(ir.to_module(program), *inputs)
    for ours, theirs in zip(found, expected):
        torch.testing.assert_close(ours.detach(), theirs)
    assert len(found) == len(expected)
    return found


X = '%x = pd_op.data {name = "x", shape = [2,3], dtype = float32} : f32[2,3]\n'


def test_what_is_in_place_is_seen_by_later_uses():
    body = X + (
        "%a = pd_op.scale(%x, none) {scale = 2.0} : f32[2,3]\n"
        "%before = pd_op.exp(%a) : f32[2,3]\n"
        "%b = pd_op.relu_(%a) : f32[2,3]\n"
        "%after = pd_op.add(%a, %b) : f32[2,3]\n"
        'pd_op.fetch(%before) {name = "before", col = 0} : f32[2,3]\n'
        'pd_op.fetch(%after) {name = "after", col = 1} : f32[2,3]\n'
    )
    x = torch.tensor([[-1.0, 2, -3], [4, -5, 6]], requires_grad=True)
    both(parsed(body), x.detach())
    before, after = ir.to_module(parsed(body))(x)
    after.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [[0, 4, 0], [4, 0, 4]] and before.requires_grad


def test_assignments_are_seen_by_later_uses():
    body = X + (
        "%a = pd_op.scale(%x, none) {scale = 2.0} : f32[2,3]\n"
        "%b = pd_op.assign_out_(%x, %a) : f32[2,3]\n"
        "%after = pd_op.add(%a, %b) : f32[2,3]\n"
        'pd_op.fetch(%after) {name = "after", col = 0} : f32[2,3]\n'
    )
    both(parsed(body), torch.randn(2, 3))


@pytest.mark.parametrize(
    "assignment", ["assign_out_(%x, %a)", "assign_value_(%a) {shape = [2,3], dtype = float32, values = [1.0,2.0,3.0,4.0,5.0,6.0]}"]
)
def test_assignments_are_seen_by_views(assignment: str):
    body = X.replace("f32[", "!f32[") + (
        "%a = pd_op.scale(%x, none) {scale = 2.0} : !f32[2,3]\n"
        "%flat = pd_op.reshape(%a, none) {shape = [6]} : !f32[6]\n"
        f"%b = pd_op.{assignment} : !f32[2,3]\n"
        'pd_op.fetch(%flat) {name = "flat", col = 0} : !f32[6]\n'
    )
    both(parsed(body), torch.randn(2, 3))


def test_loops_whose_condition_is_assigned():
    body = X + (
        "%i = pd_op.full {shape = [], value = 0.0, dtype = int64} : i64[]\n"
        "%n = pd_op.full {shape = [], value = 3.0, dtype = int64} : i64[]\n"
        "%y = pd_op.scale(%x, none) {scale = 2.0} : f32[2,3]\n"
        "%more = pd_op.less_than(%i, %n) : bool[]\n"
        "pd_op.while(%more) {\n"
        "  %j = pd_op.increment_(%i) : i64[]\n"
        "  %z = pd_op.scale(%y, none) {bias = 1.0} : f32[2,3]\n"
        "  %w = pd_op.assign_out_(%z, %y) : f32[2,3]\n"
        "  %again = pd_op.less_than(%j, %n) : bool[]\n"
        "  %same = pd_op.assign_out_(%again, %more) : bool[]\n"
        "  cf.yield(%more)\n}\n"
        'pd_op.fetch(%y) {name = "y", col = 0} : f32[2,3]\n'
    )
    both(parsed(body), torch.randn(2, 3))


def test_views_that_share_memory():
    body = X.replace("f32[", "!f32[") + (
        "%flat = pd_op.reshape(%x, none) {shape = [6]} : !f32[6]\n"
        "%kept = pd_op.reshape(%x, none) {shape = [6]} : f32[6]\n"
        "%b = pd_op.relu_(%x) : !f32[2,3]\n"
        'pd_op.fetch(%flat) {name = "flat", col = 0} : !f32[6]\n'
        'pd_op.fetch(%kept) {name = "kept", col = 1} : f32[6]\n'
        'pd_op.fetch(%x) {name = "same", col = 2} : !f32[2,3]\n'
    )
    x = torch.tensor([[-1.0, 2, -3], [4, -5, 6]])
    flat, kept, same = both(parsed(body), x)
    assert flat.tolist() == [0, 2, 0, 4, 0, 6] and torch.equal(kept, x.reshape(6)) and same[0, 0] == 0 and x[0, 0] == -1


def test_weights_that_are_written():
    body = X + (
        '%total = builtin.parameter {name = "total"} : f32[2,3]\n'
        "%sum = pd_op.add(%total, %x) : f32[2,3]\n"
        'builtin.set_parameter(%sum) {parameter_name = "total"}\n'
        'pd_op.fetch(%sum) {name = "sum", col = 0} : f32[2,3]\n'
    )
    total = torch.zeros(2, 3)
    module = ir.to_module(parsed(body, total=total))
    for _ in range(3):
        module(torch.ones(2, 3))
    assert total.tolist() == [[3.0] * 3] * 2 and not list(module.parameters()) and "total" in module.state_dict()


def test_sizes_stay_symbols():
    body = (
        '%x = pd_op.data {name = "x", shape = [-1,3], dtype = float32} : f32[s0,3]\n'
        "%all = pd_op.shape64(%x) : i64[2]\n"
        "%zero = pd_op.full_int_array {value = [0]} : i64[1]\n"
        "%one = pd_op.full_int_array {value = [1]} : i64[1]\n"
        "%rows = pd_op.slice(%all, %zero, %one) {axes = [0], decrease_axis = [0]} : i64[]\n"
        "%three = pd_op.full {shape = [], value = 3.0, dtype = int64} : i64[]\n"
        "%product = pd_op.multiply(%rows, %three) : i64[]\n"
        "%list = builtin.combine(%product) : vec<i64[]>\n"
        "%shape = pd_op.stack(%list) : i64[1]\n"
        "%flat = pd_op.reshape(%x, %shape) : f32[3*s0]\n"
        'pd_op.fetch(%flat) {name = "flat", col = 0} : f32[3*s0]\n'
        'pd_op.fetch(%shape) {name = "shape", col = 1} : i64[1]\n'
    )
    both(parsed(body), torch.randn(2, 3))
    count = 0

    def backend(graph: torch.fx.GraphModule, inputs: Any) -> Any:
        nonlocal count
        count += 1
        return graph.forward

    fast = torch.compile(ir.to_module(parsed(body)), backend=backend, dynamic=True, fullgraph=True)
    for rows in (2, 5, 7):
        flat, shape = fast(torch.randn(rows, 3))
        assert flat.shape == (3 * rows,) and shape.tolist() == [3 * rows]
    assert count == 1


def test_a_rank_that_is_a_guess_is_that_of_the_value():
    """PaddlePaddle takes an unknown size for 1, and what is squeezed keeps its dimensions where it is not."""
    body = (
        '%x = pd_op.data {name = "x", shape = [-1,3], dtype = float32} : f32[s0,3]\n'
        "%axes = pd_op.full_int_array {value = [0]} : i64[1]\n"
        "%y = pd_op.squeeze(%x, %axes) {unproven_types = true} : f32[3]\n"
        "%shape = pd_op.shape64(%y) : i64[1]\n"
        "%none = pd_op.full_int_array {value = []} : i64[0]\n"
        "%count = pd_op.prod(%shape, %none) {keepdim = false, reduce_all = true, unproven_types = true} : i64[]\n"
        'pd_op.fetch(%count) {name = "count", col = 0} : i64[]\n'
    )
    for rows in (1, 2):
        assert both(parsed(body), torch.zeros(rows, 3))[0].item() == 3 * rows


def test_sizes_that_are_data():
    body = (
        '%x = pd_op.data {name = "x", shape = [6], dtype = float32} : f32[6]\n'
        '%shape = pd_op.data {name = "shape", shape = [2], dtype = int64} : i64[2]\n'
        '%factor = pd_op.data {name = "factor", shape = [1], dtype = float32} : f32[1]\n'
        "%table = pd_op.reshape(%x, %shape) : f32[?,?]\n"
        "%y = pd_op.scale(%table, %factor) : f32[?,?]\n"
        'pd_op.fetch(%y) {name = "y", col = 0} : f32[?,?]\n'
    )
    both(parsed(body), torch.arange(6.0), torch.tensor([2, 3]), torch.tensor([1.5]))


def test_loops_and_arrays():
    for n in (0, 3):
        assert call(ir.to_module(ir.parse(LOOP)), torch.tensor([n]))[0].tolist() == [n]
    body = X + (
        "%array = pd_op.create_array {dtype = float32} : dense_tensor_array<f32[2,3]>\n"
        "%zero = pd_op.full {shape = [1], value = 0.0, dtype = int64} : i64[1]\n"
        "%one = pd_op.full {shape = [1], value = 1.0, dtype = int64} : i64[1]\n"
        "%a = pd_op.array_write_(%array, %x, %zero) : dense_tensor_array<f32[2,3]>\n"
        "%b = pd_op.array_write_(%array, %x, %one) : dense_tensor_array<f32[2,3]>\n"
        "%read = pd_op.array_read(%array, %one) : f32[2,3]\n"
        "%last = pd_op.full_int_array {value = [-1]} : i64[1]\n"
        "%two = pd_op.full_int_array {value = [2]} : i64[1]\n"
        "%element = pd_op.slice_array_dense(%array, %last) : f32[2,3]\n"
        "%same = pd_op.assign_array(%array) : dense_tensor_array<f32[2,3]>\n"
        "%part = pd_op.slice_array(%same, %one, %two) : dense_tensor_array<f32[2,3]>\n"
        "%count = pd_op.array_length(%part) : i64[1]\n"
        "%all, %sizes = pd_op.array_to_tensor(%array) {axis = 0, use_stack = false} : f32[4,3], i32[2]\n"
        "_, %popped = pd_op.array_pop(%array) {index = -2} : dense_tensor_array<f32[2,3]>, f32[2,3]\n"
        "%left = pd_op.array_length(%array) : i64[1]\n"
        'pd_op.fetch(%popped) {name = "popped", col = 4} : f32[2,3]\n'
        'pd_op.fetch(%left) {name = "left", col = 5} : i64[1]\n'
        'pd_op.fetch(%read) {name = "read", col = 0} : f32[2,3]\n'
        'pd_op.fetch(%count) {name = "count", col = 1} : i64[1]\n'
        'pd_op.fetch(%all) {name = "all", col = 2} : f32[4,3]\n'
        'pd_op.fetch(%element) {name = "element", col = 3} : f32[2,3]\n'
    )
    both(parsed(body), torch.randn(2, 3))


def test_what_a_region_writes_is_seen_after_it():
    body = X + (
        '%n = pd_op.data {name = "n", shape = [1], dtype = int64} : i64[1]\n'
        "%array = pd_op.create_array {dtype = float32} : dense_tensor_array<f32[2,3]>\n"
        "%zero = pd_op.full {shape = [1], value = 0.0, dtype = int64} : i64[1]\n"
        "%one = pd_op.full {shape = [1], value = 1.0, dtype = float32} : f32[1]\n"
        "%more = pd_op.less_than(%zero, %n) : bool[1]\n"
        "%i, %y = pd_op.while(%more, %zero, %x) {\n"
        "  ^(%k : i64[1], %now : f32[2,3]):\n"
        "  %next = pd_op.scale(%k, %one) {bias = 1.0 : f32} : i64[1]\n"
        "  %is_last = pd_op.greater_equal(%next, %n) : bool[1]\n"
        "  %twice = pd_op.if(%is_last) {\n"
        "    %at = pd_op.array_length(%array) : i64[1]\n"
        "    pd_op.array_write_(%array, %now, %at) : dense_tensor_array<f32[2,3]>\n"
        "    cf.yield(%now)\n"
        "  } else {\n"
        "    %sum = pd_op.add(%now, %now) : f32[2,3]\n"
        "    cf.yield(%sum)\n"
        "  } : f32[2,3]\n"
        "  %end = pd_op.array_length(%array) : i64[1]\n"
        "  pd_op.array_write_(%array, %now, %end) : dense_tensor_array<f32[2,3]>\n"
        "  %again = pd_op.less_than(%next, %n) : bool[1]\n"
        "  cf.yield(%again, %next, %twice)\n"
        "} : i64[1], f32[2,3]\n"
        "%all, %sizes = pd_op.array_to_tensor(%array) {axis = 0, use_stack = false} : f32[?,3], i32[?]\n"
        'pd_op.fetch(%all) {name = "all", col = 0} : f32[?,3]\n'
        'pd_op.fetch(%y) {name = "y", col = 1} : f32[2,3]\n'
    )
    program = parsed(body)
    both(program, torch.randn(2, 3), torch.tensor([3]))
    x = torch.ones(2, 3, requires_grad=True)
    found, _ = call(ir.to_module(program), x, torch.tensor([3]))
    found.sum().backward()
    assert found.shape == (8, 3) and x.grad is not None and torch.equal(x.grad, torch.full((2, 3), 1.0 + 2 + 4 + 4))


def test_what_is_detached_has_no_gradient():
    body = X + (
        "%same = pd_op.share_data_(%x) : f32[2,3]\n"
        "%y = pd_op.multiply(%same, %x) : f32[2,3]\n"
        'pd_op.fetch(%y) {name = "y", col = 0} : f32[2,3]\n'
    )
    program = parsed(body)
    both(program, torch.randn(2, 3))
    x = torch.randn(2, 3, requires_grad=True)
    call(ir.to_module(program), x)[0].sum().backward()
    assert x.grad is not None and torch.equal(x.grad, x)


def test_what_says_that_it_stops_gradients_has_none():
    """As PaddlePaddle writes what is computed in `paddle.no_grad()`."""
    body = X + (
        "%same = pd_op.relu(%x) {stop_gradient = [true]} : f32[2,3]\n"
        "%y = pd_op.multiply(%same, %x) : f32[2,3]\n"
        'pd_op.fetch(%y) {name = "y", col = 0} : f32[2,3]\n'
    )
    x = torch.randn(2, 3, requires_grad=True)
    call(ir.to_module(parsed(body)), x)[0].sum().backward()
    assert x.grad is not None and torch.equal(x.grad, x.detach().relu())
    body = body.replace("%same = pd_op.relu(%x) {stop_gradient = [true]}", "%same, %unused = pd_op.add_grad(%x, %x, %x) {{0}}")
    body = body.replace("{{0}} : f32[2,3]", "{stop_gradient = [true, true]} : f32[2,3], f32[2,3]")
    x.grad = None
    call(ir.to_module(parsed(body)), x)[0].sum().backward()
    assert x.grad is not None and torch.equal(x.grad, x.detach())


class Called(torch.nn.Module):
    """Operators that are `torch.call`: several results, a list, a dtype, nothing for an argument without a default."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.InstanceNorm1d(2, affine=True)

    def forward(self, x: torch.Tensor) -> Any:
        mantissa, exponent = torch.frexp(x)
        norm = torch.linalg.matrix_norm(x, "fro", dtype=torch.float64)
        parts = torch.nn.functional.unfold(x[None, None], 2) + torch.stack(torch.gradient(x))[0].sum()
        blocks = x.new_zeros(x.shape[0] // 2, 3).index_reduce(0, torch.tensor([1]), x[:1, :1].expand(1, 3), "amax")
        return mantissa * exponent, norm, parts, blocks, torch.hamming_window(5, dtype=torch.float64), self.norm(x.t()[None])


X4 = torch.randn(4, 2)


def test_calls_of_torch():
    model = Called()
    exported = torch.export.export(model, (torch.randn(4, 2),))
    module = ir.to_module(ir.from_exported(exported))
    for ours, theirs in zip(call(module, X4), model(X4)):
        torch.testing.assert_close(ours, theirs)
    x = torch.randn(4, 2, requires_grad=True)
    (ours,) = torch.autograd.grad(call(module, x)[2].square().sum(), x)
    torch.testing.assert_close(ours, torch.autograd.grad(model(x)[2].square().sum(), x)[0])
    program = ir.from_exported(exported)
    next(op for op in program.walk() if op.name == "torch.call").attributes["target"] = "aten.no_such.default"
    with pytest.raises(NotImplementedError, match=r"torch.ops has no 'aten.no_such.default'"):
        ir.to_module(program)


def test_complex_weights_train():
    class Filter(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.tensor([1 + 2j, 3j, 0.5 + 0j]))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.fft.irfft(torch.fft.rfft(x) * self.weight)

    model, x = Filter(), torch.randn(4)
    module: Any = ir.to_module(ir.from_exported(torch.export.export(model, (x,))))
    for one in (model, module):
        one(x).square().sum().backward()
    assert list(dict(module.named_parameters())) == ["weight"]
    torch.testing.assert_close(module.weight.grad, model.weight.grad)


def test_what_is_missing_is_named():
    text = str(parsed(X + "%y = pd_op.no_such(%x) : f32[2,3]\n%z = pd_op.no_such(%y) : f32[2,3]\n"))
    with pytest.raises(NotImplementedError, match=r"1 operators have no function in torch.ops:\n  pd_op.no_such, 2 times"):
        ir.to_module(ir.parse(text))
    with pytest.raises(ValueError, match=r"the program has no weight 'w'"):
        ir.to_module(parsed('%w = builtin.parameter {name = "w"} : f32[2]\n'))


def test_arguments_without_gradients_are_constants():
    body = X + (
        "%one = pd_op.full {shape = [1], value = 1.0, dtype = float32} : f32[1]\n"
        "%twice = pd_op.scale(%x, %one) {bias = 1.0 : f32} : f32[2,3]\n"
        "%row = pd_op.full {shape = [1,3], value = 2.0, dtype = float32} : f32[1,3]\n"
        "%rows = pd_op.expand_as(%row, %twice) {target_shape = [2,3]} : f32[2,3]\n"
        "%y = pd_op.multiply(%rows, %x) : f32[2,3]\n"
        'pd_op.fetch(%y) {name = "y", col = 0} : f32[2,3]\n'
    )
    program = parsed(body)
    both(program, torch.randn(2, 3))
    x = torch.randn(2, 3, requires_grad=True)
    call(ir.to_module(program), x)[0].sum().backward()
    assert x.grad is not None and torch.equal(x.grad, torch.full((2, 3), 2.0))


def test_a_step_of_an_optimizer_is_not_differentiated():
    """The gradient follows from a weight that trains, and the weight that is written is a part of a file's map."""
    program = parsed(
        """
        %x = pd_op.data {name = "x", shape = [3], dtype = float32} : f32[3]
        %w = builtin.parameter {name = "w"} : f32[3]
        %b = builtin.parameter {name = "b"} : f32[3]
        %rate = builtin.parameter {name = "rate", trainable = false} : f32[]
        %0 = pd_op.multiply(%x, %w) : f32[3]
        pd_op.sgd_(%b, %rate, %0, none) : f32[3], none
        pd_op.fetch(%0) {name = "y", col = 0} : f32[3]
        """,
        rate=torch.tensor(0.5),
    )
    b = torch.zeros(6)
    program.weights.set("b", b[3:], is_mutable=True)
    program.weights.set("w", torch.ones(3))
    module, x = ir.to_module(program), torch.arange(3.0)
    module(x).sum().backward()
    assert b.tolist() == [0, 0, 0, 0, -0.5, -1]
    assert module.get_parameter("w").grad.tolist() == x.tolist() and not module.get_buffer("b").requires_grad


def test_modules_are_copied_and_pickled():
    class Model(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            return torch.fft.fft(x).real, *torch.unique(x, return_inverse=True)

    x = torch.randn(4)
    module = ir.to_module(ir.from_exported(torch.export.export(Model(), (x,))))
    for one in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        torch.testing.assert_close(one(x), Model()(x))
