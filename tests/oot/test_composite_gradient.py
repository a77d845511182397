"""An operator without `backward`: its kernel runs in every case, its composite is differentiated, in every mode of torch."""

from pathlib import Path

import pytest
import torch
from torch.autograd.gradcheck import GradcheckError

import phi_torch
from phi_torch.decompositions import composites

HERE = Path(__file__).parent / "extension"


@pytest.fixture(scope="module")
def rectify(cache):
    sources = [HERE / "ops.h", HERE / "kernels.cc"]
    return phi_torch.load("tested", yaml=HERE / "ops.yaml", sources=sources).rectify


@pytest.fixture
def squared(rectify, monkeypatch):
    """The operator with another composite, so that one sees which of the two computes."""
    monkeypatch.setitem(vars(composites()["tested::rectify"]), "function", lambda x: x * x)
    return rectify


def test_values_are_the_kernels_and_gradients_the_composites(squared):
    x = torch.tensor([-1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    out = squared(x)
    assert out.tolist() == [0, 2, 3] and out.grad_fn.name() == "TestedRectifyBackward0"
    assert repr(out.grad_fn).startswith("<TestedRectifyBackward0 object at 0x")
    (first,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    assert first.tolist() == [-2, 4, 6]
    (second,) = torch.autograd.grad(first.pow(2).sum(), x)
    assert second.tolist() == [-8, 16, 24]
    with pytest.raises(GradcheckError):
        torch.autograd.gradcheck(squared, [x])
    primal, tangent = torch.func.jvp(squared, (x.detach(),), (torch.ones(3, dtype=torch.float64),))
    assert primal.tolist() == [0, 2, 3] and tangent.tolist() == [-2, 4, 6]


def test_one_input_may_depend_on_another(cache):
    own = phi_torch.load("tested", yaml=HERE / "ops.yaml", sources=[HERE / "ops.h", HERE / "kernels.cc"])
    x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(lambda t: own.sum(t, t.sin() * t), [x])


def test_transforms(squared):
    x = torch.randn(4, 3, dtype=torch.float64)
    hessian = torch.func.hessian(lambda t: squared(t).sum())(x[0])
    torch.testing.assert_close(hessian, 2 * torch.eye(3, dtype=torch.float64))
    torch.testing.assert_close(torch.func.jacrev(squared)(x[0]), torch.diag(2 * x[0]))
    torch.testing.assert_close(torch.func.jacrev(torch.func.jacrev(squared))(x[0]).sum((1, 2)), torch.full((3,), 2.0).double())
    torch.testing.assert_close(torch.vmap(torch.func.grad(lambda t: squared(t).sum()))(x), 2 * x)
    torch.testing.assert_close(torch.func.grad(lambda t: torch.vmap(squared)(t).sum())(x), 2 * x)
    torch.testing.assert_close(
        torch.func.grad(lambda t: torch.func.grad(lambda u: squared(u).sum())(t).sum())(x), torch.full_like(x, 2)
    )


@pytest.mark.parametrize("dynamic", [False, True])
def test_compiled(squared, dynamic):
    counter = torch._dynamo.testing.CompileCounterWithBackend("aot_eager")
    step = torch.compile(lambda t: squared(t.sin()).sum(), backend=counter, dynamic=dynamic, fullgraph=True)
    for size in (3, 5) if dynamic else (3,):
        x = torch.randn(size, dtype=torch.float64, requires_grad=True)
        step(x).backward()
        torch.testing.assert_close(x.grad, 2 * x.detach().sin() * x.detach().cos())
    assert counter.frame_count == 1


@pytest.mark.parametrize("dynamic", [False, True])
def test_under_compiled_autograd(squared, dynamic):
    for size in (3, 5):
        x = torch.randn(size, dtype=torch.float64, requires_grad=True)
        with torch._dynamo.compiled_autograd._enable(torch.compile(backend="aot_eager", dynamic=dynamic)):
            squared(x * 1).mul(3).sum().backward()
        torch.testing.assert_close(x.grad, 6 * x.detach())


def test_a_composite_of_another_shape_than_the_kernel_is_named():
    composite, x = composites()["tanh"], torch.ones(3, 4)
    message = r"composite of 'tanh' \(.*\): expected a result of the shape \[4\], as the kernel gives it, got \[3, 4\]"
    with pytest.raises(RuntimeError, match=message):
        composite.vjp([torch.ones(4)], [True], x)
