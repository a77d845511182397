"""Norms of graphs of torch: half types, whose statistics have other dtypes in the graph than in a kernel, and any batch."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from phi_torch import ir

BFLOAT16 = torch.bfloat16
NORMS: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...]]] = {
    "layer_norm": (lambda: nn.LayerNorm(8), (4, 8)),
    "layer_norm of two dimensions": (lambda: nn.LayerNorm((3, 8)), (4, 3, 8)),
    "layer_norm of all dimensions": (lambda: nn.LayerNorm((4, 8)), (4, 8)),
    "group_norm": (lambda: nn.GroupNorm(2, 8), (4, 8, 5)),
    "batch_norm": (lambda: nn.BatchNorm1d(8), (4, 8)),
    "batch_norm that is tested": (lambda: nn.BatchNorm1d(8).eval(), (4, 8)),
    "instance_norm": (lambda: nn.InstanceNorm1d(8, affine=True), (4, 8, 5)),
}


def trained(model: nn.Module, backend: str, x: Tensor, autocast: bool) -> list[Tensor]:
    model, x = copy.deepcopy(model), x.clone().requires_grad_()
    with torch.autocast("cpu", BFLOAT16, enabled=autocast):
        out = torch.compile(model, backend=backend)(x)
    weights = torch.randn(out.shape, generator=torch.Generator().manual_seed(0))
    (out.float() * weights).sum().backward()
    return [out.detach(), x.grad, *(one.grad for one in model.parameters()), *model.buffers()]  # type: ignore[list-item]


CASES = [(name, kind) for name in NORMS for kind in ("bfloat16", "weights of float32", "autocast")]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_norms_train(name: str, kind: str):
    torch._dynamo.reset()
    torch.manual_seed(0)
    make, shape = NORMS[name]
    model, x = make(), torch.randn(shape)
    if kind == "autocast":
        model = nn.Sequential(nn.Linear(shape[-1], shape[-1]), model)
    else:
        x = x.to(BFLOAT16)
    if kind == "bfloat16":
        model.to(BFLOAT16)
    ours, theirs = (trained(model, backend, x, kind == "autocast") for backend in ("phi", "eager"))
    for one, other in zip(ours, theirs, strict=True):
        assert one.dtype == other.dtype
        assert (one - other).abs().max() <= 4e-2 * other.abs().max().clamp(min=2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_batch_norm_trains_on_batches_of_any_size(dtype: torch.dtype, recwarn: pytest.WarningsRecorder):
    torch._dynamo.reset()
    ours, theirs = nn.BatchNorm2d(3, dtype=dtype), nn.BatchNorm2d(3, dtype=dtype)
    fast = torch.compile(ours, backend="phi", dynamic=True)
    for shape in ((3, 3, 5, 5), (2, 3, 4, 4), (5, 3, 6, 6)):
        x = torch.randn(shape, dtype=dtype)
        torch.testing.assert_close(fast(x), theirs(x), rtol=2e-2, atol=2e-2)
    torch.testing.assert_close(ours.state_dict(), theirs.state_dict(), rtol=2e-2, atol=1e-3)
    assert not [one for one in recwarn if "runs as it is" in str(one.message)]


class Statistics(nn.Module):
    """What torch differentiates beside the result of a norm of groups: mean and 1 / the standard deviation."""

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        return torch.native_group_norm(x, None, None, 2, 4, 5, 2, 1e-5)


def test_statistics_of_groups_have_gradients():
    x = torch.randn(2, 4, 5, dtype=torch.float64, requires_grad=True)
    module = ir.to_module(ir.from_exported(torch.export.export(Statistics(), (x.detach(),))))
    compiled = torch.compile(Statistics(), backend="phi")
    expected, *found = (torch.autograd.grad([one.sin().sum() for one in run(x)], x)[0] for run in (Statistics(), module, compiled))
    for one in found:
        torch.testing.assert_close(one, expected)
