"""The dropout between the layers of `rnn`, which chance has a part in, and that no gradient is asked for in vain."""

import pytest
import torch

import phi_torch

from .samples.rnn import network

MODES = ("LSTM", "GRU", "RNN_TANH", "RNN_RELU")


def arguments(mode, **attributes):
    made = network(mode, layers=3, time=6, batch=5, hidden=8, **attributes).make(torch.float64, grad=True)
    return made.args, made.kwargs


@pytest.mark.parametrize("mode", MODES)
def test_dropout_is_that_of_its_seed(mode):
    args, kwargs = arguments(mode, dropout_prob=0.5, seed=7)
    first, again = (phi_torch.rnn(*args, **kwargs) for _ in range(2))
    assert torch.equal(first[0], again[0]) and torch.equal(first[1], again[1])
    assert first[1].dtype == torch.uint8 and first[1].numel() == 2 * 6 * 5 * 8
    assert 0.35 < first[1].double().mean() < 0.65
    other = phi_torch.rnn(*args, **{**kwargs, "seed": 8})
    assert not torch.equal(first[0], other[0])
    assert phi_torch.rnn(*args, **{**kwargs, "is_test": True})[1].numel() == 0


@pytest.mark.parametrize("mode", MODES)
def test_gradients_with_dropout(mode):
    """Against differences: the same seed drops the same elements."""
    args, kwargs = arguments(mode, dropout_prob=0.5, seed=7)
    x, states, weights = args[:3]

    def run(x, *rest):
        out, _, last = phi_torch.rnn(x, list(rest[: len(states)]), list(rest[len(states) :]), *args[3:], **kwargs)
        return out, *last

    torch.autograd.gradcheck(run, (x, *states, *weights), fast_mode=True)


@pytest.mark.parametrize("wanted", ("x", "states", "weights"))
def test_gradients_of_some_arguments(wanted):
    args, kwargs = arguments("LSTM", bidirec=True)
    groups = {"x": [args[0]], "states": args[1], "weights": args[2]}
    everything = torch.autograd.grad(phi_torch.rnn(*args, **kwargs)[0].sum(), groups[wanted])
    for name, tensors in groups.items():
        for tensor in tensors:
            tensor.requires_grad_(name == wanted)
    found = torch.autograd.grad(phi_torch.rnn(*args, **kwargs)[0].sum(), groups[wanted])
    torch.testing.assert_close(found, everything)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("wanted", ("x", "states", "weights"))
def test_second_derivatives_of_some_arguments(mode, wanted):
    """The lists that are left out have their places among the gradients."""
    args, kwargs = arguments(mode)
    groups = {"x": [args[0]], "states": args[1], "weights": args[2]}
    for name, tensors in groups.items():
        for tensor in tensors:
            tensor.requires_grad_(name == wanted)
    torch.autograd.gradgradcheck(lambda *_: phi_torch.rnn(*args, **kwargs)[0], groups[wanted], fast_mode=True)


def test_steps_after_the_end_have_no_part():
    args, kwargs = arguments("GRU", lengths=torch.tensor([1, 2, 3, 4, 6]), bidirec=True)
    x = args[0].detach()
    out = phi_torch.rnn(x, *args[1:], **kwargs)
    changed = x.clone()
    changed[1:, 0] = torch.nan
    for found, expected in zip(phi_torch.rnn(changed, *args[1:], **kwargs)[2], out[2]):
        torch.testing.assert_close(found, expected)


def test_a_length_beyond_the_last_step_is_all_of_them():
    args, kwargs = arguments("LSTM", bidirec=True)
    expected = phi_torch.rnn(*args, **kwargs)
    args = (*args[:3], torch.tensor([6, 7, 99, 2**40, 6]), None)
    torch.testing.assert_close(phi_torch.rnn(*args, **kwargs)[0], expected[0])


@pytest.mark.parametrize("mode", MODES[:3])  # what is left of the last one's sums near 0 depends on each rounding
@pytest.mark.parametrize("hidden", (64, 65, 130))
@pytest.mark.parametrize("dtype, time, bound", ((torch.bfloat16, 5, 0.03), (torch.float32, 30, 1e-4)))
def test_narrow_types_follow_double(mode, hidden, dtype, time, bound):
    """Weights are packed where a library multiplies with them faster: of half types those of an even number of rows."""
    made = network(mode, bidirec=True, time=time, batch=3, size=6, hidden=hidden).make(torch.float64, grad=False)
    x, states, weights = (made.args[0], made.args[1], made.args[2])
    narrow = [x.to(dtype), [t.to(dtype) for t in states], [(0.1 * t).to(dtype) for t in weights]]
    doubles = [narrow[0].double(), *([t.double() for t in group] for group in narrow[1:])]
    results = []
    for args in (narrow, doubles):
        leaves = [args[0], *args[1], *args[2]]
        for leaf in leaves:
            leaf.requires_grad_()
        out = phi_torch.rnn(*args, *made.args[3:], **made.kwargs)[0]
        results.append([out, *torch.autograd.grad(out.sum(), leaves)])
    for found, double in zip(*results, strict=True):
        size = double.abs().max().clamp(min=1)
        torch.testing.assert_close(found.double() / size, double / size, rtol=0, atol=bound)
