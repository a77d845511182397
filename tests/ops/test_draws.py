"""What random operators draw beside normal and uniform numbers: how often, from where, and always the same from one seed."""

import pytest
import torch
from scipy import stats

import phi_torch

N = 100_000


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


def is_likely(counts, expected):
    expected = expected.double()
    return stats.chisquare(counts.numpy(), (expected / expected.sum() * int(counts.sum())).numpy()).pvalue > 1e-3


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_randint_is_uniform(dtype):
    x = phi_torch.randint(-3, 4, [N], dtype)
    assert x.dtype == dtype and x.min() == -3 and x.max() == 3
    assert is_likely(torch.bincount(x + 3), torch.ones(7))
    wide = phi_torch.randint(-(2**31), 2**31 - 1, [N]).double()
    assert stats.kstest(wide.numpy(), stats.uniform(-(2.0**31), 2.0**32).cdf).pvalue > 1e-3


@pytest.mark.parametrize("n", [1, 2, 5, 1000, N])
def test_randperm_is_a_permutation(n):
    assert torch.equal(phi_torch.randperm(n, torch.int64).sort().values, torch.arange(n))


def test_permutations_are_equally_likely():
    drawn = torch.stack([phi_torch.randperm(4, torch.int64) for _ in range(12000)])
    _, counts = torch.unique(drawn, dim=0, return_counts=True)
    assert len(counts) == 24 and is_likely(counts, torch.ones(24))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_bernoulli_draws_with_the_probability(dtype):
    p = torch.tensor([0.0, 0.125, 0.5, 1.0], dtype=dtype)
    drawn = phi_torch.bernoulli(p.expand(N, 4).contiguous())
    assert set(drawn.unique().tolist()) == {0.0, 1.0}
    mean = drawn.double().mean(0)
    assert mean[0] == 0 and mean[3] == 1
    torch.testing.assert_close(mean, p.double(), atol=0.01, rtol=0)


def test_classes_without_a_label_are_equally_likely():
    label = torch.tensor([5, 2, 5])
    drawn = []
    for _ in range(2000):
        remapped, sampled = phi_torch.class_center_sample(label, 12, 5)
        assert remapped.tolist() == [1, 0, 1] and sampled[:2].tolist() == [2, 5] and len(set(sampled.tolist())) == 5
        drawn.append(sampled[2:])
    counts = torch.bincount(torch.cat(drawn), minlength=12)
    others = torch.tensor([c not in (2, 5) for c in range(12)])
    assert counts[~others].sum() == 0 and is_likely(counts[others], torch.ones(10))


def test_a_fixed_seed_draws_the_same_classes():
    def sampled(seed):
        return phi_torch.class_center_sample(torch.tensor([3]), 1000, 500, fix_seed=True, seed=seed)[1].tolist()

    assert sampled(1) == sampled(1) != sampled(2)
    firsts = torch.tensor([sampled(seed)[1] for seed in range(300)])
    assert len(firsts.unique()) > 200 and 400 < firsts.double().mean() < 600  # of neighbouring seeds, too


def test_multinomial_draws_in_proportion():
    weights = torch.tensor([[0.0, 1.0, 3.0, 0.0, 4.0, 0.0], [5.0, 0.0, 1.0, 1.0, 1.0, 2.0]])
    drawn = phi_torch.multinomial(weights, N, True)
    for row, weight in zip(drawn, weights):
        counts = torch.bincount(row, minlength=6)
        assert not counts[weight == 0].any()
        assert is_likely(counts[weight > 0], weight[weight > 0])


