"""PD_BUILD_OP: what is written for Paddle is a complete operator of torch."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import pytest
import torch
from torch._dynamo.testing import CompileCounter, CompileCounterWithBackend
from torch.autograd import gradcheck, gradgradcheck

import phi_torch
from phi_torch.testing import CHECKS, Sample, T, check_op

from ._paddle_calls import SOURCES


@pytest.fixture(scope="module", autouse=True)
def library(build_sources):
    assert build_sources("paddle_ops", SOURCES) == []


ops = torch.ops.paddle_ops


def double(*shape, **options):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True, **options)


# ---- values, and gradients of any order ----


@pytest.mark.skipif(not hasattr(torch.autograd.graph, "node_creation_hook"), reason="torch before 2.14")
def test_a_node_is_announced_once():
    x, names = double(2, 3), []
    x.sum()  # makes the node that accumulates
    with vars(torch.autograd.graph)["node_creation_hook"](lambda node: names.append(node.name())):
        out = ops.scaled_tanh(x, 2.0)
    assert names == [out.grad_fn.name()]


def test_forward_and_schema():
    x = torch.randn(2, 3)
    torch.testing.assert_close(ops.scaled_tanh(x, 2.0), 2 * torch.tanh(x))
    assert str(ops.scaled_tanh.default._schema) == "paddle_ops::scaled_tanh(Tensor X, float scale) -> Tensor"
    schema = "paddle_ops::scaled_tanh_grad(Tensor Out, Tensor Out_grad, float scale) -> Tensor"
    assert str(ops.scaled_tanh_grad.default._schema) == schema


def test_functions_of_what_load_returns(library):
    module = sys.modules["phi_torch.extensions.paddle_ops"]
    x, y = torch.randn(2, 3), torch.ones(2, 3)
    assert torch.equal(module.scaled_tanh(x, scale=2.0), ops.scaled_tanh(x, 2.0))
    assert str(inspect.signature(module.scaled_tanh)) == "(X: 'Tensor', scale: 'float') -> 'Tensor'"
    assert str(inspect.signature(module.add_optional)) == "(X: 'Tensor', Y: 'Tensor | None') -> 'Tensor'"
    assert str(inspect.signature(module.weighted_sum)) == "(X: 'Sequence[Tensor]', weights: 'Sequence[float]') -> 'Tensor'"
    assert re.search(
        r"^scaled_tanh\(X: Tensor, scale: float\) -> Tensor\n\nPD_BUILD_OP\(scaled_tanh\) at ", module.scaled_tanh.__doc__
    )
    assert "It is differentiated by `scaled_tanh_grad`." in module.scaled_tanh.__doc__
    assert "It has no gradient." in module.negate.__doc__
    assert "It overwrites 'X'." in module.add_inplace.__doc__
    assert torch.equal(module.add_inplace(x.clone(), y, 1.0), x + y)
    assert set(module.__all__) >= {"scaled_tanh", "scaled_tanh_grad", "scaled_tanh_grad_grad", "linear"}
    compiled = torch.compile(module.scaled_tanh, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(x, 2.0), 2 * torch.tanh(x))
    assert phi_torch.registry.info("paddle_ops::scaled_tanh").order == "twice"


@pytest.mark.parametrize(
    ("op", "sample", "reference"),
    [
        ("scaled_tanh", Sample(T(3, 4), 2.0), lambda x, scale: scale * torch.tanh(x)),
        ("weighted_sum", Sample([T(3), T(3)], [1.0, 2.0]), lambda x, weights: x[0] * weights[0] + x[1] * weights[1]),
        ("add_optional", Sample(T(3, 4), None), lambda x, y: 2 * x),
        ("add_inplace", Sample(T(3, 4), T(3, 4), 2.0), lambda x, y, scale: x + scale * y),
        ("linear", Sample(T(2, 3), T(3, 4), T(4, grad=False)), lambda x, w, b: x @ w + b),
    ],
)
def test_the_battery_runs_on_them(op, sample, reference):
    over_numbers = op not in ("add_inplace", "linear")  # their shapes are traced for each size
    checks = [name for name in CHECKS if name not in ("compile", "export") or not over_numbers]
    check_op(f"paddle_ops::{op}", [sample], reference, checks=checks)


def test_arguments_have_any_strides():
    x = torch.randn(4, 6)
    torch.testing.assert_close(ops.scaled_tanh(x.t()[::2], 1.0), torch.tanh(x.t()[::2]))
    torch.testing.assert_close(ops.scaled_tanh(torch.ones(()).expand(3), 1.0), torch.tanh(torch.ones(3)))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_dispatched_types(dtype):
    x = torch.randn(5, dtype=dtype, requires_grad=True)
    out = ops.relu_out(x)
    out.sum().backward()
    torch.testing.assert_close(out, torch.relu(x))
    torch.testing.assert_close(x.grad, (x > 0).to(dtype))


def test_gradcheck():
    assert gradcheck(lambda x: ops.scaled_tanh(x, 1.5), [double(2, 3)])
    assert gradcheck(ops.relu_out, [double(4)])
    assert gradcheck(ops.identity, [double(4)])
    assert gradcheck(lambda x: ops.affine(x, 3.0, [1.0, 2.0], "sum"), [double(4)])
    assert gradcheck(lambda *x: ops.weighted_sum(x, [1.0, 2.0, -3.0]), [double(2) for _ in range(3)], check_batched_grad=True)
    assert gradcheck(ops.add_optional, [double(3), double(3)])
    assert gradcheck(ops.add_optional, [double(3), None])
    assert gradcheck(lambda x: ops.split_number(x * 10)[0], [torch.tensor([0.25, -0.33], dtype=torch.float64, requires_grad=True)])


def test_double_backward():
    assert gradgradcheck(lambda x: ops.scaled_tanh(x, 1.5), [double(2, 3)])
    x = double(3)
    hessian = torch.autograd.functional.hessian(lambda x: ops.scaled_tanh(x, 1.0).sum(), x)
    expected = torch.autograd.functional.hessian(lambda x: torch.tanh(x).sum(), x)
    torch.testing.assert_close(hessian, expected)


def test_derivatives_that_are_not_declared_are_errors():
    x = double(3)
    with pytest.raises(NotImplementedError, match=r"paddle_ops::negate.*PD_BUILD_GRAD_OP\(negate\)"):
        ops.negate(x).sum().backward()
    (grad,) = torch.autograd.grad(ops.relu_out(x).sum(), x, create_graph=True)
    with pytest.raises(NotImplementedError, match=r"relu_out_grad.*PD_BUILD_DOUBLE_GRAD_OP\(relu_out\)"):
        grad.sum().backward()
    (grad,) = torch.autograd.grad(ops.scaled_tanh(x, 1.0).sum(), x, create_graph=True)
    (grad,) = torch.autograd.grad(grad.sum(), x, create_graph=True)
    with pytest.raises(NotImplementedError, match="scaled_tanh_grad_grad.*twice at most"):
        grad.sum().backward()


def test_inputs_without_a_declared_gradient_get_none():
    x, w, b = double(2, 3), double(3, 4), double(4)
    ops.linear(x, w, b).sum().backward()
    torch.testing.assert_close(x.grad, torch.ones(2, 4).double() @ w.T)
    assert b.grad is None


def test_outputs_of_integers_have_no_gradient():
    x = torch.tensor([1.5, -2.25], requires_grad=True)
    rest, whole = ops.split_number(x)
    assert whole.dtype == torch.int64 and not whole.requires_grad
    torch.testing.assert_close(whole, torch.tensor([1, -2]))
    rest.sum().backward()
    torch.testing.assert_close(x.grad, torch.ones(2))


def test_results_share_no_memory_with_arguments():
    x = torch.randn(4)
    out = ops.identity(x)
    assert out.data_ptr() != x.data_ptr()
    part = ops.rows(x, 1, 3)
    part.zero_()
    assert x[1:3].count_nonzero() == 2


def test_a_kernel_overwrites_only_what_is_declared():
    x = torch.arange(3.0)
    torch.testing.assert_close(ops.scribble(x), torch.arange(3.0))
    torch.testing.assert_close(x, torch.arange(3.0))


@pytest.mark.gpu
def test_on_a_gpu():
    x, w, b = (torch.randn(shape, device="cuda", requires_grad=True) for shape in ((2, 3), (3, 4), (4,)))
    out = ops.linear(x, w, b)
    torch.testing.assert_close(out, x @ w + b)
    out.sum().backward()
    torch.testing.assert_close(w.grad, x.sum(0)[:, None].expand(3, 4))


# ---- attributes, lists, optional tensors ----

ATTRIBUTES = (True, 7, 0.5, 0.1, 10**12, "text", [1, 2, 3], [0.25], [10**12, -1], ["a", "bc"])
ROW = [1, 7, 0.5, 0.1, 1e12, 4, 2, 1, 2, 3, 0.25, 1e12, -1, 1, 2]


def test_attributes_of_every_type():
    x = torch.zeros(1)
    torch.testing.assert_close(ops.all_attributes(x, *ATTRIBUTES), torch.tensor(ROW, dtype=torch.float64))
    by_name = dict(zip(["flag", "number", "ratio", "precise", "big", "text", "numbers", "ratios", "bigs", "texts"], ATTRIBUTES))
    torch.testing.assert_close(ops.all_attributes(X=x, **by_name), torch.tensor(ROW, dtype=torch.float64))
    assert ops.all_attributes(x.to("meta"), *ATTRIBUTES).shape == (15,)


def test_attributes_out_of_range():
    with pytest.raises(IndexError, match="all_attributes.*'number'.*32-bit.*got 1099511627776"):
        ops.all_attributes(torch.zeros(1), True, 2**40, *ATTRIBUTES[2:])
    with pytest.raises(RuntimeError, match="affine: .*mode: expected sum or first, got mean"):
        ops.affine(torch.zeros(1), 1.0, [1.0], "mean")


def test_optional_tensors():
    x, y = torch.randn(3), torch.randn(3)
    torch.testing.assert_close(ops.add_optional(x, y), x + y)
    torch.testing.assert_close(ops.add_optional(x, None), 2 * x)
    torch.testing.assert_close(ops.add_all(x, [y, y]), x + 2 * y)
    torch.testing.assert_close(ops.add_all(x, None), x)


def test_undefined_gradients_are_zero():
    """Only one of two outputs takes part in the loss."""
    x, y = double(3), torch.zeros(3, dtype=torch.float64)
    out = ops.add_both(x, y)
    y.requires_grad_()
    out.sum().backward()
    torch.testing.assert_close(x.grad, torch.full((3,), 2.0).double())


# ---- in place ----


def test_inplace_values_and_version():
    x, y = torch.randn(3), torch.randn(3)
    expected, version = x + 2 * y, x._version
    out = ops.add_inplace(x, y, 2.0)
    assert out is x and x._version == version + 1
    torch.testing.assert_close(x, expected)


def test_inplace_on_any_strides():
    base = torch.randn(3, 4)
    expected = base.clone().t() + 1
    ops.add_inplace(base.t(), torch.ones(4, 3), 1.0)
    torch.testing.assert_close(base.t(), expected)


def test_inplace_gradients():
    assert gradcheck(lambda x, y: ops.add_inplace(x.clone(), y, 3.0), [double(3), double(3)])
    assert gradcheck(lambda x: ops.relu_inplace(x * 1), [double(5)])
    leaf = double(3)
    with pytest.raises(RuntimeError, match="leaf Variable"):
        ops.relu_inplace(leaf)
    used = leaf * 1
    product = used * used
    ops.relu_inplace(used)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.sum().backward()


def test_inplace_on_a_view():
    x = double(4)
    base = x * 1
    ops.relu_inplace(base[:2])
    base.sum().backward()
    torch.testing.assert_close(x.grad, torch.cat([(x[:2] > 0).double(), torch.ones(2).double()]))


def test_two_inplace_arguments():
    x, a, b, y = (torch.randn(3) for _ in range(4))
    expected = (x + a, x * y, b + y)
    versions = x._version, b._version
    product = ops.two_inplace(x, a, b, y)
    for got, want in zip((x, product, b), expected):
        torch.testing.assert_close(got, want)
    assert (x._version, b._version) == (versions[0] + 1, versions[1] + 1)
    functional = ops.two_inplace_functional(*(torch.ones(3) for _ in range(4)))
    torch.testing.assert_close(functional[0], torch.full((3,), 2.0))


@pytest.mark.parametrize(
    "call",
    [
        lambda x: ops.add_inplace(x[1:], x[:-1], 1.0),  # a part
        lambda x: ops.add_inplace(x[0].expand(2, 4), x[1:3], 1.0),  # itself
        lambda x: ops.two_inplace(x, x.new_ones(4, 4), x, x.new_ones(4, 4)),  # two that are overwritten
        lambda x: ops.two_inplace(x[:2], x.new_ones(2, 4), x[1:3], x.new_ones(2, 4)),
        lambda x: ops.add_to_list([x[0], x[0]], x[1]),
        lambda x: ops.add_to_list([x[0], x[1]], x[1]),
    ],
)
def test_inplace_refuses_shared_memory(call):
    for x in (torch.ones(4, 4, device="meta"), torch.ones(4, 4)):
        with pytest.raises(RuntimeError, match="written|shares"):
            call(x)
    assert torch.equal(x, torch.ones(4, 4))


def test_inplace_lists():
    x, y = [torch.zeros(2), torch.ones(2)], torch.ones(2)
    assert ops.add_to_list(x, y) is None
    torch.testing.assert_close(x, [torch.ones(2), torch.full((2,), 2.0)])

    def run(a, b, y):
        tensors = [a * 1, b * 1]
        ops.add_to_list(tensors, y)
        return tuple(tensors)

    assert gradcheck(run, [double(2), double(2), double(2)])


def test_inplace_optional():
    assert gradcheck(lambda x: ops.add_both(x, None), [double(2)])

    def run(x, y):
        y = y * 1
        return ops.add_both(x, y), y

    assert gradcheck(run, [double(2), double(2)])


# ---- transforms, compilation, export ----


def test_func_transforms():
    x = torch.randn(3, dtype=torch.float64)
    grad = torch.func.grad(lambda x: ops.scaled_tanh(x, 1.0).sum())
    torch.testing.assert_close(grad(x), 1 - torch.tanh(x) ** 2)
    torch.testing.assert_close(torch.func.jacrev(ops.relu_out)(x), torch.diag((x > 0).double()))
    torch.testing.assert_close(torch.func.grad(lambda x: grad(x).sum())(x), -2 * torch.tanh(x) * (1 - torch.tanh(x) ** 2))
    with pytest.raises(NotImplementedError, match=r"forward-mode.*paddle_ops::scaled_tanh"):
        torch.func.jvp(lambda x: ops.scaled_tanh(x, 1.0), (x,), (x,))


@pytest.mark.parametrize("in_dim", [0, 1])
def test_vmap(in_dim):
    x = torch.randn(3, 4)
    torch.testing.assert_close(torch.vmap(lambda x: ops.scaled_tanh(x, 1.0), in_dim)(x), torch.tanh(x if in_dim == 0 else x.T))
    y = torch.randn(4 if in_dim == 0 else 3)
    torch.testing.assert_close(torch.vmap(lambda x: ops.add_optional(x, y), in_dim)(x), (x if in_dim == 0 else x.T) + y)
    batch = x.clone()
    torch.vmap(lambda x: ops.add_inplace(x, y, 1.0), in_dim)(batch)
    torch.testing.assert_close(batch, x + (y if in_dim == 0 else y[:, None]))
    per_sample = torch.vmap(torch.func.grad(lambda x: ops.scaled_tanh(x, 1.0).sum()), in_dim)
    torch.testing.assert_close(per_sample(x), 1 - torch.tanh(x if in_dim == 0 else x.T) ** 2)


def test_vmap_does_not_overwrite_what_is_not_batched():
    with pytest.raises(RuntimeError, match="vmap: paddle_ops::add_inplace cannot overwrite its argument 'X'"):
        torch.vmap(lambda y: ops.add_inplace(torch.zeros(4), y, 1.0))(torch.ones(3, 4))


def test_functionalize():
    def run(x, y):
        x = x * 1
        ops.add_inplace(x, y, 2.0)
        tensors = [x * 2, x * 3]
        ops.add_to_list(tensors, y)
        return tensors[0] + tensors[1]

    x, y = torch.randn(3), torch.randn(3)
    graph = torch.fx.experimental.proxy_tensor.make_fx(torch.func.functionalize(run))(x, y)
    torch.testing.assert_close(graph(x, y), run(x, y))
    assert "add_inplace_functional" in graph.code and "add_to_list_functional" in graph.code


def forward_and_backward(x, y):
    z = ops.scaled_tanh(x, 2.0)
    z = ops.add_inplace(z * 1, y, 3.0)
    z = ops.weighted_sum([z, ops.add_optional(x, None)], [1.0, 0.5])
    return ops.split_number(z)[0]


def run_with_gradients(function, *given):
    tensors = [t.detach().clone().requires_grad_() for t in given]
    out = function(*tensors)
    out.square().sum().backward()
    return [out.detach(), *(t.grad for t in tensors)]


@pytest.mark.parametrize("backend", ["aot_eager", pytest.param("inductor", marks=pytest.mark.slow)])
def test_compile(backend):
    counter = CompileCounterWithBackend(backend)
    compiled = torch.compile(forward_and_backward, backend=counter, fullgraph=True, dynamic=False)
    x, y = torch.randn(3, 4), torch.randn(3, 4)
    torch.testing.assert_close(run_with_gradients(compiled, x, y), run_with_gradients(forward_and_backward, x, y))
    assert counter.frame_count == 1


def test_compile_with_dynamic_shapes():
    """By Paddle's own rules, and by functions over paddle::SymInt, one compilation serves all sizes."""

    def run(x, w, b):
        return ops.relu_out(ops.linear(x, w, b))

    counter = CompileCounter()
    compiled = torch.compile(run, backend=counter, fullgraph=True, dynamic=True)
    for n in (2, 3, 5):
        x, w, b = torch.randn(n, n + 1), torch.randn(n + 1, n + 2), torch.randn(n + 2)
        torch.testing.assert_close(compiled(x, w, b), run(x, w, b))
    assert counter.frame_count == 1


