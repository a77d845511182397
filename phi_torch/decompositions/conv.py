"""Composites of convolutions of images and of volumes, transposed ones too."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .images import as_given, channels_first, is_nothing, padded, same_sides, sides_of, unpadded, zeros

_CONVOLUTIONS = {2: torch.conv2d, 3: torch.conv3d}


class _Conv:
    """What a convolution's attributes mean to torch: symmetric padding, and what is padded around the input before."""

    def __init__(
        self,
        input: Tensor,
        filter: Tensor,
        strides: Sequence[int],
        paddings: Sequence[int],
        padding_algorithm: str,
        groups: int,
        dilations: Sequence[int],
        data_format: str,
    ) -> None:
        self.data_format, self.groups = data_format, groups
        self.sizes, self.kernel = self.to_torch(input).shape[2:], filter.shape[2:]
        axes = self.axes = len(self.kernel)
        self.strides, self.dilations = list(strides), list(dilations)
        self.common, self.extra = [0] * axes, [(0, 0)] * axes
        if padding_algorithm == "SAME":
            self.dilations = [1] * axes
            self.extra = [same_sides(*axis) for axis in zip(self.sizes, self.kernel, strides)]
        elif padding_algorithm == "EXPLICIT":
            sides = sides_of(paddings, axes)
            self.common = [min(*pair, 1 << 29) for pair in sides]  # libraries add it twice to a size, of 32 bits
            self.extra = [(before - c, after - c) for c, (before, after) in zip(self.common, sides)]
        self.is_padded = padding_algorithm == "SAME" or any(map(any, self.extra))
        self.window = [d * (k - 1) + 1 for d, k in zip(self.dilations, self.kernel)]
        for i, stride in enumerate(strides):
            if stride >= 1 << 16:  # beyond images, where libraries divide by what overflows: one that just leaves them is the same
                self.strides[i] = torch.sym_min(stride, torch.sym_max(self.room(i), 0) + 1)

    def room(self, i: int) -> int:
        """How far the window moves in the padded image."""
        return self.sizes[i] + 2 * self.common[i] + sum(self.extra[i]) - self.window[i]

    def to_torch(self, x: Tensor) -> Tensor:
        return channels_first(x, self.data_format)

    def from_torch(self, x: Tensor) -> Tensor:
        return as_given(x, self.data_format)

    def padded(self, x: Tensor) -> Tensor:
        return padded(x, self.extra) if self.is_padded else x

    def unpadded(self, x: Tensor) -> Tensor:
        return unpadded(x, self.extra) if self.is_padded else x

    def forward(self, input: Tensor, filter: Tensor) -> Tensor:
        if is_nothing(input, filter):
            sizes = [self.room(i) // self.strides[i] + 1 for i in range(self.axes)]
            return self.from_torch(zeros([input.shape[0], filter.shape[0], *sizes], input, filter))
        images = self.padded(self.to_torch(input))
        convolution = _CONVOLUTIONS[self.axes]
        return self.from_torch(convolution(images, filter, None, self.strides, self.common, self.dilations, self.groups))

    def backward(self, input: Tensor, filter: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
        if is_nothing(input, filter, out_grad):
            return zeros(input.shape, filter, out_grad), zeros(filter.shape, input, out_grad)
        attributes = (self.strides, self.common, self.dilations, False, [0] * self.axes, self.groups)
        images, grad = self.padded(self.to_torch(input)), self.to_torch(out_grad)
        mask = [True, True, False]
        input_grad, filter_grad, _ = torch.ops.aten.convolution_backward(grad, images, filter, None, *attributes, mask)
        return self.from_torch(self.unpadded(input_grad)), filter_grad


class _ConvTranspose(_Conv):
    """The same of a transposed convolution, whose result torch cuts alike on both sides."""

    def __init__(
        self,
        x: Tensor,
        filter: Tensor,
        strides: Sequence[int],
        paddings: Sequence[int],
        output_padding: Sequence[int],
        output_size: Sequence[int],
        padding_algorithm: str,
        groups: int,
        dilations: Sequence[int],
        data_format: str,
    ) -> None:
        super().__init__(x, filter, strides, paddings, padding_algorithm, groups, dilations, data_format)
        least = [self._least(i) for i in range(self.axes)]
        self.is_larger = bool(output_size) or any(output_padding)
        self.output_padding = list(output_padding) or [0] * self.axes
        if output_size:
            self.output_padding = [size - n for size, n in zip(output_size, least)]
        self.outs = [n + more for n, more in zip(least, self.output_padding)]

    def _least(self, i: int) -> int:
        return (self.sizes[i] - 1) * self.strides[i] + self.window[i] - 2 * self.common[i] - sum(self.extra[i])

    def cut(self, out: Tensor) -> Tensor:
        for i, size in enumerate(self.outs if self.is_padded else []):
            out = out.narrow(2 + i, self.extra[i][0], size)
        return out

    def forward(self, input: Tensor, filter: Tensor) -> Tensor:
        if is_nothing(input, filter):
            return self.from_torch(zeros([input.shape[0], filter.shape[1] * self.groups, *self.outs], input, filter))
        attributes = (self.strides, self.common, self.dilations, True, self.output_padding, self.groups)
        return self.from_torch(self.cut(torch.convolution(self.to_torch(input), filter, None, *attributes)))

    def backward(self, input: Tensor, filter: Tensor, out_grad: Tensor) -> tuple[Tensor, Tensor]:
        if is_nothing(input, filter, out_grad):
            return zeros(input.shape, filter, out_grad), zeros(filter.shape, input, out_grad)
        grad, common = self.padded(self.to_torch(out_grad)), self.common
        if self.is_larger:  # of a transposed convolution with an output_padding torch has two derivatives only
            grad = padded(grad, [(c, c - more) for c, more in zip(common, self.output_padding)])
            common = [0] * self.axes
        attributes = (self.strides, common, self.dilations, True, [0] * self.axes, self.groups)
        images, mask = self.to_torch(input), [True, True, False]
        x_grad, filter_grad, _ = torch.ops.aten.convolution_backward(grad, images, filter, None, *attributes, mask)
        return self.from_torch(x_grad), filter_grad


def conv2d(
    input: Tensor,
    filter: Tensor,
    strides: Sequence[int] = (1, 1),
    paddings: Sequence[int] = (0, 0),
    padding_algorithm: str = "EXPLICIT",
    dilations: Sequence[int] = (1, 1),
    groups: int = 1,
    data_format: str = "NCHW",
) -> Tensor:
    return _Conv(input, filter, strides, paddings, padding_algorithm, groups, dilations, data_format).forward(input, filter)


def conv2d_grad(
    input: Tensor,
    filter: Tensor,
    out_grad: Tensor,
    strides: Sequence[int],
    paddings: Sequence[int],
    padding_algorithm: str,
    dilations: Sequence[int],
    groups: int,
    data_format: str,
) -> tuple[Tensor, Tensor]:
    conv = _Conv(input, filter, strides, paddings, padding_algorithm, groups, dilations, data_format)
    return conv.backward(input, filter, out_grad)


def conv3d(
    input: Tensor,
    filter: Tensor,
    strides: Sequence[int] = (1, 1, 1),
    paddings: Sequence[int] = (0, 0, 0),
    padding_algorithm: str = "EXPLICIT",
    groups: int = 1,
    dilations: Sequence[int] = (1, 1, 1),
    data_format: str = "NCDHW",
) -> Tensor:
    return _Conv(input, filter, strides, paddings, padding_algorithm, groups, dilations, data_format).forward(input, filter)


def conv3d_grad(
    input: Tensor,
    filter: Tensor,
    out_grad: Tensor,
    strides: Sequence[int],
    paddings: Sequence[int],
    padding_algorithm: str,
    groups: int,
    dilations: Sequence[int],
    data_format: str,
) -> tuple[Tensor, Tensor]:
    conv = _Conv(input, filter, strides, paddings, padding_algorithm, groups, dilations, data_format)
    return conv.backward(input, filter, out_grad)


def conv3d_double_grad(
    input: Tensor,
    filter: Tensor,
    grad_out: Tensor,
    grad_input_grad: Tensor | None,
    grad_filter_grad: Tensor | None,
    strides: Sequence[int],
    paddings: Sequence[int],
    padding_algorithm: str,
    groups: int,
    dilations: Sequence[int],
    data_format: str,
) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution is linear in both: each in turn gives way to the gradient of its gradient."""
    conv = _Conv(input, filter, strides, paddings, padding_algorithm, groups, dilations, data_format)
    input_grad, filter_grad, out_grad = (torch.zeros_like(t) for t in (input, filter, grad_out))
    if grad_input_grad is not None:
        filter_grad = conv.backward(grad_input_grad, filter, grad_out)[1]
        out_grad = conv.forward(grad_input_grad, filter)
    if grad_filter_grad is not None:
        input_grad = conv.backward(input, grad_filter_grad, grad_out)[0]
        out_grad = out_grad + conv.forward(input, grad_filter_grad)
    return input_grad, filter_grad, out_grad


def conv_transpose(
    x: Tensor,
    filter: Tensor,
    strides: Sequence[int] = (1, 1),
    paddings: Sequence[int] = (0, 0),
    output_padding: Sequence[int] = (),
    output_size: Sequence[int] = (),
    padding_algorithm: str = "EXPLICIT",
    groups: int = 1,
    dilations: Sequence[int] = (1, 1),
    data_format: str = "NCHW",
) -> Tensor:
    return _ConvTranspose(
        x, filter, strides, paddings, output_padding, output_size, padding_algorithm, groups, dilations, data_format
    ).forward(x, filter)


def conv_transpose_grad(
    x: Tensor,
    filter: Tensor,
    out_grad: Tensor,
    strides: Sequence[int],
    paddings: Sequence[int],
    output_padding: Sequence[int],
    output_size: Sequence[int],
    padding_algorithm: str,
    groups: int,
    dilations: Sequence[int],
    data_format: str,
) -> tuple[Tensor, Tensor]:
    return _ConvTranspose(
        x, filter, strides, paddings, output_padding, output_size, padding_algorithm, groups, dilations, data_format
    ).backward(x, filter, out_grad)
