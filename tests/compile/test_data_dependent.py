"""Sizes that values decide on are symbols of a trace: one program serves all of them."""

import pytest
import torch
from torch._dynamo.testing import CompileCounterWithBackend
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv, free_unbacked_symbols

import phi_torch

CALLS = {
    "nonzero": lambda x: phi_torch.nonzero(x),
    "masked_select": lambda x: phi_torch.masked_select(x, x > 0),
    "unique": lambda x: phi_torch.unique(x, True, True, True, [])[0],
    "repeat_interleave": lambda x: phi_torch.repeat_interleave_with_tensor_index(x, x[:, 0].abs().long() + 1, 0),
    "sequence_mask": lambda x: phi_torch.sequence_mask(x.abs().long() + 1, -1, torch.float32),
    "segment_pool": lambda x: phi_torch.segment_pool(x, x[:, 0].abs().long(), "MAX"),
    "unique_consecutive": lambda x: phi_torch.unique_consecutive(x, True, True, [], torch.int64)[0],
    "bincount": lambda x: phi_torch.bincount(x.abs().long().reshape(-1)),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_size_is_a_symbol(name: str):
    with FakeTensorMode(shape_env=ShapeEnv()) as mode:
        out = CALLS[name](mode.from_tensor(torch.randn(3, 4)))
    assert free_unbacked_symbols(out.shape)


@pytest.mark.parametrize("name", CALLS)
@torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True)
def test_one_program_serves_all_sizes(name: str):
    counter = CompileCounterWithBackend("inductor")
    call = torch.compile(lambda x: CALLS[name](x) * 2, backend=counter, fullgraph=True, dynamic=True)
    for seed in range(3):
        x = torch.randn(5 + seed, 7, generator=torch.Generator().manual_seed(seed)).round()
        assert torch.equal(call(x), CALLS[name](x) * 2)
    assert counter.frame_count == 1


@torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True)
def test_the_gradient_goes_through():
    x = torch.randn(5, 7, requires_grad=True)

    def loss(x):
        return (phi_torch.masked_select(x, x > 0) ** 2).sum()

    (expected,) = torch.autograd.grad(loss(x), x)
    (actual,) = torch.autograd.grad(torch.compile(loss, fullgraph=True)(x), x)
    torch.testing.assert_close(actual, expected)
