"""Composites of the transposed convolution."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .linalg import _Conv


class _ConvTranspose(_Conv):
    """What conv2d_transpose's attributes mean to torch, which cuts a dimension alike on both sides."""

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
        super().__init__(x, filter, strides, paddings, padding_algorithm, dilations, data_format)
        sizes = self.to_torch(x).shape[2:]
        cut = [2 * self.common[i] + self.extra[2 - 2 * i] + self.extra[3 - 2 * i] for i in range(2)]
        least = [(sizes[i] - 1) * self.strides[i] + self.dilations[i] * (filter.shape[2 + i] - 1) + 1 - cut[i] for i in range(2)]
        self.output_padding = list(output_padding) or [0, 0]
        if output_size:
            self.output_padding = [output_size[i] - least[i] for i in range(2)]
        self.sizes = [least[i] + self.output_padding[i] for i in range(2)]
        self.attributes = (self.strides, self.common, self.dilations, True, self.output_padding, groups)

    def uncut(self, out_grad: Tensor) -> Tensor:
        """The gradient of all that `out` was cut from, so that the attributes need neither padding nor output_padding.

        Of a transposed convolution with an output_padding torch has two derivatives only.
        """
        down, across = ((c, c - more) for c, more in zip(self.common, self.output_padding))
        return torch.nn.functional.pad(self.padded(out_grad), [*across, *down])

    def cut(self, out: Tensor) -> Tensor:
        if not self.is_padded:
            return out
        return out.narrow(2, self.extra[2], self.sizes[0]).narrow(3, self.extra[0], self.sizes[1])


def conv2d_transpose(
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
    conv = _ConvTranspose(
        x, filter, strides, paddings, output_padding, output_size, padding_algorithm, groups, dilations, data_format
    )
    return conv.from_torch(conv.cut(torch.convolution(conv.to_torch(x), filter, None, *conv.attributes)))


def conv2d_transpose_grad(
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
    conv = _ConvTranspose(
        x, filter, strides, paddings, output_padding, output_size, padding_algorithm, groups, dilations, data_format
    )
    grad, attributes = conv.padded(conv.to_torch(out_grad)), conv.attributes
    if output_size or any(output_padding):
        grad, attributes = conv.uncut(conv.to_torch(out_grad)), (conv.strides, [0, 0], conv.dilations, True, [0, 0], groups)
    x_grad, filter_grad, _ = torch.ops.aten.convolution_backward(
        grad, conv.to_torch(x), filter, None, *attributes, [True, True, False]
    )
    return conv.from_torch(x_grad), filter_grad
