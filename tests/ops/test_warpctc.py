"""What the samples of `warpctc` do not say: what divides the gradient, and what labels that do not count may be."""

import pytest
import torch

import phi_torch

LABEL = torch.tensor([[1, 2], [3, 3]])
COUNTS = torch.tensor([2, 1])


@pytest.mark.parametrize("times", [None, torch.tensor([5, 3])])
def test_norm_by_times_divides_the_gradient(times):
    x = torch.randn(5, 2, 4, dtype=torch.float64, requires_grad=True)
    (plain,) = torch.autograd.grad(phi_torch.warpctc(x, LABEL, times, COUNTS).sum(), x)
    loss = phi_torch.warpctc(x, LABEL, times, COUNTS, 0, True)
    (divided,) = torch.autograd.grad(loss.sum(), x)
    steps = torch.tensor([5, 5]) if times is None else times
    torch.testing.assert_close(loss, phi_torch.warpctc(x, LABEL, times, COUNTS))
    torch.testing.assert_close(divided * steps.unsqueeze(1), plain)


def test_steps_beyond_the_length_do_not_count():
    x = torch.randn(5, 2, 4, requires_grad=True)
    (grad,) = torch.autograd.grad(phi_torch.warpctc(x, LABEL, torch.tensor([5, 3]), COUNTS).sum(), x)
    assert not grad[3:, 1].any() and grad[:3, 1].all()


def test_labels_that_do_not_count_may_be_anything():
    x = torch.randn(5, 2, 4)
    spare = torch.tensor([[1, 2], [3, 1 << 30]])
    torch.testing.assert_close(phi_torch.warpctc(x, spare, None, COUNTS), phi_torch.warpctc(x, LABEL, None, COUNTS))
