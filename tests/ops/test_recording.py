"""Recording a gradient does not change what an operator is: the same checks, values and errors; a faulty composite is seen."""

import pytest
import torch
from torch.autograd.gradcheck import GradcheckError

import phi_torch
from phi_torch.decompositions import composites
from phi_torch.testing import check_op

from .cases import case


def leaf(*shape):
    return torch.randn(*shape, dtype=torch.float64).requires_grad_()


@pytest.fixture
def doubled(monkeypatch):
    """swish_grad with a composite that is off by two."""
    found = composites()["swish_grad"]
    right = found.function
    monkeypatch.setitem(vars(found), "function", lambda x, out_grad: 2 * right(x, out_grad))


REFUSED = [
    lambda x: phi_torch.argmax(x, 1, True, False, torch.int16),
    lambda x: phi_torch.one_hot(x, 3),
    lambda x: torch.ops.phi.dropout_grad(torch.ones(2, 3, dtype=torch.uint8), x, 0.5, False, "é\0"),
    lambda x: torch.ops.phi.swish_grad(x, x[:1]),
]


@pytest.mark.parametrize("call", REFUSED)
def test_the_same_error_with_and_without_a_gradient(call):
    x = leaf(2, 3)
    with pytest.raises(Exception) as plain:
        call(x.detach())
    with pytest.raises(type(plain.value)) as recorded:
        call(x)
    assert str(recorded.value) == str(plain.value)


def test_integers_record_nothing():
    x = leaf(2, 3)
    assert not phi_torch.argmax(x, 1).requires_grad and not phi_torch.equal(x, x).requires_grad


@pytest.mark.usefixtures("doubled")
def test_first_order_is_the_kernels_with_create_graph():
    x = leaf(3)
    out = phi_torch.swish(x)
    (plain,) = torch.autograd.grad(out.sum(), x, retain_graph=True)
    (recorded,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    assert torch.equal(plain, recorded) and recorded.grad_fn.name() == "PhiSwishGradBackward0"
    _, tangent = torch.func.jvp(torch.func.grad(lambda t: phi_torch.swish(t).sum()), (x.detach(),), (torch.ones(3).double(),))
    (second,) = torch.autograd.grad(recorded.sum(), x)
    torch.testing.assert_close(tangent, second)


@pytest.mark.usefixtures("doubled")
def test_a_faulty_composite_of_a_gradient_is_found():
    assert torch.autograd.gradcheck(phi_torch.swish, [leaf(3)])
    with pytest.raises(GradcheckError):
        torch.autograd.gradgradcheck(phi_torch.swish, [leaf(3)])
    swish = case("swish")
    with pytest.raises(AssertionError, match="swish"):
        check_op("swish", swish.samples, swish.reference, checks=["gradients"])


@pytest.mark.parametrize("function", [phi_torch.swish, phi_torch.relu, lambda x: phi_torch.softmax(x, 0), torch.ops.phi.mean])
def test_a_node_prints_its_name(function):
    node = function(leaf(3)).grad_fn
    assert repr(node).startswith(f"<{node.name()} object at 0x") and node.name().startswith("Phi")


def test_the_gradient_of_a_cast_has_its_shape():
    with pytest.raises(ValueError, match=r"phi::cast_grad: .*argument 'out_grad': expected the shape \[2, 3\].*got \[3\]"):
        torch.ops.phi.cast_grad(torch.ones(2, 3), torch.ones(3))


def test_what_is_saved_may_not_change_its_shape():
    x = torch.ones(2, 3, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t[:1, :1]):
        out = phi_torch.relu(x)
    with pytest.raises(ValueError, match="phi::relu_grad: .*argument 'out_grad'"):
        out.sum().backward()


def test_a_check_of_a_gradient_adds_no_guard():
    counter = torch._dynamo.testing.CompileCounterWithBackend("aot_eager")
    step = torch.compile(
        lambda x, y: phi_torch.mean(phi_torch.add(phi_torch.matmul(x, y), y[0]), [0]).sum(), backend=counter, dynamic=True
    )
    for rows, inner in ((2, 3), (4, 5), (7, 6)):
        x, y = leaf(rows, inner), leaf(inner, 4)
        step(x, y).backward()
    assert counter.frame_count == 1
