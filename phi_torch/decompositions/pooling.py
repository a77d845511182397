"""Composites of pooling of images and of volumes, on ATen's pooling ops.

ATen pads both sides alike and never pads the far side of the last window, so that other windows are first padded here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from .errors import indices_of
from .images import Sides, as_given, channels_first, padded, same_sides, sides_of, unpadded
from .widened import widened


def aten_pool(name: str, image: Tensor) -> Callable[..., Any]:
    """ATen's function for as many spatial axes as the image has."""
    return getattr(torch.ops.aten, name.format(image.dim() - 2))


class Geometry:
    """How an image with the channels first is padded, and the windows on the padded image."""

    def __init__(
        self,
        x: Tensor,
        kernel_size: Sequence[int],
        strides: Sequence[int],
        paddings: Sequence[int],
        ceil_mode: bool,
        padding_algorithm: str,
    ) -> None:
        self.kernel, self.strides, self.sizes = list(kernel_size), list(strides), list(x.shape[2:])
        self.axes = range(len(self.sizes))
        self.pads = self._pads(paddings, padding_algorithm)
        self.outs = [self._out(i, ceil_mode) for i in self.axes]
        for i, stride in enumerate(strides):
            if stride >= 1 << 16:  # one that just leaves the image is the same, and needs no padding without end
                self.strides[i] = torch.sym_min(stride, torch.sym_max(self.sizes[i] + self.pads[i][0], 1))
        self.counted = list(zip(self.kernel, self.pads))
        for i, window in enumerate(self.kernel):
            if padding_algorithm == "SAME" and window >= 1 << 16:  # likewise one that is the whole image from every place
                self.kernel[i] = torch.sym_min(window, (self.outs[i] - 1) * self.strides[i] + self.sizes[i] + 1)
                self.pads[i] = same_sides(self.sizes[i], self.kernel[i], self.strides[i])
        # such that the windows, and nothing else, lie on the padded image
        self.sides = [(self.pads[i][0], self._reach(i) - self.sizes[i] - self.pads[i][0]) for i in self.axes]

    def _pads(self, paddings: Sequence[int], algorithm: str) -> list[Sides]:
        if algorithm == "SAME":
            return [same_sides(*axis) for axis in zip(self.sizes, self.kernel, self.strides)]
        return sides_of([0] * len(self.axes) if algorithm == "VALID" else paddings, len(self.axes))

    def _out(self, i: int, ceil_mode: bool) -> int:
        room = self.sizes[i] + sum(self.pads[i]) - self.kernel[i] + (self.strides[i] - 1 if ceil_mode else 0)
        return max(room, 0) // self.strides[i] + 1

    def _reach(self, i: int) -> int:
        return (self.outs[i] - 1) * self.strides[i] + self.kernel[i]

    def pad(self, x: Tensor, value: float) -> Tensor:
        """x with its padding; a negative one crops."""
        return padded(x, self.sides, value)

    def crop(self, padded: Tensor) -> Tensor:
        """The part of the padded image that is x; zeros where the padding cropped it."""
        return unpadded(padded, self.sides)

    def shares(self, like: Tensor, exclusive: bool) -> Tensor:
        """1 / the elements that each window counts; 0 for a window without elements."""
        count = torch.ones((), dtype=torch.int64, device=like.device)
        empty = torch.zeros((), dtype=torch.bool, device=like.device)
        for i in self.axes:
            counted, seen = self._counts(i, like, exclusive)
            count, empty = count.unsqueeze(-1) * counted, empty.unsqueeze(-1) | (seen <= 0)
        return torch.where(empty, 0, 1 / torch.where(empty, 1, count).to(like.dtype))

    def _counts(self, i: int, like: Tensor, exclusive: bool) -> tuple[Tensor, Tensor]:
        window, (before, after) = self.counted[i]
        start = torch.arange(self.outs[i], device=like.device) * self.strides[i] - before
        stop = (start + window).clamp(max=self.sizes[i] + after)
        seen = stop.clamp(max=self.sizes[i]) - start.clamp(min=0)
        return seen if exclusive else stop - start, seen

    def in_image(self, index: Tensor) -> Tensor:
        """Flat indices on the padded image as those on x; -1 for those beside it."""
        flat, step, is_inside = torch.zeros_like(index), 1, torch.ones_like(index, dtype=torch.bool)
        for i in reversed(self.axes):
            at = index % self._reach(i) - self.pads[i][0]
            is_inside = is_inside & (at >= 0) & (at < self.sizes[i])
            flat = flat + at * step
            index, step = index // self._reach(i), step * self.sizes[i]
        return torch.where(is_inside, flat, -1)


