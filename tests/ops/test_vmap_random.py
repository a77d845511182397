"""Random operators under vmap heed `randomness` as torch's own do."""

import pytest
import torch
from torch.func import vmap

import phi_torch

BATCH = 5
FLAGS = ("same", "different")


# name -> (a function of a sample of 50 ones, torch's function of the same meaning)
CALLS = {
    "gaussian": (lambda x: phi_torch.gaussian([50]) + 0 * x, lambda x: torch.randn(50) + 0 * x),
    "gaussian alone": (lambda x: phi_torch.gaussian([50]), lambda x: torch.randn(50)),
    "uniform": (lambda x: phi_torch.uniform([50]) * x, lambda x: torch.rand(50) * x),
    "uniform.tensor": (
        lambda x: torch.ops.phi.uniform.tensor(torch.tensor([50]), torch.float32, torch.tensor(0.0), torch.tensor(1.0)) * x,
        lambda x: torch.rand(50) * x,
    ),
    "dropout": (
        lambda x: phi_torch.dropout(x, None, 0.5, False, "upscale_in_train"),
        lambda x: torch.nn.functional.dropout(x, 0.5),
    ),
    "dropout of a constant": (
        lambda x: phi_torch.dropout(torch.ones(50), None, 0.5, False, "upscale_in_train") * x,
        lambda x: torch.nn.functional.dropout(torch.ones(50), 0.5) * x,
    ),
    "dropout.tensor": (
        lambda x: phi_torch.dropout(x, None, torch.tensor(0.5), False, "upscale_in_train"),
        lambda x: torch.nn.functional.dropout(x, 0.5),
    ),
    "dropout_": (
        lambda x: phi_torch.dropout_(x * 1, None, 0.5, False, "upscale_in_train"),
        lambda x: torch.nn.functional.dropout(x, 0.5),
    ),
}


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)
    torch._dynamo.reset()


def rows_agree(function, randomness, in_dims=0):
    """Whether all samples got the same numbers; None for an error of randomness."""
    try:
        result = vmap(function, in_dims, randomness=randomness)(torch.ones(BATCH, 50))
    except RuntimeError as error:
        assert "random" in str(error), error
        return None
    assert result.shape == (BATCH, 50)
    assert result.unique().numel() > 1
    return bool((result == result[0]).all())


@pytest.mark.parametrize("randomness", ["error", *FLAGS])
@pytest.mark.parametrize("call", CALLS)
def test_as_torch(call, randomness):
    function, of_torch = CALLS[call]
    assert rows_agree(function, randomness) == rows_agree(of_torch, randomness)


@pytest.mark.parametrize("randomness", ["error", *FLAGS])
@pytest.mark.parametrize("call", CALLS)
def test_compiled(call, randomness):
    function, of_torch = CALLS[call]
    compiled = torch.compile(lambda x: vmap(function, randomness=randomness)(x), backend="aot_eager")
    expected = rows_agree(of_torch, randomness)
    if expected is None:
        with pytest.raises(RuntimeError, match="random"):
            compiled(torch.ones(BATCH, 50))
        return
    result = compiled(torch.ones(BATCH, 50))
    assert result.shape == (BATCH, 50) and result.unique().numel() > 1
    assert bool((result == result[0]).all()) == expected


def test_inference_draws_nothing():
    assert torch.equal(vmap(lambda x: phi_torch.dropout(x, None, 0.5, True))(torch.ones(3, 4)), torch.full((3, 4), 0.5))
    assert vmap(lambda x: x + phi_torch.empty([2]) * 0)(torch.ones(3, 2)).shape == (3, 2)
    q = torch.randn(3, 1, 2, 1, 8)
    expected = torch.stack([phi_torch.flash_attn(s, s, s, None, None)[0] for s in q])
    torch.testing.assert_close(vmap(lambda s: phi_torch.flash_attn(s, s, s, None, None)[0])(q), expected)


def test_one_tensor_cannot_take_different_numbers():
    x = torch.ones(4)
    with pytest.raises(RuntimeError, match=r"phi::dropout_.*not batched"):
        vmap(lambda y: phi_torch.dropout_(x, None, 0.5) + y, randomness="different")(torch.ones(3, 4))
    out = torch.empty(4)
    with pytest.raises(RuntimeError, match=r"phi::uniform.*not batched"):
        vmap(lambda y: torch.ops.phi.uniform.out([4], out=out) + y, randomness="different")(torch.ones(3, 4))


def test_a_seed_given_is_kept():
    def draw(x):
        return phi_torch.dropout(x, None, 0.5, False, "upscale_in_train", 7, True)

    assert torch.equal(vmap(draw, randomness="different")(torch.ones(3, 100))[1], draw(torch.ones(100)))


@pytest.mark.parametrize("outer", FLAGS)
@pytest.mark.parametrize("inner", FLAGS)
def test_nested(inner, outer):
    function = vmap(vmap(lambda x: phi_torch.gaussian([]) + x, randomness=inner), randomness=outer)
    values = function(torch.zeros(3, 4))
    assert bool((values == values[0]).all()) == (outer == "same")
    assert bool((values == values[:, :1]).all()) == (inner == "same")


def test_gradients_have_the_mask_of_their_sample():
    x = torch.ones(4, 50, requires_grad=True)
    y = vmap(lambda s: phi_torch.dropout(s, None, 0.5, False, "upscale_in_train"), randomness="different")(x)
    (gradient,) = torch.autograd.grad(y.sum(), x)
    assert torch.equal(gradient, y.detach())
