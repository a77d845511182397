"""Composites of the ops that put the elements of tensors into another order, and of their gradients."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

__all__ = [
    "broadcast_tensors",
    "broadcast_tensors_grad",
    "diag",
    "diag_grad",
    "meshgrid",
    "meshgrid_grad",
    "pad",
    "pad3d",
    "pad3d_grad",
    "pad_grad",
    "pixel_shuffle",
    "pixel_shuffle_grad",
    "repeat_interleave_grad",
    "set_value",
    "set_value_grad",
    "set_value_with_tensor",
    "set_value_with_tensor_grad",
    "strided_slice",
    "strided_slice_grad",
]


def pixel_shuffle(x: Tensor, upscale_factor: int = 1, data_format: str = "NCHW") -> Tensor:
    r = upscale_factor
    if data_format == "NCHW":
        n, c, h, w = x.shape
        parts, result = [n, c // (r * r), r, r, h, w], [n, c // (r * r), h * r, w * r]
    else:
        n, h, w, c = x.shape
        parts, result = [n, h, w, c // (r * r), r, r], [n, h * r, w * r, c // (r * r)]
    return x.reshape(parts).permute(0, 1, 4, 2, 5, 3).reshape(result)


def pixel_shuffle_grad(out_grad: Tensor, upscale_factor: int, data_format: str) -> Tensor:
    r = upscale_factor
    if data_format == "NCHW":
        n, c, h, w = out_grad.shape
        parts, result = [n, c, h // r, r, w // r, r], [n, c * r * r, h // r, w // r]
    else:
        n, h, w, c = out_grad.shape
        parts, result = [n, h // r, r, w // r, r, c], [n, h // r, w // r, c * r * r]
    return out_grad.reshape(parts).permute(0, 1, 3, 5, 2, 4).reshape(result)


def _from_the_last(paddings: Sequence[int]) -> list[int]:
    """Pairs in the order of torch's padding."""
    return [n for i in range(len(paddings) - 2, -1, -2) for n in paddings[i : i + 2]]


def pad(x: Tensor, paddings: Sequence[int], pad_value: float) -> Tensor:
    return torch.constant_pad_nd(x, _from_the_last(paddings), pad_value)


def pad_grad(x: Tensor, out_grad: Tensor, paddings: Sequence[int], pad_value: float) -> Tensor:
    return torch.constant_pad_nd(out_grad, [-n for n in _from_the_last(paddings)], 0)


def _image_axes(data_format: str) -> tuple[int, int, int]:
    """Width, height, depth."""
    return (4, 3, 2) if data_format == "NCDHW" else (3, 2, 1)


def _torch_paddings(paddings: Sequence[int], data_format: str) -> list[int]:
    return [*([] if data_format == "NCDHW" else [0, 0]), *paddings]


def _sources(size: int, before: int, after: int, mode: str, x: Tensor) -> Tensor:
    """Which element of an axis each place of the padded one has."""
    places = torch.arange(-before, size + after, device=x.device)
    if mode == "circular":
        return places % size
    if mode == "replicate":
        return places.clamp(0, size - 1)
    places = places.abs()
    return torch.where(places < size, places, 2 * (size - 1) - places)


def pad3d(x: Tensor, paddings: Sequence[int], mode: str = "constant", pad_value: float = 0.0, data_format: str = "NCDHW") -> Tensor:
    if mode == "constant":
        return torch.constant_pad_nd(x, _torch_paddings(paddings, data_format), pad_value)
    for axis, before, after in zip(_image_axes(data_format), paddings[::2], paddings[1::2]):
        x = x.index_select(axis, _sources(x.shape[axis], before, after, mode, x))
    return x


def pad3d_grad(
    x: Tensor,
    out_grad: Tensor,
    paddings: Sequence[int],
    mode: str = "constant",
    pad_value: float = 0.0,
    data_format: str = "NCDHW",
) -> Tensor:
    if mode == "constant":
        return torch.constant_pad_nd(out_grad, [-n for n in _torch_paddings(paddings, data_format)], 0)
    grad = out_grad
    for axis, before, after in zip(_image_axes(data_format), paddings[::2], paddings[1::2]):
        shape = list(grad.shape)
        shape[axis] = x.shape[axis]
        grad = grad.new_zeros(shape).index_add(axis, _sources(x.shape[axis], before, after, mode, x), grad)
    return grad


