"""Attributes given as tensors, in the in-place forms of every operator that takes numbers or sizes."""

import pytest
import torch

import phi_torch
from phi_torch import registry
from phi_torch._arguments import as_tensor
from phi_torch.testing.samples import leaves

from .cases import case, names

OPS = [op for op in names() if any(o.endswith("_.tensor") for o in registry.info(op).overloads)]


def calls(op):
    """(the in-place form of an operator, its arguments, which of them are attributes that may be tensors), for its samples."""
    packet = getattr(torch.ops.phi, op if op.endswith("_") else f"{op}_")
    found = case(op)
    schemas = packet.default._schema.arguments, packet.tensor._schema.arguments
    swapped = [str(a.type) != str(b.type) for a, b in zip(*schemas)]
    for sample in found.plain_samples():
        yield packet, found.positional(sample.make(found.float_dtype)), swapped


def copied(value):
    if isinstance(value, (list, tuple)):
        return [copied(v) for v in value]
    return value.clone() if isinstance(value, torch.Tensor) else value


def written(function, arguments, swapped):
    """What the tensors hold after a call on copies of the arguments, without the attributes."""
    copies = copied(arguments)
    torch.manual_seed(0)
    function(*copies)
    return [t for t in leaves([c for c, swap in zip(copies, swapped) if not swap]) if isinstance(t, torch.Tensor)]


@pytest.mark.parametrize("op", OPS)
def test_in_place(op):
    compared = 0
    for packet, arguments, swapped in calls(op):
        try:
            expected = written(packet.default, arguments, swapped)
        except (ValueError, TypeError, RuntimeError):
            continue  # the result does not fit the argument
        tensors = [as_tensor(v) if swap else v for v, swap in zip(arguments, swapped)]
        forms = [packet.tensor, getattr(phi_torch, packet.__name__)]
        forms += [] if compared else [torch.compile(packet.tensor, backend="aot_eager")]
        for form in forms:
            for actual, wanted in zip(written(form, tensors, swapped), expected, strict=True):
                assert torch.equal(actual, wanted), (form, tensors)
        compared += 1
    assert compared


def test_the_operators_are_found():
    assert {"scale", "pow", "clip", "adam_", "adamw_", "merged_adam_", "reshape", "dropout", "cumsum"} <= set(OPS)


def test_gradients_go_through():
    x = torch.randn(5, dtype=torch.float64, requires_grad=True)
    low, high = torch.tensor(-0.5), torch.tensor(0.5)
    (expected,) = torch.autograd.grad(torch.clamp(x * 2, -0.5, 0.5).sum(), x)
    out = phi_torch.clip_(x * 2, low, high)
    assert torch.equal(torch.autograd.grad(out.sum(), x)[0], expected)
    with pytest.raises(RuntimeError, match="leaf"):
        phi_torch.clip_(x, low, high)


def test_functionalization_writes_the_argument():
    def step(x, low, high):
        y = x * 1
        phi_torch.clip_(y, low, high)
        return y + 1

    x, low, high = torch.randn(5), torch.tensor(-0.5), torch.tensor(0.5)
    assert torch.equal(torch.func.functionalize(step)(x, low, high), step(x, low, high))
    batch = torch.randn(3, 5)
    assert torch.equal(torch.vmap(step, (0, None, None))(batch, low, high), step(batch, low, high))


def test_attributes_that_vmap_batches():
    x, low, high = torch.randn(2, 3, 5), torch.linspace(-1, 0.5, 3), torch.tensor(1.0)
    expected = torch.stack([phi_torch.clip(row, a, high) for row, a in zip(x.unbind(1), low)])
    assert torch.equal(torch.vmap(phi_torch.clip, (1, 0, None))(x, low, high), expected)
    rows = torch.vmap(torch.vmap(lambda row, a: phi_torch.clip_(row * 1, a, 1.0), (1, None)), (1, 0))
    assert torch.equal(rows(x, low), expected.movedim(2, 1))
    (grad,) = torch.autograd.grad(torch.vmap(phi_torch.scale)(x.requires_grad_(), torch.tensor([2.0, 3.0])).sum(), x)
    assert torch.equal(grad, torch.tensor([2.0, 3.0]).view(2, 1, 1).expand(2, 3, 5))
