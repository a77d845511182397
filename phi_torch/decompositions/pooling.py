"""Composites of pooling, on ATen's pooling ops.

ATen pads both sides alike and never pads the far side of the last window, so that other windows are first padded here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

aten = torch.ops.aten


class _Geometry:
    """How an NCHW image is padded (left, right, top, bottom), and the windows on the padded image."""

    def __init__(
        self,
        x: Tensor,
        kernel_size: Sequence[int],
        strides: Sequence[int],
        paddings: Sequence[int],
        ceil_mode: bool,
        padding_algorithm: str,
    ) -> None:
        self.kernel, self.strides = list(kernel_size), list(strides)
        self.sizes = [x.shape[2], x.shape[3]]
        self.pads = [self._pads(i, list(paddings), padding_algorithm) for i in range(2)]
        self.outs = [self._out(i, ceil_mode) for i in range(2)]
        # such that the windows, and nothing else, lie on the padded image
        self.after = [(self.outs[i] - 1) * self.strides[i] + self.kernel[i] - self.sizes[i] - self.pads[i][0] for i in range(2)]

    def _pads(self, i: int, paddings: list[int], algorithm: str) -> tuple[int, int]:
        if algorithm == "VALID":
            return 0, 0
        if algorithm == "SAME":
            out = (self.sizes[i] + self.strides[i] - 1) // self.strides[i]
            total = max((out - 1) * self.strides[i] + self.kernel[i] - self.sizes[i], 0)
            return total // 2, total - total // 2
        return (paddings[2 * i], paddings[2 * i + 1]) if len(paddings) == 4 else (paddings[i], paddings[i])

    def _out(self, i: int, ceil_mode: bool) -> int:
        room = self.sizes[i] + sum(self.pads[i]) - self.kernel[i] + (self.strides[i] - 1 if ceil_mode else 0)
        return max(room, 0) // self.strides[i] + 1

    def pad(self, x: Tensor, value: float) -> Tensor:
        """x with its padding; a negative one crops."""
        return torch.constant_pad_nd(x, [self.pads[1][0], self.after[1], self.pads[0][0], self.after[0]], value)

    def crop(self, padded: Tensor) -> Tensor:
        """The part of the padded image that is x; zeros where the padding cropped it."""
        return torch.constant_pad_nd(padded, [-self.pads[1][0], -self.after[1], -self.pads[0][0], -self.after[0]], 0.0)

    def shares(self, like: Tensor, exclusive: bool) -> Tensor:
        """1 / the elements that each window counts, [H, W]; 0 for a window without elements."""
        counts, seen = zip(*(self._counts(i, like, exclusive) for i in range(2)))
        empty = (seen[0][:, None] <= 0) | (seen[1][None, :] <= 0)
        count = counts[0][:, None] * counts[1][None, :]
        return torch.where(empty, 0, 1 / torch.where(empty, 1, count).to(like.dtype))

    def _counts(self, i: int, like: Tensor, exclusive: bool) -> tuple[Tensor, Tensor]:
        start = torch.arange(self.outs[i], device=like.device) * self.strides[i] - self.pads[i][0]
        stop = (start + self.kernel[i]).clamp(max=self.sizes[i] + self.pads[i][0])
        seen = stop.clamp(max=self.sizes[i]) - start.clamp(min=0)
        return seen if exclusive else stop - start, seen


def _channels_first(data_format: str, function: Callable[..., Tensor], *tensors: Tensor) -> Tensor:
    """`function` of NCHW tensors, in float32 for half types."""
    dtype, last = tensors[0].dtype, data_format == "NHWC"
    wide = [t.float() if dtype in (torch.float16, torch.bfloat16) else t for t in tensors]
    out = function(*(t.permute(0, 3, 1, 2) if last else t for t in wide))
    return (out.permute(0, 2, 3, 1).contiguous() if last else out).to(dtype)


def _adaptive_max(image: Tensor, dim: int, count: int) -> Tensor:
    """The maxima of `count` windows that divide a dimension, of operators that ONNX has, too."""
    size = image.shape[dim]
    edges = [(i * size // count, -((i + 1) * size // -count)) for i in range(count)]
    return torch.cat([torch.amax(image.narrow(dim, start, stop - start), [dim], True) for start, stop in edges], dim)


def pool2d(
    x: Tensor,
    kernel_size: Sequence[int],
    strides: Sequence[int] = (1, 1),
    paddings: Sequence[int] = (0, 0),
    ceil_mode: bool = False,
    exclusive: bool = True,
    data_format: str = "NCHW",
    pooling_type: str = "max",
    global_pooling: bool = False,
    adaptive: bool = False,
    padding_algorithm: str = "EXPLICIT",
) -> Tensor:
    def pool(image: Tensor) -> Tensor:
        if global_pooling or adaptive:
            size = [1, 1] if global_pooling else list(kernel_size)
            if pooling_type == "max":
                return _adaptive_max(_adaptive_max(image, 2, size[0]), 3, size[1])
            return aten.adaptive_avg_pool2d(image, size)
        windows = _Geometry(image, kernel_size, strides, paddings, ceil_mode, padding_algorithm)
        if pooling_type == "max":
            return aten.max_pool2d_with_indices(windows.pad(image, -torch.inf), windows.kernel, windows.strides)[0]
        total = aten.avg_pool2d(windows.pad(image, 0.0), windows.kernel, windows.strides, [0, 0], False, True, 1)
        return total * windows.shares(total, exclusive)

    return _channels_first(data_format, pool, x)


def pool2d_grad(
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

    def pool(image: Tensor, gradient: Tensor) -> Tensor:
        gradient = gradient.contiguous()
        if global_pooling or adaptive:
            if pooling_type == "max":
                size = [1, 1] if global_pooling else list(kernel_size)
                return aten.adaptive_max_pool2d_backward(gradient, image, aten.adaptive_max_pool2d(image, size)[1])
            return aten._adaptive_avg_pool2d_backward(gradient, image)
        windows = _Geometry(image, kernel_size, strides, paddings, ceil_mode, padding_algorithm)
        fixed = windows.kernel, windows.strides, [0, 0]
        if pooling_type == "max":
            padded = windows.pad(image, -torch.inf)
            indices = aten.max_pool2d_with_indices(padded, *fixed)[1]
            return windows.crop(aten.max_pool2d_with_indices_backward(gradient, padded, *fixed, [1, 1], False, indices))
        shared = gradient * windows.shares(gradient, exclusive)
        return windows.crop(aten.avg_pool2d_backward(shared, windows.pad(image, 0.0), *fixed, False, True, 1))

    return _channels_first(data_format, pool, x, out_grad)
