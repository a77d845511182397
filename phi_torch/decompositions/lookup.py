"""Images and volumes looked up at positions between their elements, and what that gives back to both."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor


class Axis:
    """Positions [batch, points] along an axis of `size` elements, and the elements next to each."""

    def __init__(self, at: Tensor, size: int, is_nearest: bool = False) -> None:
        self.size, self.is_nearest = size, is_nearest
        self.low = at.detach().round() if is_nearest else at.detach().floor()
        self.part = torch.zeros_like(at) if is_nearest else at - self.low

    @property
    def neighbours(self) -> tuple[int, ...]:
        return (0,) if self.is_nearest else (0, 1)

    def weight(self, neighbour: int) -> Tensor:
        return self.part if neighbour else 1 - self.part

    def sign(self, neighbour: int) -> int:
        """The derivative of the weight by the position."""
        return 0 if self.is_nearest else 2 * neighbour - 1

    def index(self, neighbour: int) -> tuple[Tensor, Tensor]:
        """Of the neighbour, 0 where there is none; and whether there is one."""
        at = self.low + neighbour
        exists = (at >= 0) & (at <= self.size - 1)
        return torch.where(exists, at, 0).long(), exists


class _Corner:
    """One of the elements around each position: where it is, and how much of it counts."""

    def __init__(self, axes: Sequence[Axis], neighbours: Sequence[int]) -> None:
        self.axes, self.neighbours = axes, neighbours
        index, self.exists = axes[0].index(neighbours[0])
        for axis, neighbour in zip(axes[1:], neighbours[1:]):
            place, is_there = axis.index(neighbour)
            index, self.exists = index * axis.size + place, self.exists & is_there
        self.index = index.unsqueeze(1)
        self.weights = [axis.weight(neighbour) for axis, neighbour in zip(axes, neighbours)]
        self.weight = torch.where(self.exists, math.prod(self.weights), 0).unsqueeze(1)

    def derivative(self, i: int) -> Tensor:
        """Of the weight, by the position along axis `i`."""
        others = math.prod(self.weights[:i] + self.weights[i + 1 :])
        return torch.where(self.exists, others * self.axes[i].sign(self.neighbours[i]), 0)


def _corners(axes: Sequence[Axis]) -> Iterator[_Corner]:
    for neighbours in itertools.product(*(axis.neighbours for axis in axes)):
        yield _Corner(axes, neighbours)


def look_up(pixels: Tensor, axes: Sequence[Axis]) -> Tensor:
    """[batch, channels, points] of images [batch, channels, pixels]; what is beside them is 0."""
    shape = (*pixels.shape[:2], axes[0].low.shape[1])
    return sum((pixels.gather(2, c.index.expand(shape)) * c.weight for c in _corners(axes)), pixels.new_zeros(shape))


def look_up_grad(pixels: Tensor, axes: Sequence[Axis], grad: Tensor) -> tuple[Tensor, list[Tensor]]:
    """The gradients of `pixels`, and of the positions along each axis."""
    pixels_grad, grads = torch.zeros_like(pixels), [torch.zeros_like(axis.part) for axis in axes]
    for corner in _corners(axes):
        index = corner.index.expand(grad.shape)
        pixels_grad = pixels_grad.scatter_add(2, index, corner.weight * grad)
        gain = (pixels.gather(2, index) * grad).sum(1)
        grads = [g + gain * corner.derivative(i) for i, g in enumerate(grads)]
    return pixels_grad, grads