def test_multinomial_without_replacement_draws_one_after_the_other():
    weights = torch.tensor([1.0, 0.0, 2.0, 5.0])
    drawn = phi_torch.multinomial(weights.expand(N, 4).contiguous(), 2)
    assert not (drawn[:, 0] == drawn[:, 1]).any()
    pairs = [(a, b) for a in (0, 2, 3) for b in (0, 2, 3) if a != b]
    counts = torch.tensor([int(((drawn[:, 0] == a) & (drawn[:, 1] == b)).sum()) for a, b in pairs])
    expected = torch.stack([weights[a] / 8 * weights[b] / (8 - weights[a]) for a, b in pairs])
    assert counts.sum() == N and is_likely(counts, expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("a", "b"), [(-2.0, 2.0), (1.5, 9.0), (-30.0, 0.5)])
def test_truncated_gaussian(dtype, a, b):
    x = phi_torch.truncated_gaussian_random([N], 1.0, 2.0, 0, a, b, dtype).double()
    assert x.min() >= a and x.max() <= b
    expected = stats.truncnorm((a - 1) / 2, (b - 1) / 2, 1, 2)
    assert stats.kstest(x.numpy(), expected.cdf).pvalue > 1e-3


def test_uniform_inplace_writes_the_diagonal():
    x = torch.zeros(4, 4)
    assert phi_torch.uniform_inplace_(x, 2.0, 3.0, 0, 4, 4, 9.0) is x
    assert (x.diagonal() == 9).all() and ((x >= 2) & (x < 3)).sum() == 12


