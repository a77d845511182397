"""What torch.compile(backend="phi") gives, called in ways that a program alone does not serve."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch import nn
from torch.autograd import forward_ad


def test_tangents_pass_through():
    torch._dynamo.reset()
    fast = torch.compile(lambda x: x.sin() * 2, backend="phi")
    x, tangent = torch.randn(3), torch.randn(3)
    with forward_ad.dual_level():
        found = forward_ad.unpack_dual(fast(forward_ad.make_dual(x, tangent)))
    torch.testing.assert_close(found.tangent, x.cos() * 2 * tangent)
    torch.testing.assert_close(fast(x), found.primal)


def test_graphs_of_other_devices_run_as_they_are():
    torch._dynamo.reset()
    layer = nn.Linear(3, 2, device="meta")
    with pytest.warns(
        UserWarning, match="the forward graph runs as it is: node .*: a program runs on the CPU, and this is on meta"
    ):
        found = torch.compile(layer, backend="phi")(torch.empty(4, 3, device="meta"))
    assert found.shape == (4, 2) and found.is_meta


def test_sizes_that_are_lists_are_no_inputs():
    """The length of a nested tensor's rows is a symbol that has no number."""
    torch._dynamo.reset()
    layer, rows = nn.Linear(4, 2), [torch.randn(2, 4), torch.randn(3, 4)]
    fast = torch.compile(lambda x: layer(x).sin(), backend="phi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = fast(torch.nested.nested_tensor(rows, layout=torch.jagged))
    for ours, row in zip(found.unbind(), rows, strict=True):
        torch.testing.assert_close(ours, layer(row).sin())
    gradient = torch.autograd.grad(found.values().sum(), layer.bias)
    torch.testing.assert_close(gradient, torch.autograd.grad(layer(torch.cat(rows)).sin().sum(), layer.bias))
