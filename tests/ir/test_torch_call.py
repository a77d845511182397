"""`torch.call`: operators of torch in a program."""

from __future__ import annotations

import contextlib
import functools
from typing import Any

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from phi_torch import ir

HALF = functools.partial(torch.div, other=2, rounding_mode="floor")
LEAKY = torch.nn.LeakyReLU(0.5)
X = torch.arange(12.0).reshape(3, 4) - 5


def program(text: str, inputs: str = "%x", x: str = "f32[3,4]") -> ir.Program:
    """`text` on the input x; what it calls y is fetched."""
    shape = x[x.index("[") :].replace("s0", "-1")
    lines = [f'%x = pd_op.data {{name = "x", shape = {shape}, dtype = float32}} : {x}', text]
    symbols = 'symbols { s0 "x.0" >= 1 }\n' if "s0" in x else ""
    made = ir.parse(f"phi.program 1\n{symbols}program {{\n" + "\n".join(lines) + "\n}\n")
    made.refine_types()
    made.verify()
    return made


def fetch(value: str, type: str, col: int = 0) -> str:
    return f'pd_op.fetch({value}) {{name = "{value[1:]}", col = {col}}} : {type}\n'


@pytest.mark.parametrize(
    ("call", "type", "function"),
    [
        ('torch.call(%x, %x) {target = "aten.add.Tensor", alpha = 2 : i64}', "f32[3,4]", lambda x: 3 * x),
        ('torch.call(%x) {target = "aten.relu.default"}', "f32[3,4]", torch.relu),
        ('torch.call(%x) {target = "aten.sum.dim_IntList", dim = [1 : i64], keepdim = true}', "f32[3,1]", lambda x: x.sum(1, True)),
        ('torch.call(%x) {target = "aten._to_copy.default", dtype = dtype<float64>}', "f64[3,4]", lambda x: x.double()),
        ('torch.call(%x) {target = "aten.leaky_relu.default", negative_slope = 0.5 : f64}', "f32[3,4]", LEAKY),
        ('torch.call(%x) {target = "aten.div.Scalar_mode", other = 2 : i64, rounding_mode = "floor"}', "f32[3,4]", HALF),
        ('torch.call(%x) {target = "aten.transpose.int", dim0 = 0 : i64, dim1 = 1 : i64}', "f32[4,3]", lambda x: x.T),
        ('torch.call {target = "aten.arange.default", end = 5 : i64}', "i64[5]", lambda x: torch.arange(5)),
        ('torch.call(%x, %x) {target = "aten.clamp.Tensor", inputs = ["self", "max"]}', "f32[3,4]", lambda x: x),
        ('torch.call(%x, none, %x) {target = "aten.clamp.Tensor"}', "f32[3,4]", lambda x: x),
        ('torch.call(%x) {target = "aten.clone.default", memory_format = "contiguous_format"}', "f32[3,4]", lambda x: x),
    ],
)  # fmt: skip
def test_arguments(call: str, type: str, function: Any):
    run = ir.compile(program(f"%y = {call} : {type}\n" + fetch("%y", type)))
    for x in (X, X + 1):
        (found,) = run(x)
        torch.testing.assert_close(found, function(x))
        torch.testing.assert_close(run.run_poisoned(x)[0], function(x))


def test_what_follows_is_planned():
    """Shapes of results come from torch's functions for meta tensors: views and kernels after a call are bound once."""
    text = (
        '%t = torch.call(%x) {target = "aten.cos.default"} : f32[s0,4]\n'
        "%u = pd_op.reshape(%t, none) {shape = [-1]} : f32[4*s0]\n"
        "%v = pd_op.relu(%u) : f32[4*s0]\n"
    )
    text += fetch("%v", "f32[4*s0]") + fetch("%t", "f32[s0,4]", 1) + fetch("%u", "f32[4*s0]", 2)
    run = ir.compile(program(text, x="f32[s0,4]"), passes=[])
    kept = []
    for rows in (1, 3, 2, 3):
        x = torch.randn(rows, 4)
        for call in (run, run.run_poisoned):
            found = call(x)
            kept.append((found, (x.cos().reshape(-1).relu(), x.cos(), x.cos().reshape(-1))))
    for found, expected in kept:  # a later run writes over none of them
        torch.testing.assert_close(found, expected)
    assert [row.kernel for row in run.profile(x).rows][:2] == ["", "relu"]