CALLS = {
    "randint": lambda: phi_torch.randint(0, 1000, [300]),
    "randperm": lambda: phi_torch.randperm(300, torch.int64),
    "bernoulli": lambda: phi_torch.bernoulli(torch.full([300], 0.5)),
    "multinomial": lambda: phi_torch.multinomial(torch.ones(300), 30),
    "multinomial with replacement": lambda: phi_torch.multinomial(torch.ones(300), 300, True),
    "uniform_inplace": lambda: phi_torch.uniform_inplace(torch.ones(300)),
    "gaussian_inplace": lambda: phi_torch.gaussian_inplace(torch.ones(300)),
    "exponential_": lambda: phi_torch.exponential_(torch.ones(300), 1.0),
    "gumbel_softmax": lambda: phi_torch.gumbel_softmax(torch.ones(300)),
    "fused_dropout_add": lambda: phi_torch.fused_dropout_add(
        torch.ones(300), torch.zeros(300), None, 0.5, False, "upscale_in_train"
    ),
    "rrelu": lambda: phi_torch.rrelu(-torch.ones(300)),
    "top_p_sampling": lambda: phi_torch.top_p_sampling(torch.ones(300, 9) / 9, torch.ones(300), None, None)[1],
    "truncated_gaussian_random": lambda: phi_torch.truncated_gaussian_random([300], 0.0, 1.0, 0, -2.0, 2.0),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_seed_decides(name):
    draw = CALLS[name]
    torch.manual_seed(7)
    first, second = draw(), draw()
    torch.manual_seed(7)
    assert torch.equal(first, draw()) and torch.equal(second, draw()) and not torch.equal(first, second)


def test_fractional_windows_are_drawn_without_a_number():
    x = torch.arange(602.0).reshape(1, 1, 2, 301)
    torch.manual_seed(7)
    first, second = (phi_torch.fractional_max_pool2d(x, [1, 170])[1] for _ in range(2))
    torch.manual_seed(7)
    assert torch.equal(first, phi_torch.fractional_max_pool2d(x, [1, 170])[1]) and not torch.equal(first, second)


@pytest.mark.parametrize("name", [name for name in CALLS if not name.endswith("_")])  # torch writes no batch into one tensor
def test_vmap_heeds_randomness(name):
    draw, ones = CALLS[name], torch.ones(3, 1)
    different = torch.func.vmap(lambda x: draw() * x, randomness="different")(ones)
    assert not torch.equal(different[0], different[1])
    same = torch.func.vmap(lambda x: draw() * x, randomness="same")(ones)
    assert torch.equal(same[0], same[1]) and torch.equal(same[0], same[2])
    with pytest.raises(RuntimeError, match="randomness error mode"):
        torch.func.vmap(lambda x: draw() * x)(ones)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_exponential(dtype):
    x = torch.empty(N, dtype=dtype)
    assert phi_torch.exponential_(x, 0.5) is x
    assert x.isfinite().all() and stats.kstest(x.double().numpy(), stats.expon(scale=2).cdf).pvalue > 1e-3


@pytest.mark.parametrize("hard", [False, True])
def test_gumbel_softmax_chooses_in_proportion(hard):
    weights = torch.tensor([1.0, 2.0, 5.0])
    drawn = phi_torch.gumbel_softmax(weights.log().expand(N, 3).contiguous(), 0.5, hard)
    torch.testing.assert_close(drawn.sum(-1), torch.ones(N))
    assert not hard or set(drawn.unique().tolist()) == {0.0, 1.0}
    assert is_likely(torch.bincount(drawn.argmax(-1)), weights)


def test_the_gradient_of_gumbel_softmax_is_that_of_its_result():
    x = torch.randn(3, 5, requires_grad=True)
    out = phi_torch.gumbel_softmax(x, 0.5)
    grad = torch.randn(3, 5)
    (found,) = torch.autograd.grad(out, x, grad)
    torch.testing.assert_close(found, out * (grad - (grad * out).sum(-1, True)))


@pytest.mark.parametrize("mode", ["upscale_in_train", "downgrade_in_infer"])
def test_fused_dropout_add_is_dropout_and_a_sum(mode):
    x, y = (torch.randn(40, 50, requires_grad=True) for _ in range(2))
    out = phi_torch.fused_dropout_add(x, y, None, 0.25, False, mode, 7, True)
    torch.testing.assert_close(out, phi_torch.dropout(x, None, 0.25, False, mode, 7, True) + y)
    found, of_y = torch.autograd.grad(out, (x, y), torch.ones_like(out))
    kept = 1 / 0.75 if mode == "upscale_in_train" else 1.0
    torch.testing.assert_close(found, torch.where((out - y).abs() > 1e-6, kept, 0.0))
    assert torch.equal(of_y, torch.ones_like(y))


def test_the_gradient_of_fused_dropout_add_drops_the_same():
    x = torch.ones(N, requires_grad=True)
    out = phi_torch.fused_dropout_add(x, torch.zeros(N), None, 0.5, False, "upscale_in_train")
    out.backward(torch.ones(N))
    assert torch.equal(x.grad, out.detach()) and is_likely(torch.bincount((x.grad > 0).long()), torch.ones(2))


def test_rrelu_is_uniform_and_its_gradient_is_the_slope():
    x = torch.full((N,), -1.0, requires_grad=True)
    out = phi_torch.rrelu(x, 0.25, 0.75)
    out.sum().backward()
    assert stats.kstest(-out.detach().double().numpy(), stats.uniform(0.25, 0.5).cdf).pvalue > 1e-3
    assert torch.equal(x.grad, -out.detach())


@pytest.mark.parametrize("mode, expected", [("truncated", [0.5, 0.3, 0.1]), ("non-truncated", [0.5, 0.3, 0.2])])
def test_top_p_sampling_draws_in_proportion(mode, expected):
    x = torch.tensor([[0.2, 0.5, 0.3]]).expand(N, 3).contiguous()
    out, ids, _, _ = phi_torch.top_p_sampling(x, torch.full((N, 1), 0.9), None, None, mode=mode)
    assert torch.equal(x.gather(1, ids), out)
    assert is_likely(torch.bincount(ids.flatten(), minlength=3)[[1, 2, 0]], torch.tensor(expected))


def test_top_p_sampling_takes_a_seed_for_each_row():
    x, seeds = torch.rand(8, 30), torch.arange(8)
    first = phi_torch.top_p_sampling(x, torch.full((8, 1), 9.0), None, seeds)[1]
    assert torch.equal(first, phi_torch.top_p_sampling(x, torch.full((8, 1), 9.0), None, seeds)[1])
