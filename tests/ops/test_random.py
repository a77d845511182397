"""Random ops: their distributions, seeds, and that the numbers depend neither on threads nor on how a call is split."""

import pytest
import torch
from scipy import stats

import phi_torch

FLOATS = [torch.float32, torch.float64]
UPSCALE = "upscale_in_train"
DOWNGRADE = "downgrade_in_infer"


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


@pytest.mark.parametrize("dtype", FLOATS)
def test_gaussian_is_normal(dtype):
    x = phi_torch.gaussian([100_000], 1.0, 2.0, dtype=dtype)
    assert x.dtype == dtype
    assert stats.kstest(x.double().numpy(), stats.norm(1.0, 2.0).cdf).pvalue > 1e-3
    assert abs(torch.corrcoef(torch.stack([x[:-1], x[1:]]))[0, 1]) < 0.02


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_gaussian_of_half_types(dtype):
    x = phi_torch.gaussian([100_000], -1.0, 0.5, dtype=dtype).double()
    assert x.mean().item() == pytest.approx(-1.0, abs=0.01)
    assert x.std().item() == pytest.approx(0.5, abs=0.01)


def test_complex_gaussian_halves_the_variance():
    x = phi_torch.gaussian([100_000], 1.0, 2.0, dtype=torch.complex64)
    for part in (x.real, x.imag):
        assert part.mean().item() == pytest.approx(1.0, abs=0.03)
        assert part.std().item() == pytest.approx(2**0.5, abs=0.03)


def test_gaussian_seed():
    def draw(seed):
        return phi_torch.gaussian([1000], seed=seed)

    assert torch.equal(draw(7), draw(7))
    assert not torch.equal(draw(7), draw(8))
    assert not torch.equal(draw(0), draw(0))
    torch.manual_seed(5)
    first = draw(0), draw(0)
    torch.manual_seed(5)
    assert all(torch.equal(a, b) for a, b in zip(first, (draw(0), draw(0))))


@pytest.mark.parametrize("dtype", FLOATS)
def test_gaussian_does_not_depend_on_threads_or_length(set_threads, dtype):
    set_threads(1)
    one = phi_torch.gaussian([300_001], seed=3, dtype=dtype)
    set_threads(2)
    assert torch.equal(one, phi_torch.gaussian([300_001], seed=3, dtype=dtype))
    for length in (1, 17, 33, 1003):
        assert torch.equal(one[:length], phi_torch.gaussian([length], seed=3, dtype=dtype))


@pytest.mark.parametrize("dtype", FLOATS)
def test_uniform_is_uniform(dtype):
    x = phi_torch.uniform([100_000], dtype, -1.0, 3.0)
    assert x.dtype == dtype
    assert stats.kstest(x.double().numpy(), stats.uniform(-1.0, 4.0).cdf).pvalue > 1e-3
    assert abs(torch.corrcoef(torch.stack([x[:-1], x[1:]]))[0, 1]) < 0.02


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("low, high", [(0.0, 1.0), (1.0, 2.0), (-1.0, 0.0), (-2.0, -1.0), (2.0, 1.0)])
def test_uniform_of_half_types_never_gives_the_end(dtype, low, high):
    """Rounding would: of 100,000 numbers, some hundred in bfloat16 and some ten in float16."""
    x = phi_torch.uniform([100_000], dtype, low, high)
    assert (x != high).all() and x.min() >= min(low, high) and x.max() <= max(low, high)
    assert x.double().mean().item() == pytest.approx((low + high) / 2, abs=0.01)
    assert x.double().std().item() == pytest.approx(12**-0.5, abs=0.01)


def test_uniform_in_an_empty_range():
    assert torch.equal(phi_torch.uniform([100], torch.bfloat16, 1.5, 1.5), torch.full([100], 1.5, dtype=torch.bfloat16))


def test_complex_uniform():
    x = phi_torch.uniform([100_000], torch.complex64, 0.0, 1.0)
    for part in (x.real, x.imag):
        assert stats.kstest(part.double().numpy(), stats.uniform().cdf).pvalue > 1e-3
    assert abs(torch.corrcoef(torch.stack([x.real, x.imag]))[0, 1]) < 0.02


def test_uniform_seed_threads_and_length(set_threads):
    set_threads(1)
    one = phi_torch.uniform([300_001], seed=3)
    set_threads(2)
    assert torch.equal(one, phi_torch.uniform([300_001], seed=3))
    for length in (1, 17, 33, 1003):
        assert torch.equal(one[:length], phi_torch.uniform([length], seed=3))
    assert not torch.equal(one, phi_torch.uniform([300_001], seed=4))
    assert not torch.equal(phi_torch.uniform([1000]), phi_torch.uniform([1000]))


@pytest.mark.parametrize("mode", [UPSCALE, DOWNGRADE])
@pytest.mark.parametrize("dtype", [*FLOATS, torch.float16, torch.bfloat16])
def test_dropout_keeps_scales_and_differentiates_alike(dtype, mode):
    x = torch.rand(200, 500, dtype=torch.float64).add(0.5).to(dtype).requires_grad_()
    out = phi_torch.dropout(x, None, 0.3, False, mode)
    kept = out != 0
    assert kept.double().mean().item() == pytest.approx(0.7, abs=0.01)
    factor = 1 / 0.7 if mode == UPSCALE else 1.0
    torch.testing.assert_close(out, torch.where(kept, x * factor, 0))
    (grad,) = torch.autograd.grad(out.sum(), x)
    torch.testing.assert_close(grad, kept.to(dtype) * factor)


def test_dropout_mask():
    x = torch.rand(1000) + 0.5
    out, mask = torch.ops.phi.dropout(x, None, 0.5)
    assert mask.dtype == torch.uint8 and torch.equal(mask.bool(), out != 0)
    _, mask = torch.ops.phi.dropout(x, None, 0.5, True)
    assert mask.numel() == 0


def test_dropout_drops_infinity_and_nan():
    x = torch.tensor([float("inf"), float("nan")]).repeat(50)
    assert torch.equal(phi_torch.dropout(x, None, 1.0, False, UPSCALE), torch.zeros(100))


def test_dropout_seeds():
    x = torch.ones(1000)

    def draw(seed_tensor=None, seed=0, fix_seed=False):
        return phi_torch.dropout(x, seed_tensor, 0.5, False, UPSCALE, seed, fix_seed)

    assert torch.equal(draw(seed=7, fix_seed=True), draw(seed=7, fix_seed=True))
    assert not torch.equal(draw(seed=7, fix_seed=True), draw(seed=8, fix_seed=True))
    assert not torch.equal(draw(), draw())
    seven = torch.tensor([7], dtype=torch.int32)
    assert torch.equal(draw(seven), draw(seed=7, fix_seed=True))
