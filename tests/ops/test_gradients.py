"""Gradients that are handed on as they came (`pass_through`, views), and what backward saves and calls."""

import math

import pytest
import torch

import phi_torch
from phi_torch.testing.case import floats

from . import cases


def leaf(*shape, dtype=torch.float64):
    return torch.randn(*shape, dtype=dtype, requires_grad=True)


def test_a_gradient_that_fits_is_the_incoming_one():
    x, y, grad = leaf(2, 3), leaf(2, 3), torch.randn(2, 3, dtype=torch.float64)
    for result in torch.autograd.grad(phi_torch.add(x, y), [x, y], grad):
        assert result.data_ptr() == grad.data_ptr()


def test_a_copy_and_the_left_side_of_a_difference_pass_it_on():
    x, y, grad = leaf(2, 3), leaf(2, 3), torch.randn(2, 3, dtype=torch.float64)
    of_x, of_y = torch.autograd.grad(phi_torch.subtract(x, y), [x, y], grad)
    assert of_x.data_ptr() == grad.data_ptr() and torch.equal(of_y, -grad)
    (of_x,) = torch.autograd.grad(phi_torch.assign(x), [x], grad)
    assert of_x.data_ptr() == grad.data_ptr()


def test_a_gradient_of_another_shape_is_computed():
    x, y, grad = leaf(2, 3), leaf(3), torch.randn(2, 3, dtype=torch.float64)
    of_x, of_y = torch.autograd.grad(phi_torch.add(x, y), [x, y], grad)
    assert of_x.data_ptr() == grad.data_ptr()
    torch.testing.assert_close(of_y, grad.sum(0))


def test_what_is_handed_on_is_not_shared_by_leaves():
    x, y, grad = leaf(3), leaf(3), torch.ones(3, dtype=torch.float64)
    phi_torch.add(x, y).backward(grad)
    x.grad.zero_()
    assert grad.eq(1).all() and y.grad.eq(1).all()


@pytest.mark.parametrize("shape", [(2, 3), (1, 3), (3,)])
def test_differentiates_twice(shape):
    x, y = leaf(2, 3), leaf(*shape)
    assert torch.autograd.gradgradcheck(lambda a, b: phi_torch.multiply(phi_torch.add(a, b), phi_torch.add(b, b)), (x, y))


@pytest.mark.parametrize("join", [phi_torch.concat, phi_torch.stack])
def test_what_was_joined_gets_views_of_the_gradient(join):
    x, y = leaf(2, 3), leaf(2, 3)
    out = join([x, y], -1)
    grad = torch.randn_like(out)
    for got, expected in zip(torch.autograd.grad(out, [x, y], grad), (grad.unbind(-1) if out.dim() == 3 else grad.chunk(2, -1))):
        assert got.data_ptr() == expected.data_ptr()
        torch.testing.assert_close(got, expected)
    assert torch.autograd.gradgradcheck(lambda a, b: join([a, b], 0) * join([b, a], 0), (x, y))


def test_a_gradient_that_is_no_concatenation_is_refused():
    with pytest.raises(ValueError, match=r"'out_grad': expected the size 4, that of 'x' together, along axis 1, got.*\[2, 5\]"):
        torch.ops.phi.concat_grad([torch.ones(2, 1), torch.ones(2, 3)], torch.ones(2, 5), -1)


@pytest.mark.parametrize("dynamic", [False, True])
def test_under_compiled_autograd(dynamic):
    for rows in (2, 5):
        x, y, bias = leaf(rows, 3), leaf(rows, 3), leaf(3)
        with torch._dynamo.compiled_autograd._enable(torch.compile(backend="eager", dynamic=dynamic)):
            phi_torch.add(phi_torch.add(x, y), bias).mul(2).sum().backward()
        for tensor, expected in ((x, 2.0), (y, 2.0), (bias, 2.0 * rows)):
            torch.testing.assert_close(tensor.grad, torch.full_like(tensor, expected))


