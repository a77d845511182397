"""Composites of softmax, the normalizations and cross entropy: what each computes, in functions of torch.

Half types are computed in float32.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from .widened import widened

_LARGEST_LOSS = 1e20


def softmax(x: Tensor, axis: int = -1) -> Tensor:
    return torch.softmax(x, axis)


def softmax_grad(out: Tensor, out_grad: Tensor, axis: int) -> Tensor:
    y, g = widened(out), widened(out_grad)
    return ((g - (g * y).sum(axis, keepdim=True)) * y).to(out.dtype)


def log_softmax_grad(out: Tensor, out_grad: Tensor, axis: int) -> Tensor:
    y, g = widened(out), widened(out_grad)
    return (g - torch.exp(y) * g.sum(axis, keepdim=True)).to(out.dtype)


def rms_norm(
    x: Tensor, scale: Tensor | None = None, normalized_shape: Sequence[int] = (), epsilon: float = 1e-5
) -> tuple[Tensor, Tensor]:
    """The normalized x, and what each part was multiplied by."""
    dims = tuple(range(x.dim() - len(normalized_shape), x.dim()))
    wide = widened(x)
    invvar = torch.rsqrt((wide * wide).mean(dims, keepdim=True) + epsilon)
    y = wide * invvar if scale is None else wide * invvar * widened(scale)
    return y.to(x.dtype), invvar.reshape(x.shape[: dims[0]])


def rms_norm_grad(
    x: Tensor, scale: Tensor | None, invvar: Tensor, y_grad: Tensor, normalized_shape: Sequence[int], epsilon: float
) -> tuple[Tensor, Tensor | None]:
    """The gradients of x and scale. The mean square is computed anew, so that this can be differentiated."""
    begin = x.dim() - len(normalized_shape)
    dims, leading = tuple(range(begin, x.dim())), tuple(range(begin))
    wide, g = widened(x), widened(y_grad)
    inverse = torch.rsqrt((wide * wide).mean(dims, keepdim=True) + epsilon)
    hat = wide * inverse
    weighted = g if scale is None else g * widened(scale)
    x_grad = inverse * (weighted - hat * (weighted * hat).mean(dims, keepdim=True))
    if scale is None:
        return x_grad.to(x.dtype), None
    scale_grad = sum_over(g * hat, leading)
    return x_grad.to(x.dtype), scale_grad.to(scale.dtype)


def sum_over(x: Tensor, dims: tuple[int, ...]) -> Tensor:
    return x.sum(dims) if dims else x  # no dimensions stand for all


def _normalized(x: Tensor, dims: tuple[int, ...], epsilon: float) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """(x - mean) / std over `dims`, 1 / std, mean and variance; the last three keep the dimensions."""
    variance, mean = torch.var_mean(x, dims, correction=0, keepdim=True)
    inv_std = torch.rsqrt(variance + epsilon)
    return (x - mean) * inv_std, inv_std, mean, variance


def layer_norm(
    x: Tensor, scale: Tensor | None = None, bias: Tensor | None = None, epsilon: float = 1e-5, begin_norm_axis: int = 1
) -> tuple[Tensor, Tensor, Tensor]:
    """The normalized x, and the mean and variance of each part."""
    dims = tuple(range(begin_norm_axis, x.dim()))
    rows, part = x.shape[:begin_norm_axis], x.shape[begin_norm_axis:]
    out, _, mean, variance = _normalized(widened(x), dims, epsilon)
    if scale is not None:
        out = out * widened(scale).reshape(part)
    if bias is not None:
        out = out + widened(bias).reshape(part)
    return out.to(x.dtype), mean.reshape(rows), variance.reshape(rows)


def layer_norm_grad(
    x: Tensor,
    scale: Tensor | None,
    bias: Tensor | None,
    mean: Tensor,
    variance: Tensor,
    out_grad: Tensor,
    epsilon: float,
    begin_norm_axis: int,
) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """The gradients of x, scale and bias. Mean and variance are computed anew, so that this can be differentiated."""
    dims, leading = tuple(range(begin_norm_axis, x.dim())), tuple(range(begin_norm_axis))
    hat, inv_std, _, _ = _normalized(widened(x), dims, epsilon)
    g = widened(out_grad)
    weighted = g if scale is None else g * widened(scale).reshape(x.shape[begin_norm_axis:])
    along = hat * (weighted * hat).mean(dims, keepdim=True)
    x_grad = inv_std * (weighted - weighted.mean(dims, keepdim=True) - along)
    scale_grad = None if scale is None else sum_over(g * hat, leading).reshape(scale.shape).to(scale.dtype)
    bias_grad = None if bias is None else sum_over(g, leading).reshape(bias.shape).to(bias.dtype)
    return x_grad.to(x.dtype), scale_grad, bias_grad


class _Channels:
    """Where the channels of x are."""

    def __init__(self, x: Tensor, data_format: str) -> None:
        axis = x.dim() - 1 if data_format in ("NHWC", "NDHWC") else 1
        self.others = tuple(d for d in range(x.dim()) if d != axis)
        self.count = math.prod(x.shape[d] for d in self.others)  # elements of each
        self._shape = [-1 if d == axis else 1 for d in range(x.dim())]

    def spread(self, values: Tensor) -> Tensor:
        """One value per channel, as it broadcasts against x."""
        return widened(values).reshape(self._shape)


def _is_global(is_test: bool, use_global_stats: bool, trainable_statistics: bool) -> bool:
    """Whether the running statistics are used."""
    return use_global_stats or (is_test and not trainable_statistics)


def batch_norm(
    x: Tensor,
    mean: Tensor,
    variance: Tensor,
    scale: Tensor | None = None,
    bias: Tensor | None = None,
    is_test: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    data_format: str = "NCHW",
    use_global_stats: bool = False,
    trainable_statistics: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The normalized x, the running statistics, those of the batch, and an empty tensor."""
    channels = _Channels(x, data_format)
    is_global = _is_global(is_test, use_global_stats, trainable_statistics)
    none = widened(mean.new_zeros(mean.shape, dtype=x.dtype))
    reserve_space = x.new_empty((0,), dtype=torch.uint8)
    if not is_global and channels.count <= 1:
        return x.clone(), mean.clone(), variance.clone(), none, none.clone(), reserve_space
    if is_global:
        inv_std = torch.rsqrt(channels.spread(variance) + epsilon)
        out = (widened(x) - channels.spread(mean)) * inv_std
        statistics = (mean.clone(), variance.clone(), none, none.clone())
    else:
        out, batch_inv_std, batch_mean, batch_variance = _normalized(widened(x), channels.others, epsilon)
        new_mean = widened(mean) * momentum + batch_mean.reshape(mean.shape) * (1 - momentum)
        new_variance = widened(variance) * momentum + batch_variance.reshape(mean.shape) * (1 - momentum)
        batch = batch_mean.reshape(mean.shape), batch_inv_std.reshape(mean.shape)
        statistics = (new_mean.to(mean.dtype), new_variance.to(variance.dtype), *batch)
    if scale is not None:
        out = out * channels.spread(scale)
    if bias is not None:
        out = out + channels.spread(bias)
    return out.to(x.dtype), *statistics, reserve_space


