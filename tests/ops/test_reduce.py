"""Reductions and scans where random samples do not reach: ties, NaN, infinities, zeros, extreme integers, threads."""

import pytest
import torch

import phi_torch

INF, NAN = float("inf"), float("nan")
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape, axis", [((7,), 0), ((100,), 0), ((3, 1500), 1), ((1500, 3), 0), ((40, 70), 0)])
def test_nan_is_the_maximum(dtype, shape, axis):
    x = torch.rand(shape).to(dtype)
    x.select(axis, 2).fill_(NAN)
    x.select(axis, 5).fill_(NAN)
    assert phi_torch.max(x, [axis]).isnan().all()
    assert (phi_torch.argmax(x, axis) == 2).all()


@pytest.mark.parametrize("dtype", [*FLOATS, torch.int16, torch.int32, torch.int64, torch.uint8])
@pytest.mark.parametrize("shape, axis", [((5,), 0), ((3, 3000), 1), ((300000,), 0), ((3000, 3), 0), ((100000, 2), 0)])
def test_argmax_takes_the_first_of_equal_elements(dtype, shape, axis):
    x = torch.zeros(shape, dtype=dtype)
    assert (phi_torch.argmax(x, axis) == 0).all()
    for i in (shape[axis] - 1, shape[axis] // 2, 1):
        x.select(axis, i).fill_(7)
        assert (phi_torch.argmax(x, axis) == i).all()


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_extreme_integers(dtype):
    low, high = torch.iinfo(dtype).min, torch.iinfo(dtype).max
    for n in (3, 100):
        lowest = torch.full((n,), low, dtype=dtype)
        assert phi_torch.max(lowest).item() == low and phi_torch.argmax(lowest, 0).item() == 0
        lowest[n - 1] = high
        assert phi_torch.max(lowest).item() == high and phi_torch.argmax(lowest, 0).item() == n - 1


def test_infinities():
    assert phi_torch.max(torch.full((40,), -INF)).item() == -INF
    assert phi_torch.argmax(torch.full((40,), -INF), 0).item() == 0
    assert phi_torch.argmax(torch.tensor([1.0, INF, INF]), 0).item() == 1


@pytest.mark.parametrize("dtype", FLOATS)
def test_gradient_of_max_is_shared_by_ties(dtype):
    x = torch.tensor([[1, 3, 3], [7, 2, 7], [1, 2, 0], [-0.0, 0.0, 0.0]], dtype=dtype, requires_grad=True)
    (grad,) = torch.autograd.grad(phi_torch.max(x, [1]), x, torch.tensor([1, 2, INF, 3], dtype=dtype))
    assert torch.equal(grad, torch.tensor([[0, 0.5, 0.5], [1, 0, 1], [0, INF, 0], [1, 1, 1]], dtype=dtype))


def test_gradient_of_a_nan_maximum():
    x = torch.tensor([[1, NAN, 2], [5, 4, 1]], requires_grad=True)
    (grad,) = torch.autograd.grad(phi_torch.max(x, [1]).sum(), x)
    assert grad[0].isnan().all() and torch.equal(grad[1], torch.tensor([1.0, 0, 0]))


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("n", [4, 40])
def test_exclusive_cumsum_does_not_see_the_element(n, reverse):
    x = torch.ones(n)
    last = 0 if reverse else n - 1
    x[last] = INF
    out = phi_torch.cumsum(x, 0, exclusive=True, reverse=reverse)
    assert torch.equal(out.sort().values, torch.arange(n).float())


@pytest.mark.parametrize("dtype", FLOATS)
def test_cumsum_of_nan_and_infinity_goes_one_way(dtype):
    x = torch.ones(50, dtype=dtype)
    x[20], x[30] = INF, NAN
    out = phi_torch.cumsum(x, 0)
    assert torch.equal(out[:20], torch.arange(1, 21, dtype=dtype))
    assert (out[20:30] == INF).all() and out[30:].isnan().all()


def test_cumsum_of_integers_wraps():
    x = torch.tensor([100, 100, 100], dtype=torch.int8)
    assert phi_torch.cumsum(x, 0).tolist() == [100, -56, 44]
    big = torch.tensor([2**63 - 1, 1, 1])
    assert phi_torch.cumsum(big, 0).tolist() == [2**63 - 1, -(2**63), -(2**63) + 1]


def test_cumsum_in_place():
    for shape, axis in (((200000,), 0), ((300, 70), 0), ((30, 700), 1)):
        x = torch.rand(shape, dtype=torch.float64)
        expected = torch.cumsum(x, axis)
        assert phi_torch.cumsum_(x, axis) is x
        torch.testing.assert_close(x, expected)
    with pytest.raises(ValueError, match="cumsum_"):
        phi_torch.cumsum_(torch.ones(2, 3), 0, flatten=True)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("shape, axis", [((500_001,), 0), ((200_000, 3), 0), ((300, 900), 0), ((40, 9000), 1)])
def test_results_do_not_depend_on_threads(set_threads, dtype, shape, axis):
    x = torch.randn(shape).to(dtype)
    found = []
    for n in (1, 2):
        set_threads(n)
        found.append([phi_torch.cumsum(x, axis, reverse=r) for r in (False, True)] + [phi_torch.argmax(x, axis)])
    for one, two in zip(*found):
        assert torch.equal(one, two)


def test_cumsum_is_accurate():
    x = torch.rand(1_000_000)
    expected = torch.cumsum(x.double(), 0)
    torch.testing.assert_close(phi_torch.cumsum(x, 0).double(), expected, rtol=1e-7, atol=0)


@pytest.mark.parametrize("shape, axis", [((-1,), [0]), ((2, -1), [1]), ((-1, 2), [0]), ((-1, 2, 4), [0, 2]), ((2, -1, 4), [1])])
def test_long_sums_are_pairwise_to_the_end(shape, axis):
    """Sequential sums, even of few partial ones, lose digits beyond 2^24."""
    x = torch.ones(50_000_000).view(shape)
    total = phi_torch.sum(x, axis)
    assert total.double().eq(x.numel() / total.numel()).all()
    assert phi_torch.mean(x, axis).eq(1).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.complex64])