def test_a_function_over_numbers_compiles_for_each_size():
    counter = CompileCounter()
    compiled = torch.compile(lambda x: ops.rows(x, 0, 2), backend=counter, fullgraph=True, dynamic=True)
    for n in (3, 4, 3):
        assert compiled(torch.randn(n)).shape == (2,)
    assert counter.frame_count == 2


def test_compiled_autograd():
    x, y = torch.randn(3, 4), torch.randn(3, 4)
    expected = run_with_gradients(forward_and_backward, x, y)
    with torch._dynamo.config.patch(compiled_autograd=True):
        compiled = torch.compile(lambda x, y: run_with_gradients(forward_and_backward, x, y), backend="aot_eager")
        for _ in range(2):
            torch.testing.assert_close(compiled(x, y), expected)


def test_export():
    class Module(torch.nn.Module):
        def forward(self, x, w, b):
            return ops.relu_out(ops.linear(x, w, b))

    n = torch.export.Dim("n", min=2)
    x, w, b = torch.randn(4, 3), torch.randn(3, 2), torch.randn(2)
    program = torch.export.export(Module(), (x, w, b), dynamic_shapes=({0: n}, None, None))
    x = torch.randn(7, 3)
    torch.testing.assert_close(program.module()(x, w, b), torch.relu(x @ w + b))