def _steps(x: Sequence[int], axes: Sequence[int], *given: Sequence[int]) -> list[tuple[int, int, int, bool]]:
    """For each axis the first and the end of a slice that goes forwards, its step, and whether it is turned round then."""
    slices = []
    for axis, start, end, step in zip(axes, *given):
        size = x[axis]
        if abs(step) >= 1 << 31:  # the stride of a slice would be more than an int64
            step = (1 if step > 0 else -1) * min(abs(step), max(size, 1))
        if step > 0:
            slices.append((start, end, step, False))
            continue
        start = start + size if start < 0 else min(start, size - 1)
        lowest = max(min(end + size if end < 0 else end, size) + 1, 0)
        count = max((start - lowest) // -step + 1, 0) if start >= lowest else 0
        first = start + (count - 1) * step
        slices.append((first, first + (count - 1) * -step + 1, -step, True) if count > 0 else (0, 0, 1, True))
    return slices


def strided_slice(x: Tensor, axes: Sequence[int], starts: Sequence[int], ends: Sequence[int], strides: Sequence[int]) -> Tensor:
    for axis, (start, end, step, turned) in zip(axes, _steps(x.shape, axes, starts, ends, strides)):
        part = torch.ops.aten.slice(x, axis, start, end, step)
        x = part.flip(axis) if turned else part
    return x.clone()


def strided_slice_grad(
    x: Tensor, out_grad: Tensor, axes: Sequence[int], starts: Sequence[int], ends: Sequence[int], strides: Sequence[int]
) -> Tensor:
    """One axis after the other becomes whole again."""
    grad = out_grad
    for axis, (start, end, step, turned) in zip(axes, _steps(x.shape, axes, starts, ends, strides)):
        shape = list(grad.shape)
        shape[axis] = x.shape[axis]
        grad = torch.ops.aten.slice_backward(grad.flip(axis) if turned else grad, shape, axis, start, end, step)
    return grad if len(axes) else grad.clone()


def repeat_interleave_grad(x: Tensor, out_grad: Tensor, repeats: int, axis: int, output_size: int = -1) -> Tensor:
    axis %= x.dim()
    return out_grad.reshape([*x.shape[: axis + 1], repeats, *x.shape[axis + 1 :]]).sum(axis + 1)


def broadcast_tensors(input: Sequence[Tensor]) -> list[Tensor]:
    return [x.clone() for x in torch.broadcast_tensors(*input)]


def broadcast_tensors_grad(input: Sequence[Tensor], out_grad: Sequence[Tensor]) -> list[Tensor]:
    return [grad.sum_to_size(x.shape) for x, grad in zip(input, out_grad)]


def meshgrid(inputs: Sequence[Tensor]) -> list[Tensor]:
    return [x.clone() for x in torch.meshgrid(*inputs, indexing="ij")]


def meshgrid_grad(inputs: Sequence[Tensor], out_grad: Sequence[Tensor]) -> list[Tensor]:
    def along(i: int, grad: Tensor) -> Tensor:
        others = [axis for axis in range(grad.dim()) if axis != i]
        return (grad.sum(others) if others else grad.clone()).reshape(inputs[i].shape)

    return [along(i, grad) for i, grad in enumerate(out_grad)]


def diag(x: Tensor, offset: int = 0, padding_value: float = 0.0) -> Tensor:
    if x.dim() == 2:
        return x.diagonal(offset).clone()
    matrix = torch.diag_embed(x.reshape(-1), offset)
    if padding_value == 0:
        return matrix
    on = torch.diag_embed(torch.ones_like(x.reshape(-1), dtype=torch.bool), offset)
    return torch.where(on, matrix, padding_value).to(x.dtype)


def diag_grad(x: Tensor, out_grad: Tensor, offset: int) -> Tensor:
    if x.dim() < 2:
        return out_grad.diagonal(offset).reshape(x.shape).clone()
    return out_grad.new_zeros(x.shape).diagonal_scatter(out_grad, offset)


def _part(
    x: Tensor,
    starts: Sequence[int],
    ends: Sequence[int],
    steps: Sequence[int],
    axes: Sequence[int],
    decrease_axes: Sequence[int] = (),
    none_axes: Sequence[int] = (),
) -> Tensor:
    """Where the elements of a part of `x` are, in the shape in which the part is seen."""
    places = torch.arange(x.numel(), device=x.device).reshape(x.shape)
    part = strided_slice(places, axes, starts, ends, steps)
    dropped = {axis % x.dim() for axis in decrease_axes}
    shape: list[int] = []
    added = sorted(none_axes)
    for axis in range(x.dim() + 1):
        shape += [1] * sum(one == axis or one > axis == x.dim() for one in added)
        shape += [part.shape[axis]] if axis < x.dim() and axis not in dropped else []
    return part.reshape(shape)


def set_value_with_tensor(
    x: Tensor,
    values: Tensor,
    starts: Sequence[int],
    ends: Sequence[int],
    steps: Sequence[int],
    axes: Sequence[int],
    decrease_axes: Sequence[int],
    none_axes: Sequence[int],
) -> Tensor:
    places = _part(x, starts, ends, steps, axes, decrease_axes, none_axes)
    seen = values.reshape(values.shape[max(values.dim() - places.dim(), 0) :]).expand(places.shape)
    return x.reshape(-1).index_put((places.reshape(-1),), seen.reshape(-1)).reshape(x.shape)


def set_value_with_tensor_grad(
    values: Tensor,
    out_grad: Tensor,
    starts: Sequence[int],
    ends: Sequence[int],
    steps: Sequence[int],
    axes: Sequence[int],
    decrease_axes: Sequence[int],
    none_axes: Sequence[int],
) -> tuple[Tensor, Tensor]:
    places = _part(out_grad, starts, ends, steps, axes, decrease_axes, none_axes)
    part = out_grad.reshape(-1).index_select(0, places.reshape(-1)).reshape(places.shape)
    kept = part.sum_to_size(values.shape[max(values.dim() - places.dim(), 0) :])
    return set_value_grad(out_grad, starts, ends, steps, axes), kept.reshape(values.shape)


def set_value(
    x: Tensor,
    starts: Sequence[int],
    ends: Sequence[int],
    steps: Sequence[int],
    axes: Sequence[int],
    decrease_axes: Sequence[int],
    none_axes: Sequence[int],
    shape: Sequence[int],
    values: Sequence[complex],
) -> Tensor:
    given = torch.stack([x.new_full([], value) for value in values]) if values else x.new_empty(0)
    given = given.reshape(list(shape))
    return set_value_with_tensor(x, given, starts, ends, steps, axes, decrease_axes, none_axes)


def set_value_grad(
    out_grad: Tensor, starts: Sequence[int], ends: Sequence[int], steps: Sequence[int], axes: Sequence[int]
) -> Tensor:
    places = _part(out_grad, starts, ends, steps, axes)
    return out_grad.reshape(-1).index_fill(0, places.reshape(-1), 0).reshape(out_grad.shape)