def batch_norm_grad(
    x: Tensor,
    scale: Tensor | None,
    bias: Tensor | None,
    mean_out: Tensor | None,
    variance_out: Tensor | None,
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
) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """The gradients of x, scale and bias. The batch's statistics are computed anew, so that this can be differentiated."""
    channels = _Channels(x, data_format)
    others = channels.others
    is_global = _is_global(is_test, use_global_stats, trainable_statistics)
    g = widened(out_grad)
    if not is_global and channels.count <= 1:
        zeros = [None if p is None else torch.zeros_like(p) for p in (scale, bias)]
        return out_grad.clone(), zeros[0], zeros[1]
    if is_global:
        assert mean_out is not None and variance_out is not None
        inv_std = torch.rsqrt(channels.spread(variance_out) + epsilon)
        hat = (widened(x) - channels.spread(mean_out)) * inv_std
        x_grad = g
    else:
        hat, inv_std, _, _ = _normalized(widened(x), others, epsilon)
        x_grad = g - g.mean(others, keepdim=True) - hat * (g * hat).mean(others, keepdim=True)
    x_grad = x_grad * inv_std
    if scale is not None:
        x_grad = x_grad * channels.spread(scale)
    scale_grad = None if scale is None else (g * hat).sum(others).to(scale.dtype)
    bias_grad = None if bias is None else g.sum(others).to(bias.dtype)
    return x_grad.to(x.dtype), scale_grad, bias_grad


def _classes(label: Tensor, like: Tensor, ignore_index: int, axis: int) -> tuple[Tensor, Tensor]:
    """Hard labels as indices along `axis`, with 0 for ignored ones, and which are ignored; both of size 1 at `axis`."""
    label = label if label.dim() == like.dim() else label.unsqueeze(axis)
    label = label.long()  # before it is compared: no ignore_index wraps around
    ignored = label == ignore_index
    return torch.where(ignored, 0, label), ignored


def cross_entropy_with_softmax(
    input: Tensor,
    label: Tensor,
    soft_label: bool = False,
    use_softmax: bool = True,
    numeric_stable_mode: bool = True,
    ignore_index: int = -100,
    axis: int = -1,
) -> tuple[Tensor, Tensor]:
    """The softmax and the loss."""
    x = widened(input)
    if use_softmax:
        softmax, negative_log = torch.softmax(x, axis).to(input.dtype), -torch.log_softmax(x, axis)
    else:
        softmax, negative_log = input.clone(), (-torch.log(x)).clamp(-_LARGEST_LOSS, _LARGEST_LOSS)
    if soft_label:
        loss = (widened(label) * torch.where(label == 0, 0, negative_log)).sum(axis, keepdim=True)
    else:
        index, ignored = _classes(label, input, ignore_index, axis)
        loss = torch.where(ignored, 0, negative_log.gather(axis, index))
    return softmax, loss.to(input.dtype)


def cross_entropy_with_softmax_grad(
    label: Tensor,
    softmax: Tensor,
    loss_grad: Tensor,
    softmax_grad: Tensor | None,
    soft_label: bool,
    use_softmax: bool,
    numeric_stable_mode: bool,
    ignore_index: int,
    axis: int,
) -> Tensor:
    """The gradient of the input, through the loss and, if given, through the softmax."""
    y, g = widened(softmax), widened(loss_grad)
    if soft_label:
        target = widened(label)
    else:
        index, ignored = _classes(label, softmax, ignore_index, axis)
        target = torch.zeros_like(y).scatter(axis, index, 1.0)
        g = torch.where(ignored, 0, g)
    if use_softmax:
        input_grad = (y * target.sum(axis, keepdim=True) - target) * g
    else:
        input_grad = torch.where(target == 0, 0, -target / torch.where(target == 0, 1, y)) * g
    if softmax_grad is not None:
        s = widened(softmax_grad)
        input_grad = input_grad + ((s - (s * y).sum(axis, keepdim=True)) * y if use_softmax else s)
    return input_grad.to(softmax.dtype)
