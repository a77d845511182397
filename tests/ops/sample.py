"""What the files of samples/ are written with.

samples/<op>.py has `SAMPLES`, and where they are needed:
    reference       what computes the outputs; default: the op's composite
    ERRORS          calls that must fail
    DTYPES          instead of all dtypes that a CPU kernel is registered for
    TOLERANCE       dtype -> (rtol, atol)
    LAYOUTS         names out of phi_torch.testing.values.LAYOUTS, if some make no sense ("expanded" singular matrices)
    DOMAIN          of a tensor: what an input is, such as symmetric; differences are taken inside of it
    DATA_DEPENDENT  True if the shape of an output depends on values
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from phi_torch import StringTensor
from phi_torch.testing import DEVICE, Error, Given, Sample, T

__all__ = [
    "BROADCAST_ERRORS",
    "DEVICE",
    "MIXED",
    "Definite",
    "Error",
    "Given",
    "Regular",
    "Sample",
    "T",
    "binary",
    "of_strings",
    "sides",
    "unary",
]


class Definite(T):
    """Hermitian matrices whose eigenvalues are positive, and apart from each other."""

    def resized(self, shape):
        return type(self)(*shape, dtype=self.dtype, grad=self.grad)

    def make(self, dtype, device, generator):
        base = super().make(dtype, "cpu", generator)
        return (base @ base.mH + torch.arange(1, base.shape[-1] + 1).to(base.dtype).diag()).to(device)


class Regular(Definite):
    """Matrices that are far from singular ones."""

    def make(self, dtype, device, generator):
        base = T.make(self, dtype, "cpu", generator)
        return (base + 3 * base.shape[-1] * torch.eye(base.shape[-1], dtype=base.dtype)).to(device)


def unary(low: float = -2, high: float = 2) -> list[Sample]:
    """Calls with one tensor of every kind of shape, with values in [low, high]."""
    return [Sample(T(*shape, low=low, high=high)) for shape in ((3, 4), (2, 3, 70), (), (1,), (0, 3))]


def binary(low: float = -2, high: float = 2) -> list[Sample]:
    """Calls with two tensors that broadcast, the second one with values in [low, high]."""
    shapes = [
        *(((3, 4), (3, 4)), ((2, 3, 4), (4,)), ((2, 1, 4), (3, 1)), ((5, 1), (1, 7))),
        *(((2, 3), (1, 2, 3)), ((3, 70), (3, 1)), ((), (3,)), ((4,), ()), ((0, 3), (3,))),
    ]
    return [Sample(T(*x), T(*y, low=low, high=high)) for x, y in shapes]


# further calls of a binary op whose result is bool
MIXED = [Sample(T(3, 4, dtype=torch.bool), T(4, dtype=torch.bool)), Sample(T(3, 4), T(4, dtype=torch.int32))]
BROADCAST_ERRORS = [Error(ValueError, r"shapes \[2, 3\] of 'x' and \[4\] of 'y' do not broadcast", T(2, 3), T(4))]


def of_strings(function: Callable[[str], str], x: StringTensor) -> StringTensor:
    """A function of each string."""

    def of(part: Any) -> Any:
        return function(part) if isinstance(part, str) else [of(item) for item in part]

    return StringTensor(of(x.tolist()))


def sides(
    sizes: Sequence[int], kernel: Sequence[int], strides: Sequence[int], paddings: Sequence[int], padding_algorithm: str
) -> list[tuple[int, int]]:
    """What pads each axis of an image, before and after it."""
    if padding_algorithm == "VALID":
        return [(0, 0) for _ in sizes]
    if padding_algorithm == "SAME":
        totals = [max((-(-n // s) - 1) * s + k - n, 0) for n, s, k in zip(sizes, strides, kernel)]
        return [(t // 2, t - t // 2) for t in totals]
    step = len(paddings) // len(sizes)
    return [(paddings[step * i], paddings[step * i + step - 1]) for i in range(len(sizes))]
