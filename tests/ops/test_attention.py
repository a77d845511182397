"""flash_attn beyond the battery, which leaves out what random ops share: gradients, vmap, and the dropout itself."""

import math

import pytest
import torch

import phi_torch
from phi_torch.decompositions import composite
from phi_torch.testing import Case
from phi_torch.testing.samples import leaves

from .samples import flash_attn as samples

SMALL = [s for s in samples.SAMPLES if 0 < sum(math.prod(t.shape) for t in s.tensors()) <= 200]


def dense(seed, *shape, **options):
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed), **options)


def qkv(queries=6, keys=6, heads=2, dim=4, batch=2):
    shapes = [(batch, n, heads, dim) for n in (queries, keys, keys)]
    return [dense(i, *shape).requires_grad_() for i, shape in enumerate(shapes)]


@pytest.mark.parametrize("sample", SMALL, ids=repr)
def test_gradients_of_both_orders(sample):
    arguments = sample.make(torch.float64, grad=True)

    def function(*tensors):
        filled = arguments.with_differentiable(list(tensors))
        return phi_torch.flash_attn(*filled.args, **filled.kwargs)[0]

    assert torch.autograd.gradcheck(function, arguments.differentiable(), fast_mode=True)
    assert torch.autograd.gradgradcheck(function, arguments.differentiable(), fast_mode=True)


@pytest.mark.parametrize("dtype", (torch.float32, torch.float16, torch.bfloat16))
@pytest.mark.parametrize("sample", SMALL, ids=repr)
def test_gradients_are_those_of_the_reference(sample, dtype):
    arguments = sample.make(dtype, grad=True)
    wide = arguments.map(lambda t: t.detach().double().requires_grad_(t.requires_grad))
    actual = phi_torch.flash_attn(*arguments.args, **arguments.kwargs)[0]
    expected = samples.reference(*wide.args, **wide.kwargs)[0]
    weights = torch.linspace(0.5, 1.5, actual.numel(), dtype=torch.float64).reshape(actual.shape)
    actual = torch.autograd.grad((actual * weights).sum(), arguments.differentiable())
    if expected.requires_grad:
        expected = torch.autograd.grad((expected * weights).sum(), wide.differentiable())
    else:  # no keys: nothing depends on an input
        expected = [torch.zeros_like(t) for t in wide.differentiable()]
    tolerance = {torch.float32: 1e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}[dtype]
    for a, e in zip(actual, expected):
        torch.testing.assert_close(a.double(), e, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("sample", samples.SAMPLES, ids=repr)
def test_the_composites_agree_with_the_kernels(sample):
    case = Case("flash_attn", samples.SAMPLES)
    arguments = sample.make(torch.float64)
    if 0 in [n for t in arguments.tensors() for n in t.shape]:
        pytest.skip("nothing to compare")
    positional = case.positional(arguments)
    outputs = torch.ops.phi.flash_attn(*positional)
    for a, e in zip(outputs, composite("flash_attn")(*positional)):
        torch.testing.assert_close(a, e, rtol=1e-9, atol=1e-9)
    q, k, v, _, mask, dropout, causal, _, is_test, _ = positional
    out, _, lse, seed_offset = outputs
    backward = (q, k, v, out, lse, seed_offset, mask, torch.ones_like(out), dropout, causal, is_test)
    for a, e in zip(torch.ops.phi.flash_attn_grad(*backward), composite("flash_attn_grad")(*backward)):
        torch.testing.assert_close(a, e, rtol=1e-9, atol=1e-9)


def test_dropout_is_replayed_by_the_gradient():
    q, k, v = qkv()
    torch.manual_seed(3)
    out, _, _, seed_offset = torch.ops.phi.flash_attn(q, k, v, None, None, 0.4, True)
    again = phi_torch.flash_attn(q, k, v, seed_offset, None, 0.4, True)[0]
    other = phi_torch.flash_attn(q, k, v, None, None, 0.4, True)[0]
    assert torch.equal(out, again)
    assert not torch.equal(out, other)
    assert torch.autograd.gradcheck(lambda q, k, v: phi_torch.flash_attn(q, k, v, seed_offset, None, 0.4, True)[0], (q, k, v))


def test_dropout_is_fair():
    """With v = 1 an output is the sum of what is kept: 1 on average."""
    q, k, _ = qkv(64, 64, 4)
    out, softmax = phi_torch.flash_attn(q, k, torch.ones_like(k), None, None, 0.25, return_softmax=True)
    assert abs(out.mean().item() - 1) < 0.05
    torch.testing.assert_close(softmax.sum(-1), torch.ones_like(softmax[..., 0]))
    assert phi_torch.flash_attn(q, k, torch.ones_like(k), None, None, 1.0)[0].abs().max() == 0


def test_dropout_has_no_second_derivative():
    q, k, v = qkv()
    out = phi_torch.flash_attn(q, k, v, None, None, 0.4)[0]
    with pytest.raises(NotImplementedError, match="dropout=0"):
        torch.autograd.grad(out.sum(), q, create_graph=True)[0].sum().backward()


def test_masks_that_hide_everything():
    q, k, v = qkv(queries=2, keys=3)
    mask = torch.zeros(2, 3, dtype=torch.float64)
    mask[0] = -torch.inf
    out = phi_torch.flash_attn(q, k, v, None, mask)[0]
    assert out[:, 0].abs().max() == 0
    gradients = torch.autograd.grad(out.sum(), (q, k, v))
    assert all(g.isfinite().all() for g in gradients)
    assert gradients[0][:, 0].abs().max() == 0


def test_vmap():
    q, k, v = (torch.stack([t.detach(), t.detach() + 1]) for t in qkv())
    mapped = torch.func.vmap(lambda *x: phi_torch.flash_attn(*x, causal=True)[0])(q, k, v)
    rows = [phi_torch.flash_attn(q[i], k[i], v[i], causal=True)[0] for i in range(2)]
    torch.testing.assert_close(mapped, torch.stack(rows))


def test_compiled_once_for_all_lengths():
    counter = torch._dynamo.testing.CompileCounterWithBackend("aot_eager")
    compiled = torch.compile(lambda *x: phi_torch.flash_attn(*x, causal=True)[0], fullgraph=True, dynamic=True, backend=counter)
    for length in (6, 9):
        inputs = qkv(length, length)
        expected, actual = phi_torch.flash_attn(*inputs, causal=True)[0], compiled(*inputs)
        torch.testing.assert_close(actual, expected)
        gradients = [torch.autograd.grad(out.square().sum(), inputs) for out in (actual, expected)]
        for a, e in zip(*gradients):
            torch.testing.assert_close(a, e)
    assert counter.frame_count == 1


def test_autocast():
    q, k, v = (t.detach().float() for t in qkv())
    with torch.autocast("cpu", torch.bfloat16):
        assert all(t.dtype is torch.bfloat16 for t in leaves(phi_torch.flash_attn(q, k, v)))
