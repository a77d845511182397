"""Unary operators on sparse tensors: the kernel of dense tensors on the elements that are stored."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

import phi_torch
from phi_torch import legacy
from phi_torch._op_table import OPS

UNARY = sorted(name for name, op in OPS.items() if f"{name}_coo" in op.kernels)
DIFFERENTIABLE = [name for name in UNARY if OPS[name].backward]
ATTRIBUTES = {"leaky_relu": (0.1,), "pow": (3.0,), "scale": (2.0, 0.5)}
KINDS: dict[str, Callable[[Tensor], Tensor]] = {
    "coo": Tensor.to_sparse,
    "hybrid": lambda x: x.to_sparse(1),
    "csr": Tensor.to_sparse_csr,
}


def function(name: str) -> Callable[[Tensor], Tensor]:
    op, attributes = getattr(phi_torch, name), ATTRIBUTES.get(name, ())
    return lambda x: op(x, *attributes)


def dense(name: str) -> Tensor:
    """A third of it zeros, the rest where the operator is defined."""
    x = torch.rand(5, 7, dtype=torch.float64) * 0.8 + 0.1
    if name != "sqrt":
        x[:, ::2] *= -1
    x[torch.arange(35).view(5, 7) % 3 == 0] = 0
    x[3] = 0
    return x


def pattern(x: Tensor) -> list[Tensor]:
    return [x._indices()] if x.layout is torch.sparse_coo else [x.crow_indices(), x.col_indices()]


def elements(x: Tensor) -> Tensor:
    return x._values() if x.layout is torch.sparse_coo else x.values()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", UNARY)
def test_the_elements_of_a_sparse_tensor(name: str, kind: str):
    f, x = function(name), KINDS[kind](dense(name))
    out = f(x)
    assert out.layout is x.layout and all(map(torch.equal, pattern(out), pattern(x)))
    torch.testing.assert_close(elements(out), f(elements(x)), equal_nan=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_a_gradient_has_the_pattern_of_x(name: str, kind: str):
    f, x, weight = function(name), KINDS[kind](dense(name)), torch.rand(5, 7, dtype=torch.float64)
    leaf = x.clone().requires_grad_()
    (f(leaf).to_dense() * weight).sum().backward()
    assert leaf.grad is not None and leaf.grad.layout is x.layout and all(map(torch.equal, pattern(leaf.grad), pattern(x)))
    values = elements(x).clone().requires_grad_()
    (f(values) * elements(weight.sparse_mask(x))).sum().backward()
    torch.testing.assert_close(elements(leaf.grad), values.grad, equal_nan=True)


@pytest.mark.parametrize("kind", KINDS)
def test_the_gradient_of_an_output_may_have_another_pattern(kind: str):
    x, other = dense("square"), torch.rand(5, 7, dtype=torch.float64)
    other[torch.arange(35).view(5, 7) % 2 == 0] = 0
    grad = torch.ops.phi.square_grad(KINDS[kind](x), KINDS[kind](other))
    assert all(map(torch.equal, pattern(grad), pattern(KINDS[kind](x))))
    torch.testing.assert_close(grad.to_dense(), 2 * x * other)


@pytest.mark.parametrize("make", [Tensor.to_sparse, Tensor.to_sparse_csr])
def test_sparse_gradients_are_checked(make: Callable[[Tensor], Tensor]):
    with pytest.raises(ValueError, match=r"square_grad.*'out_grad'"):
        torch.ops.phi.square_grad(make(torch.ones(2, 3)), make(torch.ones(3, 2)))
    with pytest.raises(NotImplementedError, match=r"square_grad.*no kernel.*there are"):
        torch.ops.phi.square_grad(make(torch.ones(2, 3)), torch.ones(2, 3))


def test_elements_that_occur_twice_add_up_first():
    x = torch.sparse_coo_tensor(torch.tensor([[0, 1, 0], [2, 0, 2]]), torch.tensor([1.0, 2.0, 3.0]), (2, 3), check_invariants=True)
    out = phi_torch.square(x)
    assert out.is_coalesced() and out.to_dense().tolist() == [[0, 0, 16], [4, 0, 0]]


@pytest.mark.parametrize("kind", ["coo", "csr"])
def test_dtypes_of_sparse_results(kind: str):
    x = KINDS[kind](torch.tensor([[0, 4], [9, 0]]))
    out = phi_torch.sqrt(x)
    assert out.dtype is torch.float32 and out.to_dense().tolist() == [[0, 2], [3, 0]]
    assert phi_torch.isnan(KINDS[kind](torch.tensor([[0, 1], [torch.nan, 0]]))).values().tolist() == [False, True]
    length = phi_torch.abs(KINDS[kind](torch.tensor([[0, 3 + 4j], [0, 0]])))
    assert length.dtype is torch.float32 and length.values().tolist() == [5]


@pytest.mark.parametrize("kind", KINDS)
def test_no_elements(kind: str):
    x = KINDS[kind](torch.zeros(3, 4)).requires_grad_()
    out = phi_torch.tanh(x)
    assert out.shape == x.shape and out._nnz() == 0
    out.to_dense().sum().backward()
    assert x.grad is not None and x.grad._nnz() == 0


@pytest.mark.parametrize("kind", ["coo", "csr"])
def test_in_place_and_out(kind: str):
    x = KINDS[kind](dense("tanh"))
    expected = x.to_dense().tanh()
    out = KINDS[kind](torch.zeros(5, 7, dtype=torch.float64))
    torch.testing.assert_close(phi_torch.tanh(x, out=out).to_dense(), expected)
    phi_torch.tanh_(x)
    torch.testing.assert_close(x.to_dense(), expected)


@pytest.mark.parametrize("kind", ["coo", "csr"])
def test_programs_have_operators_of_their_own(kind: str):
    x = KINDS[kind](dense("relu"))
    out = legacy.run_op("sparse_relu", {"x": x})["out"]
    torch.testing.assert_close(out.to_dense(), x.to_dense().relu())
    assert out.layout is x.layout
    grad = legacy.run_op("sparse_sin_grad", {"x": x, "out@GRAD": x})["x@GRAD"]
    torch.testing.assert_close(grad.to_dense(), x.to_dense() * x.to_dense().cos())
