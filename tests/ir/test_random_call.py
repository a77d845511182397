"""Random operators in what `torch.utils.checkpoint` computes again: they draw the same numbers."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from phi_torch.ir import random_call

DRAWN: dict[str, Callable[[Tensor], Tensor]] = {
    "dropout": lambda x: F.dropout(x.tanh(), 0.5),
    "like": lambda x: x.tanh() * torch.rand_like(x),
    "sizes": lambda x: x.tanh() * torch.rand(x.shape[0], 3),
    "integers": lambda x: x.tanh() * torch.randint(5, (x.shape[0], 3)),
    "several": lambda x: F.dropout(F.dropout(x, 0.3).tanh() * torch.randn_like(x), 0.5),
}


def outcome(drawn: Callable[[Tensor], Tensor], backend: str, dynamic: bool) -> list[Tensor]:
    """Results and gradients of two rounds with other sizes, and what the generator gives behind them."""

    def model(x: Tensor) -> Any:
        return F.dropout(checkpoint(lambda y: drawn(y).exp(), F.dropout(x, 0.2), use_reentrant=False), 0.2)

    torch._dynamo.reset()
    run, found = torch.compile(model, backend=backend, dynamic=dynamic), []
    torch.manual_seed(7)
    for size in (4, 5):
        x = torch.randn(size, 3, requires_grad=True)
        y = run(x)
        found += [y.detach(), *torch.autograd.grad(y.square().sum(), x)]
    return [*found, torch.rand(3)]


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", DRAWN)
def test_a_checkpoint_draws_the_same_numbers(name: str, dynamic: bool):
    expected = outcome(DRAWN[name], "aot_eager", dynamic)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = outcome(DRAWN[name], "phi", dynamic)
    torch.testing.assert_close(found, expected)


def test_what_has_no_state():
    with pytest.raises(ValueError, match="argument 'call': expected what the conversion of a program writes"):
        random_call.run_with([], "")