def test_lists():
    text = (
        '%p, %q = torch.call(%x) {target = "aten.max.dim", dim = 1 : i64} : f32[3], i64[3]\n'
        '%l = torch.call(%x) {target = "aten.split.Tensor", split_size = 2 : i64, dim = 1 : i64} : vec<f32[3,2], f32[3,2]>\n'
        "%a, %b = builtin.split(%l) : f32[3,2], f32[3,2]\n"
        "%c = builtin.combine(%b, %a) : vec<f32[3,2], f32[3,2]>\n"
        '%j = torch.call(%c) {target = "aten.cat.default", dim = 1 : i64} : f32[3,4]\n'
    )
    text += fetch("%p", "f32[3]") + fetch("%q", "i64[3]", 1) + fetch("%j", "f32[3,4]", 2)
    values, indices, joined = ir.compile(program(text))(X)
    torch.testing.assert_close((values, indices), tuple(X.max(1)))
    torch.testing.assert_close(joined, torch.cat([X[:, 2:], X[:, :2]], 1))


def test_sizes_are_operands():
    text = (
        "%s = pd_op.shape64(%x) : i64[2]\n"
        '%y = torch.call(%s) {target = "aten.ones.default", inputs = ["size"]} : f32[s0,4]\n'
        "%z = pd_op.relu(%y) : f32[s0,4]\n" + fetch("%z", "f32[s0,4]")
    )
    run = ir.compile(program(text, x="f32[s0,4]"))
    for rows in (2, 5):
        assert torch.equal(run(torch.randn(rows, 4))[0], torch.ones(rows, 4))


def test_numbers_of_floating_point_are_operands():
    text = "%n = pd_op.full {shape = [], value = 2.5, dtype = float64} : f64[]\n"
    text += '%y = torch.call(%n) {target = "aten.full.default", inputs = ["fill_value"], size = [2 : i64]} : f32[2]\n'
    assert torch.equal(ir.compile(program(text + fetch("%y", "f32[2]")))(X)[0], torch.full((2,), 2.5))


def test_a_dtype_may_be_another_one_on_meta():
    text = "%x16 = pd_op.cast(%x) {dtype = bfloat16} : bf16[2,4]\n"
    text += '%y, %mean, %rstd = torch.call(%x16) {target = "aten.native_layer_norm.default", eps = 1e-05 : f64, '
    text += "normalized_shape = [2 : i64, 4 : i64]} : bf16[2,4], bf16[1,1], bf16[1,1]\n"
    run = ir.compile(program(text + fetch("%mean", "bf16[1,1]"), x="f32[2,4]"))
    x = torch.randn(2, 4)
    assert torch.equal(run(x)[0], torch.native_layer_norm(x.bfloat16(), (2, 4), None, None, 1e-5)[1])


def test_shapes_that_depend_on_data():
    text = '%y = torch.call(%x) {target = "aten.nonzero.default"} : i64[?,2]\n%z = pd_op.add(%y, %y) : i64[?,2]\n'
    run = ir.compile(program(text + fetch("%z", "i64[?,2]")))
    for x in (X, X.relu()):
        assert torch.equal(run(x)[0], 2 * x.nonzero())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('torch.call(%x) {target = "aten.nope.default"}', "torch has no operator 'aten.nope.default'"),
        ('torch.call(%x) {target = "relu"}', "expected 'namespace.operator.overload'"),
        ('torch.call(%x) {target = "aten.relu_.default"}', "writes its arguments"),
        ('torch.call(%x) {target = "aten.size.int", dim = 0 : i64}', "a result is no tensor"),
        ('torch.call(%x) {target = "aten.add.Tensor"}', r"argument 'other' of aten::add.Tensor.*: it is missing"),
        ('torch.call(%x, %x, %x) {target = "aten.add.Tensor"}', "expected 2 operands, got 3; the schema is aten::add.Tensor"),
        ('torch.call(%x) {target = "aten.relu.default", slope = 1 : i64}', "attribute 'slope' is no argument of aten::relu"),
        ('torch.call(%x) {target = "aten.sum.dim_IntList", dim = "a"}', r"argument 'dim' .*expected int\[\], got \"a\""),
        ('torch.call(%x) {target = "aten.relu.default", inputs = ["x"]}', "attribute 'inputs': \"x\" is no argument"),
        ('torch.call(%x) {target = "aten.max.dim", dim = 0 : i64}', "expected 2 results, got 1"),
    ],
)
def test_errors_of_compiling(call: str, message: str):
    with pytest.raises((ValueError, NotImplementedError), match=message):
        ir.compile(program(f"%y = {call} : f32[3,4]\n" + fetch("%y", "f32[3,4]")))