def test_sizes_that_are_not_read_cost_no_memory():
    x = torch.ones(1000, 1000, requires_grad=True)
    seen = []

    class Record(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            if func is torch.ops.phi.sum_grad.default:
                seen.append(args[0].untyped_storage().nbytes())
            return func(*args, **(kwargs or {}))

    y = phi_torch.sum(x, 1)
    with Record():
        (of_x,) = torch.autograd.grad(y, [x], torch.ones(1000))
    assert seen == [x.element_size()]
    assert of_x.eq(1).all()
    (again,) = torch.autograd.grad(phi_torch.sum(x, 1), [x], torch.ones(1000))
    assert again.eq(1).all()


@pytest.mark.parametrize("shape", [(3, 1, 4), (1, 5, 1), (5, 4), (1, 1, 1), (3, 5, 1)])
@pytest.mark.parametrize("repeated", [(1, 1, 1), (1, 5, 1), (3, 1, 4), (1, 5, 4)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.complex64])
def test_a_gradient_that_repeats_is_summed_as_any_other(shape, repeated, dtype):
    gradient = torch.arange(1, math.prod(repeated) + 1).reshape(repeated).to(dtype).expand(3, 5, 4)
    for op in (torch.ops.phi.expand_grad, torch.ops.phi.add_grad):
        x = torch.zeros(shape, dtype=dtype)
        arguments = (gradient, [3, 5, 4]) if op is torch.ops.phi.expand_grad else (torch.zeros(3, 5, 4, dtype=dtype), gradient)
        found = op(x, *arguments)
        torch.testing.assert_close(found[0] if isinstance(found, tuple) else found, gradient.sum_to_size(shape))


@pytest.mark.parametrize("join", [phi_torch.broadcast_tensors, phi_torch.meshgrid])
def test_a_result_that_is_not_used_has_the_gradient_zero(join):
    x, y = torch.randn(3, requires_grad=True), torch.randn(1 if join is phi_torch.broadcast_tensors else 4, requires_grad=True)
    used = join([x, y])[1]
    gradient = torch.randn(used.shape)
    of_x, of_y = torch.autograd.grad(used, [x, y], gradient)
    assert torch.equal(of_x, torch.zeros(3))
    torch.testing.assert_close(of_y, gradient.sum_to_size(y.shape))


def test_an_exponent_that_half_types_cannot_hold_is_differentiated_twice():
    x = torch.tensor([-1.0, 0.5, 1.0], dtype=torch.float16, requires_grad=True)
    (grad,) = torch.autograd.grad(phi_torch.pow(x, 70001.0).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(grad.sum(), x)
    assert grad.tolist() == [float("inf"), 0, float("inf")] and second.tolist() == [-float("inf"), 0, float("inf")]


def test_layer_norm_of_large_equal_values_has_a_finite_gradient():
    """A row that ends within a vector: what is computed beside it must not become infinite times zero."""
    x, scale, bias = torch.full((3, 37), 2e36, requires_grad=True), torch.ones(37, requires_grad=True), torch.zeros(37)
    phi_torch.layer_norm(x, scale, bias.requires_grad_()).sum().backward()
    assert x.grad.isfinite().all()


def nodes_made(call):
    names = []
    with vars(torch.autograd.graph)["node_creation_hook"](lambda node: names.append(node.name().removeprefix("Phi"))):
        call()
    return names


@pytest.mark.skipif(not hasattr(torch.autograd.graph, "node_creation_hook"), reason="torch before 2.14")
@pytest.mark.parametrize(
    "call",
    [
        lambda ops, x: ops.relu(x),
        lambda ops, x: ops.relu_(x * 1),
        lambda ops, x: ops.relu_((x * 1)[0]),
        lambda ops, x: ops.stack([x, x * 1]),
        lambda ops, x: ops.topk(x, 2),
        lambda ops, x: torch.autograd.grad(ops.relu(x).sum(), x, create_graph=True),
    ],
)
def test_a_node_is_announced_once(call):
    x = leaf(3, 3).detach_().requires_grad_()
    x.sum()  # makes the node that accumulates
    assert nodes_made(lambda: call(phi_torch, x)) == nodes_made(lambda: call(torch, x))


@pytest.mark.skipif(not hasattr(torch.autograd.graph, "node_creation_hook"), reason="torch before 2.14")
def test_a_node_that_raises_is_announced():
    x, rate = torch.randn(3, requires_grad=True), torch.tensor(0.1)
    assert nodes_made(lambda: phi_torch.sgd_(x * 1, rate, torch.ones(3)))[-1] == "NotImplemented(phi::sgd_)"


@pytest.mark.parametrize("mode", ["bilinear", "nearest"])
@pytest.mark.parametrize("padding_mode", ["zeros", "border", "reflection"])
def test_grid_sample_differentiates_forwards(mode, padding_mode):
    x, grid = torch.randn(1, 2, 4, 5, dtype=torch.float64), torch.rand(1, 3, 3, 2, dtype=torch.float64) * 4 - 2
    along = torch.randn_like(x), torch.randn_like(grid)

    def call(x, grid):
        return phi_torch.grid_sample(x, grid, mode, padding_mode, False)

    out, tangent = torch.func.jvp(call, (x, grid), along)
    torch.testing.assert_close(out, call(x, grid))
    weights = torch.randn_like(out)
    gradients = torch.func.vjp(call, x, grid)[1](weights)
    torch.testing.assert_close((tangent * weights).sum(), sum((g * a).sum() for g, a in zip(gradients, along)))


def test_numbers_that_are_viewed_as_what_they_are_have_a_gradient():
    x, weights = leaf(2, 3), torch.randn(2, 3, dtype=torch.float64)
    (grad,) = torch.autograd.grad(phi_torch.view_dtype(x, torch.float64), x, weights)
    assert torch.equal(grad, weights)


@pytest.mark.parametrize("name", ["tanh", "sigmoid", "exp", "sqrt", "softmax", "log_softmax"])
def test_tangents_of_gradients_follow_from_saved_outputs(name):
    x, along = leaf(3).detach().abs().requires_grad_(), torch.randn(3, dtype=torch.float64)

    def call(x):
        return getattr(phi_torch, name)(x).sin().sum()

    with torch.autograd.forward_ad.dual_level():
        (gradient,) = torch.autograd.grad(call(torch.autograd.forward_ad.make_dual(x, along)), x, create_graph=True)
        tangent = torch.autograd.forward_ad.unpack_dual(gradient).tangent
    torch.testing.assert_close(tangent, torch.autograd.functional.hvp(call, x, along)[1])


# operators with lists of tensors: with kernels, views, and what has no gradient but its composite's
LISTS = {
    "concat": lambda x: phi_torch.concat([x, x * x], 0),
    "stack": lambda x: phi_torch.stack([x, x * x], 1),
    "split": lambda x: phi_torch.split(x, [1, 3], 0)[1] ** 2,
    "add_n": lambda x: phi_torch.add_n([x, x * x]),
    "meshgrid": lambda x: phi_torch.meshgrid([x[:, 0], x[0] ** 2])[1],
}


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("strategy", ["reverse-mode", "forward-mode"])
def test_jacobians_by_the_vmap_of_autograd(name, strategy):
    function, x = LISTS[name], torch.randn(4, 3, dtype=torch.float64)
    autograd = torch.autograd.functional
    found = autograd.jacobian(function, x, vectorize=True, strategy=strategy)
    torch.testing.assert_close(found, autograd.jacobian(function, x))
    loss = lambda x: (function(x) ** 3).sum()  # noqa: E731
    found = autograd.hessian(loss, x, vectorize=True, outer_jacobian_strategy=strategy)
    torch.testing.assert_close(found, autograd.hessian(loss, x))


def test_levels_of_the_vmap_of_autograd():
    def third(x):
        return torch.autograd.functional.hessian(lambda y: (LISTS["concat"](y) ** 3).sum(), x, create_graph=True, vectorize=True)

    x = torch.randn(2, 1, dtype=torch.float64)
    found = torch.autograd.functional.jacobian(third, x, vectorize=True)
    torch.testing.assert_close(found, torch.func.jacrev(torch.func.hessian(lambda y: (LISTS["concat"](y) ** 3).sum()))(x))


# inputs at which a part of a formula has no derivative
EDGES = {
    "yolo_box": lambda x: phi_torch.yolo_box(
        x.reshape(1, 7, 1, 1) * 800, torch.tensor([[50, 40]], dtype=torch.int32), [30, 20], 1, 0.01, 16, False, 1.25, True, 0.375
    ),
    "lp_pool2d": lambda x: phi_torch.lp_pool2d(x[None, None, None] + 1, [1, 2], [1, 1], norm_type=2.0),
    "lp_pool2d, adaptive": lambda x: phi_torch.lp_pool2d(x[None, None, None] + 1, [1, 2], adaptive=True, norm_type=3.0),
    "clip_by_norm": lambda x: phi_torch.clip_by_norm(x + 1, 2.0),
    "logit": lambda x: phi_torch.logit(x, 0.1),
}


@pytest.mark.parametrize("name", EDGES)
def test_gradients_at_edges_are_finite(name):
    x = torch.full((7,), -1.0, dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(sum(out.sum() for out in _as_tuple(EDGES[name](x))), x, create_graph=True)
    assert torch.isfinite(first).all()
    assert not first.requires_grad or torch.isfinite(torch.autograd.grad(first.sum(), x)[0]).all()
    tangents = torch.func.jvp(lambda t: _as_tuple(EDGES[name](t)), (x.detach(),), (torch.ones_like(x),))[1]
    assert all(torch.isfinite(t).all() for t in tangents)


def _as_tuple(outputs):
    return outputs if isinstance(outputs, tuple) else (outputs,)


@pytest.mark.parametrize("padding", [[], [1]])
@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (2, 3)], ids=str)
def test_complex_rows_have_derivatives_of_each_kind(shape, padding):
    """Of weights that require a gradient and have a tangent."""
    ids, weight = torch.arange(6)[: torch.Size(shape).numel()].reshape(shape) % 5, leaf(5, 2, dtype=torch.complex128)
    assert torch.autograd.gradcheck(lambda w: phi_torch.embedding(ids, w, *padding), weight, check_forward_ad=True)


@pytest.mark.parametrize("name", ["det", "digamma", "erfinv", "i0"])
def test_gradients_of_composites_have_tangents(name):
    """What their nodes saved is of a level that has ended when the gradient is pulled."""
    function = getattr(phi_torch, name)
    x, tangent, weight = (torch.rand(3, 3, dtype=torch.float64) / 2 for _ in range(3))

    def gradient(t):
        return torch.func.vjp(lambda u: function(u).sum(), t)[1](torch.ones((), dtype=t.dtype))[0]

    leaf_x = x.clone().requires_grad_()
    (first,) = torch.autograd.grad(function(leaf_x).sum(), leaf_x, create_graph=True)
    pulled = gradient(x)
    assert not pulled.requires_grad
    torch.testing.assert_close(pulled, first.detach())
    (second,) = torch.autograd.grad(first, leaf_x, weight)
    torch.testing.assert_close((torch.func.jvp(gradient, (x,), (tangent,))[1] * weight).sum(), (second * tangent).sum())


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("reduce", ["assign", "add", "mul", "mean", "amax"])
def test_what_is_put_along_an_axis_has_tangents(reduce, include_self):
    indices = torch.tensor([[0, 2], [3, 3]])
    x, values = torch.randn(3, 4, dtype=torch.float64), torch.randn(2, 3, dtype=torch.float64)

    def function(x, values):
        return phi_torch.put_along_axis(x, indices, values, 1, reduce, include_self)

    for of_rows, of_columns in zip(torch.func.jacrev(function, (0, 1))(x, values), torch.func.jacfwd(function, (0, 1))(x, values)):
        torch.testing.assert_close(of_rows, of_columns)
    for of_rows, of_columns in zip(
        torch.func.jacrev(torch.func.grad(lambda *t: function(*t).square().sum(), (0, 1)), (0, 1))(x, values),
        torch.func.jacfwd(torch.func.grad(lambda *t: function(*t).square().sum(), (0, 1)), (0, 1))(x, values),
    ):
        torch.testing.assert_close(of_rows, of_columns)


def _complex_case(op):
    """A call of complex numbers that is differentiated, and its inputs."""
    case = cases.case(op)
    if torch.complex128 not in case.all_dtypes or case.is_random or case.overwrites or not case.info.dense:
        return None
    for sample in case.plain_samples():
        arguments = sample.make(torch.complex128, grad=True)
        if arguments.differentiable() and any(t.requires_grad and t.numel() for t in floats(case.call(arguments))):
            return case, arguments
    return None


ZERO = {"sign"}  # in PaddlePaddle the gradient of complex numbers is that of real ones
COMPLEX = [op for op in cases.names() if op not in ZERO and _complex_case(op)]


@pytest.mark.parametrize("op", COMPLEX)
def test_gradients_of_complex_numbers_fit_their_tangents(op):
    """Both are of one derivative: the real parts of <u, J v> and of <J* u, v> are equal."""
    case, arguments = _complex_case(op)
    inputs = case.within([t.detach() for t in arguments.differentiable()])
    directions = case.within([torch.randn_like(t) for t in inputs])

    def function(*tensors):
        return [t for t in floats(case.call(arguments.with_differentiable(list(tensors)))) if t.numel()]

    try:
        tangents = torch.func.jvp(function, tuple(inputs), tuple(directions))[1]
    except NotImplementedError:
        return
    outputs, pull = torch.func.vjp(function, *inputs)
    weights = [torch.randn_like(t) for t in outputs]
    found = sum((w.conj() * t).real.sum() for w, t in zip(weights, tangents))
    torch.testing.assert_close(sum((g.conj() * v).real.sum() for g, v in zip(pull(weights), directions)), found)


@pytest.mark.parametrize("options", [{}, {"exclusive": True}, {"reverse": True}, {"flatten": True}])
def test_logarithms_of_sums_far_apart_have_tangents(options):
    x = torch.tensor([[0.0, 200.0, -300.0], [900.0, 0.0, 900.0]], dtype=torch.float64)

    def function(x):
        return phi_torch.logcumsumexp(x, **options).clamp(min=-1e3)

    torch.testing.assert_close(torch.func.jacfwd(function)(x), torch.func.jacrev(function)(x))
    assert torch.func.jvp(phi_torch.logcumsumexp, (x[:, :0],), (x[:, :0],))[1].shape == (2, 0)


@pytest.mark.parametrize("draw", [phi_torch.standard_gamma, phi_torch.dirichlet])
def test_what_has_no_gradient_in_paddle_gives_no_zeros(draw):
    x = torch.rand(3, 4) + 0.5
    with pytest.raises(NotImplementedError, match=f"derivative of phi::{draw.__name__} is not implemented"):
        draw(x.requires_grad_()).sum().backward()
    with pytest.raises(NotImplementedError, match=f"phi::{draw.__name__}"):
        torch.func.jvp(draw, (x.detach(),), (torch.ones_like(x),))


def test_the_gradient_of_poisson_is_zero():
    x = torch.rand(5, requires_grad=True)
    (grad,) = torch.autograd.grad(phi_torch.poisson(x).sum(), x)
    assert grad.eq(0).all()


@pytest.mark.parametrize("op, arguments", (("empty_like", ()), ("zeros_like", ()), ("full_like", (2.0,))))
def test_a_tensor_like_another_one_has_no_gradient(op, arguments):
    """As torch's: of `x` only the shape is read."""
    assert not getattr(phi_torch, op)(torch.ones(3, requires_grad=True), *arguments).requires_grad


@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128])
def test_the_second_gradients_of_abs_are_zero_where_it_is(dtype):
    x = torch.tensor([0, 2, -3], dtype=dtype, requires_grad=True)
    gradient = torch.ones(3, dtype=torch.float64, requires_grad=True)
    (of_x,) = torch.autograd.grad(phi_torch.abs(x), x, gradient, create_graph=True)
    seconds = torch.autograd.grad(of_x, [x, gradient], torch.ones(3, dtype=dtype))
    torch.testing.assert_close(seconds, (torch.zeros(3, dtype=dtype), torch.tensor([0.0, 1.0, -1.0], dtype=torch.float64)))
