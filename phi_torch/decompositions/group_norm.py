"""Composites of group_norm, a layer_norm of each group, and of instance_norm, whose groups are the channels."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .images import as_given, channels_first, is_nothing, zeros
from .nn import _normalized
from .widened import widened


class _Groups:
    """x as [batch, groups, channels of a group, pixels] and back."""

    def __init__(self, x: Tensor, groups: int, data_format: str) -> None:
        self.data_format = data_format
        self.shape = channels_first(x, data_format).shape
        self.groups = groups
        self.channels = self.shape[1]

    def split(self, x: Tensor) -> Tensor:
        first = widened(channels_first(x, self.data_format))
        return first.reshape(self.shape[0], self.groups, self.channels // self.groups, math.prod(self.shape[2:]))

    def joined(self, x: Tensor) -> Tensor:
        return as_given(x.reshape(self.shape), self.data_format)

    def parameter(self, param: Tensor) -> Tensor:
        return widened(param).reshape(1, self.groups, self.channels // self.groups, 1)


def group_norm(
    x: Tensor,
    scale: Tensor | None = None,
    bias: Tensor | None = None,
    epsilon: float = 1e-5,
    groups: int = -1,
    data_format: str = "NCHW",
) -> tuple[Tensor, Tensor, Tensor]:
    """The normalized x, and the mean and variance of each group."""
    split = _Groups(x, groups, data_format)
    y, _, mean, variance = _normalized(split.split(x), (2, 3), epsilon)
    if scale is not None:
        y = y * split.parameter(scale)
    if bias is not None:
        y = y + split.parameter(bias)
    return split.joined(y).to(x.dtype), mean[..., 0, 0], variance[..., 0, 0]


def group_norm_grad(
    x: Tensor,
    scale: Tensor | None,
    bias: Tensor | None,
    y: Tensor,
    mean: Tensor,
    variance: Tensor,
    y_grad: Tensor,
    epsilon: float,
    groups: int,
    data_format: str,
) -> tuple[Tensor, Tensor | None, Tensor | None]:
    return _gradients(_Groups(x, groups, data_format), x, scale, bias, y_grad, epsilon)


def _gradients(
    split: _Groups, x: Tensor, scale: Tensor | None, bias: Tensor | None, y_grad: Tensor, epsilon: float
) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """The gradients of x, scale and bias. Mean and variance are computed anew, so that this can be differentiated."""
    hat, inv_std, _, _ = _normalized(split.split(x), (2, 3), epsilon)
    g = split.split(y_grad)
    weighted = g if scale is None else g * split.parameter(scale)
    along = hat * (weighted * hat).mean((2, 3), keepdim=True)
    x_grad = inv_std * (weighted - weighted.mean((2, 3), keepdim=True) - along)
    scale_grad = None if scale is None else (g * hat).sum((0, 3)).reshape(scale.shape).to(scale.dtype)
    bias_grad = None if bias is None else g.sum((0, 3)).reshape(bias.shape).to(bias.dtype)
    return split.joined(x_grad).to(x.dtype), scale_grad, bias_grad


def instance_norm(
    x: Tensor, scale: Tensor | None = None, bias: Tensor | None = None, epsilon: float = 1e-5
) -> tuple[Tensor, Tensor, Tensor]:
    """The normalized x, and the mean and 1 / the standard deviation of each channel of each image."""
    if is_nothing(x):
        none = widened(x).new_zeros(x.shape[0] * x.shape[1])
        return zeros(x.shape, *(t for t in (x, scale, bias) if t is not None)), none, none.clone()
    y, mean, variance = group_norm(x, scale, bias, epsilon, x.shape[1])
    return y, mean.flatten(), torch.rsqrt(variance + epsilon).flatten()


def instance_norm_grad(
    x: Tensor,
    scale: Tensor | None,
    bias: Tensor | None,
    saved_mean: Tensor,
    saved_variance: Tensor,
    y_grad: Tensor,
    epsilon: float,
) -> tuple[Tensor, Tensor | None, Tensor | None]:
    if is_nothing(x):
        none = [None if p is None else zeros(p.shape, p, x, y_grad) for p in (scale, bias)]
        return zeros(x.shape, x, y_grad), none[0], none[1]
    return _gradients(_Groups(x, x.shape[1], "NCHW"), x, scale, bias, y_grad, epsilon)
