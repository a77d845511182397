"""Composites of lp_pool2d: norms of the elements of each window."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from .pooling import Geometry, aten_pool, on_images, pool, pool_grad, window_sums, window_sums_grad


def _shares(image: Tensor, counts: Sequence[int]) -> Tensor:
    """How many elements each of the windows has that divide the image."""
    found = torch.ones((), dtype=image.dtype, device=image.device)
    for size, count in zip(image.shape[2:], counts):
        number = torch.arange(count, device=image.device)
        found = found.unsqueeze(-1) * (((number + 1) * size + count - 1) // count - number * size // count)
    return found


def lp_pool2d(
    x: Tensor,
    kernel_size: Sequence[int],
    strides: Sequence[int],
    paddings: Sequence[int],
    ceil_mode: bool,
    exclusive: bool,
    data_format: str,
    pooling_type: str,
    global_pooling: bool,
    adaptive: bool,
    padding_algorithm: str,
    norm_type: float,
) -> Tensor:
    if math.isinf(norm_type):
        rest = ceil_mode, exclusive, data_format, "max", global_pooling, adaptive, padding_algorithm
        return pool(x, kernel_size, strides, paddings, *rest)

    def pooled(image: Tensor) -> Tensor:
        powers = image**norm_type
        if adaptive and not global_pooling:
            size = list(kernel_size)
            total = aten_pool("adaptive_avg_pool{}d", image)(powers, size) * _shares(image, size)
        elif global_pooling:
            total = powers.sum((2, 3), keepdim=True)
        else:
            total = window_sums(powers, Geometry(image, kernel_size, strides, paddings, ceil_mode, padding_algorithm))
        return _power(total, 1 / norm_type)

    return on_images(data_format, pooled, x)


def _power(x: Tensor, exponent: float) -> Tensor:
    """x^exponent of norms, whose derivative at 0 is taken as 0 where it has none."""
    if exponent >= 1:
        return x**exponent
    is_zero = x == 0
    return torch.where(is_zero, 0, torch.where(is_zero, 1, x) ** exponent)


def lp_pool2d_grad(
    x: Tensor,
    out: Tensor,
    out_grad: Tensor,
    kernel_size: Sequence[int],
    strides: Sequence[int],
    paddings: Sequence[int],
    ceil_mode: bool,
    exclusive: bool,
    data_format: str,
    pooling_type: str,
    global_pooling: bool,
    adaptive: bool,
    padding_algorithm: str,
    norm_type: float,
) -> Tensor:
    """Each element has (x / out)^(norm_type - 1) of the gradients of its windows, 0 of a window of zeros."""
    if math.isinf(norm_type):
        rest = ceil_mode, exclusive, data_format, "max", global_pooling, adaptive, padding_algorithm
        return pool_grad(x, out, out_grad, kernel_size, strides, paddings, *rest)

    def pulled(image: Tensor, norms: Tensor, gradient: Tensor) -> Tensor:
        gradient = gradient * (_power(norms, 1 - norm_type) if norm_type > 1 else norms ** (1 - norm_type))
        if adaptive and not global_pooling:
            gradient = gradient * _shares(image, list(kernel_size))
            spread = aten_pool("_adaptive_avg_pool{}d_backward", image)(gradient.contiguous(), image)
        elif global_pooling:
            spread = gradient.expand_as(image)
        else:
            windows = Geometry(image, kernel_size, strides, paddings, ceil_mode, padding_algorithm)
            spread = window_sums_grad(image, windows, gradient)
        return spread * image ** (norm_type - 1)

    return on_images(data_format, pulled, x, out, out_grad)
