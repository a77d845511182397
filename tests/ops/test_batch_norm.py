"""Statistics of a batch whose elements are far from 0."""

import pytest
import torch

import phi_torch  # noqa: F401

CHANNELS = 16


def statistics(x, layout):
    """What batch_norm gives, and its mean and the inverse of its deviation, of images with the channels last."""
    ones, zeros = torch.ones(CHANNELS), torch.zeros(CHANNELS)
    given = x if layout == "NHWC" else x.movedim(-1, 1).contiguous()
    out, _, _, mean, inv_std, _ = torch.ops.phi.batch_norm(given, zeros, ones, ones, zeros, False, 0.9, 1e-5, layout, False, False)
    return out if layout == "NHWC" else out.movedim(1, -1), mean, inv_std


@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
@pytest.mark.parametrize("first", [None, 0.0])  # a first element that is an outlier
@pytest.mark.parametrize("size", [7, 56])
def test_a_large_mean(layout, first, size):
    x = torch.randn(16, size, size, CHANNELS, generator=torch.Generator().manual_seed(0)) + 1e4
    if first is not None:
        x[0, 0, 0] = first
    wide = x.double()
    mean, variance = wide.mean((0, 1, 2)), wide.var((0, 1, 2), correction=0)
    out, found_mean, inv_std = statistics(x, layout)
    rounding = 5e-4 if first is None else 2e-3  # floats around 1e4 are 1e-3 apart
    assert (found_mean - mean).abs().max() < rounding
    torch.testing.assert_close(inv_std.double(), (variance + 1e-5).rsqrt(), rtol=2e-6, atol=0)
    expected = (wide - mean) * (variance + 1e-5).rsqrt()
    assert (out - expected).abs().max() < 2 * rounding


@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
def test_an_infinity_in_the_first_place(layout):
    x = torch.randn(2, 3, 3, CHANNELS)
    x[0, 0, 0] = torch.inf
    out, mean, inv_std = statistics(x, layout)
    assert mean.eq(torch.inf).all() and inv_std.isnan().all() and out.isnan().all()


@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
def test_threads_change_nothing(set_threads, layout):
    x = torch.randn(16, 30, 30, CHANNELS)
    found = []
    for n in (1, 2):
        set_threads(n)
        found.append(statistics(x, layout))
    for one, two in zip(*found):
        assert torch.equal(one, two)