def window_sums(image: Tensor, windows: Geometry) -> Tensor:
    none = [0] * len(windows.axes)
    return aten_pool("avg_pool{}d", image)(windows.pad(image, 0.0), windows.kernel, windows.strides, none, False, True, 1)


def window_sums_grad(image: Tensor, windows: Geometry, gradient: Tensor) -> Tensor:
    fixed = windows.kernel, windows.strides, [0] * len(windows.axes), False, True, 1
    return windows.crop(aten_pool("avg_pool{}d_backward", image)(gradient.contiguous(), windows.pad(image, 0.0), *fixed))


def on_images(data_format: str, function: Callable[..., Tensor], *tensors: Tensor) -> Tensor:
    """`function` of tensors with the channels first, in float32 for half types."""
    images = [channels_first(widened(t), data_format) for t in tensors]
    batch, channels = images[0].shape[:2]
    if channels == 0:  # ATen takes a batch of nothing alone
        images = [image.flatten(0, 1).unsqueeze(1) for image in images]
    out = function(*images)
    if channels == 0:
        out = out.reshape([batch, channels, *out.shape[2:]])
    return as_given(out, data_format).to(tensors[0].dtype)


def _adaptive_max(image: Tensor, dim: int, count: int) -> Tensor:
    """The maxima of `count` windows that divide a dimension, of operators that ONNX has, too."""
    size, longest = image.shape[dim], image.shape[dim] // count + 2
    number = torch.arange(count, device=image.device).unsqueeze(1)
    last = ((number + 1) * size + count - 1) // count - 1
    places = torch.minimum(number * size // count + torch.arange(longest, device=image.device), last)
    windows = image.index_select(dim, places.flatten())
    return windows.reshape([*image.shape[:dim], count, longest, *image.shape[dim + 1 :]]).amax(dim + 1)


def pool(
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
) -> Tensor:
    def pooled(image: Tensor) -> Tensor:
        if global_pooling or adaptive:
            size = [1] * (x.dim() - 2) if global_pooling else list(kernel_size)
            if pooling_type == "avg" and all(count == 1 for count in size):
                return image.mean(list(range(2, x.dim())), keepdim=True)  # vmap has no rule for what torch's pooling does
            if pooling_type == "avg":
                return aten_pool("adaptive_avg_pool{}d", image)(image, size)
            for i, count in enumerate(size):
                image = _adaptive_max(image, 2 + i, count)
            return image
        windows = Geometry(image, kernel_size, strides, paddings, ceil_mode, padding_algorithm)
        if pooling_type == "max":
            max_pool = aten_pool("max_pool{}d_with_indices", image)
            return max_pool(windows.pad(image, -torch.inf), windows.kernel, windows.strides)[0]
        total = window_sums(image, windows)
        return total * windows.shares(total, exclusive)

    return on_images(data_format, pooled, x)


def pool_grad(
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
) -> Tensor:
    """The gradient of x; that of a maximum goes to its first element in the window."""
    axes = x.dim() - 2

    def pulled(image: Tensor, gradient: Tensor) -> Tensor:
        gradient = gradient.contiguous()
        if global_pooling or adaptive:
            if pooling_type == "avg":
                return aten_pool("_adaptive_avg_pool{}d_backward", image)(gradient, image)
            size = [1] * axes if global_pooling else list(kernel_size)
            indices = aten_pool("adaptive_max_pool{}d", image)(image, size)[1]
            return aten_pool("adaptive_max_pool{}d_backward", image)(gradient, image, indices)
        windows = Geometry(image, kernel_size, strides, paddings, ceil_mode, padding_algorithm)
        if pooling_type == "max":
            fixed = windows.kernel, windows.strides, [0] * axes
            whole = windows.pad(image, -torch.inf)
            indices = aten_pool("max_pool{}d_with_indices", image)(whole, *fixed)[1]
            max_pool_backward = aten_pool("max_pool{}d_with_indices_backward", image)
            return windows.crop(max_pool_backward(gradient, whole, *fixed, [1] * axes, False, indices))
        return window_sums_grad(image, windows, gradient * windows.shares(gradient, exclusive))

    return on_images(data_format, pulled, x, out_grad)


def max_pool_with_index(
    x: Tensor,
    kernel_size: Sequence[int],
    strides: Sequence[int],
    paddings: Sequence[int],
    global_pooling: bool,
    adaptive: bool,
    ceil_mode: bool,
) -> tuple[Tensor, Tensor]:
    """The maxima, and where in its channel's image each is."""
    image = widened(x).flatten(0, 1).unsqueeze(1)  # torch takes no images, but not images without channels
    if global_pooling or adaptive:
        size = [1] * (x.dim() - 2) if global_pooling else list(kernel_size)
        out, index = aten_pool("adaptive_max_pool{}d", image)(image, size)
    else:
        windows = Geometry(image, kernel_size, strides, paddings, ceil_mode, "EXPLICIT")
        whole = windows.pad(image, -torch.inf)
        out, index = aten_pool("max_pool{}d_with_indices", image)(whole, windows.kernel, windows.strides)
        index = windows.in_image(index)
    shape = [*x.shape[:2], *out.shape[2:]]
    return out.reshape(shape).to(x.dtype), index.reshape(shape).int()


def max_pool_with_index_grad(
    x: Tensor,
    mask: Tensor,
    out_grad: Tensor,
    kernel_size: Sequence[int],
    strides: Sequence[int],
    paddings: Sequence[int],
    global_pooling: bool,
    adaptive: bool,
    ceil_mode: bool,
) -> Tensor:
    """Each gradient goes to where its maximum is; those of windows without elements to none."""
    index, gradient = mask.flatten(2).long(), widened(out_grad).flatten(2)
    none = torch.zeros_like(widened(x)).flatten(2)
    if not none.numel():  # whose windows have no elements
        return torch.zeros_like(x)
    with indices_of("mask", f"the {none.shape[2]} elements of a channel, or -1"):
        found = none.scatter_add(2, index.clamp(min=0), torch.where(index < 0, 0, gradient))
    return found.reshape(x.shape).to(x.dtype)


def unpool(
    x: Tensor,
    indices: Tensor,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    output_size: Sequence[int],
    data_format: str,
) -> Tensor:
    return _unpooled(x, indices, output_size[-2:])


def unpool3d(
    x: Tensor,
    indices: Tensor,
    ksize: Sequence[int],
    strides: Sequence[int],
    paddings: Sequence[int],
    output_size: Sequence[int],
    data_format: str,
) -> Tensor:
    return _unpooled(x, indices, output_size[-3:])


def _unpooled(x: Tensor, indices: Tensor, sizes: Sequence[int]) -> Tensor:
    none = x.new_zeros(*x.shape[:2], math.prod(sizes))
    with indices_of("indices", "places on the image of 'output_size'"):
        return none.scatter(2, indices.long().flatten(2), x.flatten(2)).reshape(*x.shape[:2], *sizes)


def unpool_grad(
    x: Tensor,
    indices: Tensor,
    out: Tensor,
    out_grad: Tensor,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    output_size: Sequence[int],
    data_format: str,
) -> Tensor:
    with indices_of("indices", "places on the image of 'out_grad'"):
        return out_grad.flatten(2).gather(2, indices.long().flatten(2)).reshape(indices.shape)