def test_errors_of_runs_name_the_operation():
    text = '%y = torch.call(%x, %x) {target = "aten.mm.default"} : f32[?,?]  loc("/mm")\n'
    run = ir.compile(program(text + fetch("%y", "f32[?,?]")))
    for _ in range(2):
        with pytest.raises((ValueError, RuntimeError), match=r"'torch.call'.*/mm.*f32\[3,4\].*mat1 and mat2") as caught:
            run(X)
        assert "\n" not in str(caught.value)  # no frames of C++


def test_internal_operators_read_contiguous_tensors():
    """Torch's own attention for CPUs takes it that the last dimension lies together: a caller checks that."""
    call = '%y, %l = torch.call(%t, %t, %t) {target = "aten._scaled_dot_product_flash_attention_for_cpu.default"}'
    text = f"%t = pd_op.transpose(%x) {{perm = [0,1,3,2]}} : f32[1,2,6,4]\n{call} : f32[1,2,6,4], f32[1,2,6]\n"
    made, x = program(text + fetch("%y", "f32[1,2,6,4]"), x="f32[1,2,4,6]"), torch.randn(1, 2, 4, 6)
    y = torch.nn.functional.scaled_dot_product_attention(x.mT, x.mT, x.mT)
    torch.testing.assert_close(ir.compile(made)(x)[0], y)
    torch.testing.assert_close(ir.to_module(made)(x), y)


def test_views_are_made_of_contiguous_tensors():
    """Those that see a last dimension as another type, as complex numbers, need it to lie together."""
    call = '%y = torch.call(%t) {target = "aten.view.dtype", dtype = dtype<int64>}'
    text = f"%t = pd_op.transpose(%x) {{perm = [1,0]}} : f32[3,4]\n{call} : i64[3,2]\n"
    made, x = program(text + fetch("%y", "i64[3,2]"), x="f32[4,3]"), torch.randn(4, 3)
    for found in (ir.compile(made)(x)[0], ir.to_module(made)(x)):
        assert torch.equal(found, x.T.contiguous().view(torch.int64))


def test_planning_draws_no_random_numbers():
    text = '%r = torch.call {target = "aten.rand.default", size = [4 : i64]} : f32[4]\n%y = pd_op.add(%x, %r) : f32[3,4]\n'
    run = ir.compile(program(text + fetch("%y", "f32[3,4]")))
    torch.manual_seed(3)
    (found,) = run(X)
    torch.manual_seed(3)
    torch.testing.assert_close(found, X + torch.rand(4))


def test_a_result_that_is_no_tensor_is_empty():
    """oneDNN's layer notes nothing for a gradient where none is wanted, and says an empty tensor."""
    layer, x = torch.nn.LSTM(3, 4), torch.randn(5, 2, 3)
    state = [torch.zeros(1, 2, 4) for _ in range(2)]

    def call(x: torch.Tensor, *rest: torch.Tensor) -> Any:
        return torch.ops.aten.mkldnn_rnn_layer(x, *rest, False, [], 2, 4, 1, True, False, False, False)

    given = (x, *(one.detach() for one in layer._flat_weights), *state)
    run = ir.compile(ir.from_fx(make_fx(call, tracing_mode="fake")(*given), given))
    for is_enabled in (False, True):  # a program is below autograd, where the layer is to note nothing either
        with torch.set_grad_enabled(is_enabled):
            found = run(*given)
        torch.testing.assert_close(found[0], layer(x)[0].detach())
        assert found[3].shape == (0,)