@pytest.mark.parametrize("shape, axis", [((1_000_003,), [0]), ((250_001, 3), [0]), ((100_001, 2, 5), [0, 2]), ((3, 300_007), [1])])
def test_sums_are_accurate(set_threads, dtype, shape, axis):
    x = (torch.rand(shape, dtype=torch.float64) + 1000).to(dtype)
    exact = torch.sum(x.to(torch.complex128 if dtype.is_complex else torch.float64), axis)
    eps = max(torch.finfo(dtype).eps, torch.finfo(torch.float32).eps if dtype is torch.bfloat16 else 0)
    found = []
    for n in (1, 2):
        set_threads(n)
        found.append(phi_torch.sum(x, axis))
    assert torch.equal(*found)
    rtol = 1e-13 if dtype is torch.float64 else eps  # the reference is rounded too
    torch.testing.assert_close(found[0].to(exact.dtype), exact, rtol=rtol, atol=0)


def test_rms_norm_of_large_values():
    x = torch.full((2, 8), 300.0, dtype=torch.float16)  # the squares of which are infinite in float16
    y, invvar = phi_torch.rms_norm(x, None, [8])
    assert torch.equal(y, torch.ones_like(x)) and invvar.dtype == torch.float32


def test_log_softmax_of_infinities():
    x = torch.tensor([[INF, 1.0], [-INF, -INF], [-INF, 1.0], [-200.0, 1.0]])
    out = phi_torch.log_softmax(x)
    assert out[:2].isnan().all() and out[2].tolist() == [-INF, 0.0] and out[3].tolist() == [-201.0, 0.0]


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.int32, torch.int64])
def test_gradients_of_sums_of_integers(dtype):
    """As training programs of PaddlePaddle have them, of elements that are counted."""
    grad = torch.ops.phi.sum_grad(torch.ones(2, 3, dtype=dtype), torch.tensor([1, 0]), [1], False)
    assert torch.equal(grad, torch.tensor([[1, 1, 1], [0, 0, 0]], dtype=dtype))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("value", [-0.0, 1e-7, NAN])
def test_only_zeros_are_false(dtype, value):
    """Of both signs, in the elements of whole vectors and in those behind them."""
    x = torch.full((100, 70), value, dtype=dtype)
    assert torch.equal(phi_torch.cast(x, torch.bool), x != 0)
    for axis in ([0], [1], []):
        assert (phi_torch.any(x, axis) == (value != 0)).all()
        assert (phi_torch.all(x, axis) == (value != 0)).all()
