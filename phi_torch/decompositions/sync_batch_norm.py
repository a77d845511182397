"""Composites of sync_batch_norm: batch_norm with the statistics of what all processes have."""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch import Tensor

from .nn import _Channels, _is_global
from .widened import widened


def _is_alone() -> bool:
    return not (dist.is_available() and dist.is_initialized() and dist.get_world_size() > 1)


def _total(x: Tensor) -> Tensor:
    """The sum over all processes."""
    from torch.distributed import _functional_collectives as collectives  # which not every build of torch has

    group = dist.group.WORLD
    assert group is not None
    return collectives.wait_tensor(collectives.all_reduce(x, "sum", group))


class _Batch:
    """x of all processes: how many elements each channel has, and their statistics."""

    def __init__(self, x: Tensor, data_format: str, epsilon: float) -> None:
        self.channels = _Channels(x, data_format)
        others, wide = self.channels.others, widened(x)
        sums = wide.sum(others)
        count, sums = _total(torch.cat([sums.new_full((1,), self.channels.count), sums])).tensor_split([1])
        self.count = count.clamp(min=1)
        self.mean = sums / self.count
        centered = wide - self.channels.spread(self.mean)
        self.variance = _total((centered * centered).sum(others)) / self.count
        self.inv_std = torch.rsqrt(self.variance + epsilon)
        self.hat = centered * self.channels.spread(self.inv_std)

    def mean_of(self, values: Tensor) -> Tensor:
        """The mean of each channel over all processes."""
        return self.channels.spread(_total(values.sum(self.channels.others)) / self.count)


def sync_batch_norm(
    x: Tensor,
    mean: Tensor,
    variance: Tensor,
    scale: Tensor,
    bias: Tensor,
    is_test: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    data_format: str = "NCHW",
    use_global_stats: bool = False,
    trainable_statistics: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """As batch_norm, but that the saved statistics are those that were used, of the batch or not."""
    is_global = _is_global(is_test, use_global_stats, trainable_statistics)
    if is_global or _is_alone():
        settings = (is_test, momentum, epsilon, data_format, use_global_stats, trainable_statistics)
        *found, saved_mean, saved_variance, none = torch.ops.phi.batch_norm(x, mean, variance, scale, bias, *settings)
        if is_global:
            saved_mean, saved_variance = widened(mean).clone(), torch.rsqrt(widened(variance) + epsilon)
        return (*found, saved_mean, saved_variance, none)
    batch = _Batch(x, data_format, epsilon)
    out = batch.hat * batch.channels.spread(scale) + batch.channels.spread(bias)
    mean_out = widened(mean) * momentum + batch.mean * (1 - momentum)
    variance_out = widened(variance) * momentum + batch.variance * (1 - momentum)
    reserve_space = x.new_empty((0,), dtype=torch.uint8)
    return (
        out.to(x.dtype),
        mean_out.to(mean.dtype),
        variance_out.to(variance.dtype),
        batch.mean,
        batch.inv_std,
        reserve_space,
    )


def sync_batch_norm_grad(
    x: Tensor,
    scale: Tensor,
    bias: Tensor,
    saved_mean: Tensor,
    saved_variance: Tensor,
    reserve_space: Tensor | None,
    out_grad: Tensor,
    momentum: float,
    epsilon: float,
    data_format: str,
    is_test: bool,
    use_global_stats: bool,
    trainable_statistics: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of x, and of scale and bias by this process's part of the batch."""
    if _is_global(is_test, use_global_stats, trainable_statistics):
        channels, g = _Channels(x, data_format), widened(out_grad)
        inv_std = channels.spread(saved_variance)
        hat, x_grad = (widened(x) - channels.spread(saved_mean)) * inv_std, g * inv_std
    elif _is_alone():
        saved = (saved_mean, saved_variance, reserve_space)
        return torch.ops.phi.batch_norm_grad(
            x, scale, bias, None, None, *saved, out_grad, momentum, epsilon, data_format, False, False, False
        )
    else:
        batch, g = _Batch(x, data_format, epsilon), widened(out_grad)
        channels, hat = batch.channels, batch.hat
        x_grad = (g - batch.mean_of(g) - hat * batch.mean_of(g * hat)) * channels.spread(batch.inv_std)
    x_grad = (x_grad * channels.spread(scale)).to(x.dtype)
    return x_grad, (g * hat).sum(channels.others).to(scale.dtype), g.sum(channels.others).to(bias.dtype)