def test_a_layer_of_onednn_gets_contiguous_tensors():
    """It reads no strides; that of a model with `batch_first` gets a transposed copy, which passes take for the view itself."""
    layer = torch.nn.LSTM(3, 4, batch_first=True)
    x, state, weights = torch.randn(5, 2, 3), torch.zeros(1, 5, 4), [one.detach() for one in layer._flat_weights]

    def call(x: torch.Tensor, *rest: torch.Tensor) -> Any:
        return torch.lstm(x, [state, state], list(rest), True, 1, 0.0, False, False, True)[0]

    with torch.no_grad():
        y = layer(x)[0]
        torch.testing.assert_close(torch.compile(call, backend="phi")(x, *weights), y)
        module = ir.to_module(ir.from_fx(make_fx(call)(x, *weights), (x, *weights)))
        torch.testing.assert_close(module(x, *weights), y)


def test_a_layer_of_onednn_does_not_train_as_a_program():
    """Its gradient would read an empty tensor, and crash."""
    layer, state = torch.nn.LSTM(3, 4), torch.zeros(1, 2, 4)

    def call(x: torch.Tensor, *weights: torch.Tensor) -> Any:
        return torch.lstm(x, [state, state], list(weights), True, 1, 0.0, True, False, False)[0]

    words = "forward graph runs as it is: node .*mkldnn_rnn_layer.*does not keep"
    with pytest.warns(UserWarning, match=words), contextlib.suppress(AssertionError):  # AOTAutograd's, whose backend is not asked
        torch.compile(call, backend="phi")(torch.randn(5, 2, 3), *layer._flat_weights)


def test_planning_has_no_effects(capfd: pytest.CaptureFixture[str]):
    run = ir.compile(program('torch.call {target = "aten._print.default", s = "once"}\n' + fetch("%x", "f32[3,4]")))
    run(X)
    assert capfd.readouterr().out.count("once") == 1


def test_tensors_whose_memory_does_not_hold_their_numbers():
    """Zero tensors, as forward mode makes them, and lazy conjugates: as results, inputs and weights."""
    text = '%z = torch.call {target = "aten._efficientzerotensor.default", size = [3 : i64, 4 : i64]} : f32[3,4]\n'
    run = ir.compile(program(text + "%y = pd_op.add(%x, %z) : f32[3,4]\n" + fetch("%y", "f32[3,4]")))
    zero = torch._efficientzerotensor(3, 4)
    for x in (X, zero):
        assert torch.equal(run(x)[0], X if x is X else torch.zeros(3, 4))

    model, conjugate = torch.nn.Module(), torch.tensor([1 + 2j, 3 - 1j]).conj()
    model.register_buffer("weight", conjugate)
    model.forward = lambda x: x * model.weight
    (found,) = ir.compile(model, (torch.ones(2),))(torch.ones(2))
    assert torch.equal(found, conjugate)
    for lazy in (zero, conjugate):
        with pytest.raises(ValueError, match="no lazy tensor"):
            program(fetch("%x", "f32[3,4]")).weights.set("w", lazy)


@pytest.mark.parametrize(
    ("text", "said"),
    [  # the first is torch's operator, the second a composite in Python that finds a wrong index
        ('%y = torch.call(%x) {target = "aten.flip.default", dims = [5 : i64]} : f32[3,4]', "Dimension out of range"),
        (
            "%wrong = pd_op.full {shape = [3,2,1], value = 7.0, dtype = int64} : i64[3,2,1]\n"
            "%y = pd_op.gather_tree(%wrong, %wrong) : i64[3,2,1]",
            r"'pd_op.gather_tree'.*: phi::gather_tree: argument 'parents': expected numbers in \[0, 1\), got 7",
        ),
    ],
    ids=["torch", "python"],
)
def test_errors_keep_their_class(text: str, said: str):
    result = text.rpartition(": ")[2]
    with pytest.raises(IndexError, match=said) as error:
        ir.compile(program(f"{text}\n{fetch('%y', result)}"), passes=[])(X)
    assert "\nAt:" not in str(error.value)