def test_what_is_known_only_from_data_does_not_compile():
    x = torch.tensor([1.0, -1.0, 2.0])
    torch.testing.assert_close(ops.positive(x), torch.tensor([1.0, 2.0]))
    with pytest.raises(NotImplementedError, match="positive: .*the InferShape function gives output Out a size of -1"):
        ops.positive(x.to("meta"))
    torch.testing.assert_close(ops.unknown(x, x), 2 * x)
    with pytest.raises(NotImplementedError, match=r"unknown: .*the shape or the data type of output Out.*SetInferShapeFn"):
        ops.unknown(x.to("meta"), x.to("meta"))


@pytest.mark.parametrize(
    ("op", "arguments"),
    [
        ("scaled_tanh", (torch.randn(3, requires_grad=True), 2.0)),
        ("relu_out", (torch.randn(3, requires_grad=True),)),
        ("weighted_sum", ([torch.randn(3, requires_grad=True), torch.randn(3)], [1.0, 2.0])),
        ("add_optional", (torch.randn(3, requires_grad=True), None)),
        ("split_number", (torch.randn(3, requires_grad=True),)),
        ("add_inplace", (torch.randn(3, requires_grad=True) * 1, torch.randn(3), 2.0)),
        ("two_inplace", tuple(torch.randn(3) for _ in range(4))),
        ("linear", (torch.randn(2, 3, requires_grad=True), torch.randn(3, 4), torch.randn(4))),
    ],
)
def test_opcheck(op, arguments):
    torch.library.opcheck(getattr(ops, op).default, arguments)


def test_the_guide(build_sources, tmp_path):
    """The example of docs/porting.md."""
    text = (Path(__file__).parents[2] / "docs" / "porting.md").read_text()
    source = tmp_path / "leaky.cc"
    source.write_text(re.search(r"```cpp\n(.*?)```", text, re.DOTALL)[1])
    assert build_sources("leaky_ext", [source]) == []
    assert gradcheck(lambda x: torch.ops.leaky_ext.leaky(x, 0.5), [double(5)])
