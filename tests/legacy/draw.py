"""Random tensors and attributes of operators; everything follows from the seed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

FLOATS = (torch.float32, torch.float64)
WHOLE = (torch.int32, torch.int64)
Slots = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """An operator with inputs by slot, attributes, and how many variables each output slot has.

    `wanted` are the slots of inputs that get gradients; without them there is no gradient operator.
    """

    inputs: Slots
    attrs: Mapping[str, Any] = field(default_factory=dict)
    outputs: Mapping[str, int] = field(default_factory=lambda: {"Out": 1})
    wanted: Sequence[str] = ("X",)
    unspecified: Sequence[str] = ()  # outputs that Paddle leaves as they are


class Draw:
    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.generator = torch.Generator().manual_seed(self.random.getrandbits(32))

    def one(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def flag(self, likely: float = 0.5) -> bool:
        return self.random.random() < likely

    def number(self, low: int, high: int) -> int:
        """From low to high, both included."""
        return self.random.randint(low, high)

    def real(self, low: float = -2.0, high: float = 2.0) -> float:
        return round(self.random.uniform(low, high), 3)

    def sizes(self, least: int = 1, most: int = 4, biggest: int = 4) -> list[int]:
        return [self.number(1, biggest) for _ in range(self.number(least, most))]

    def axis(self, rank: int) -> int:
        return self.number(-rank, rank - 1)

    def tensor(self, sizes: Sequence[int], dtype: torch.dtype = torch.float32, low: float = -2.0, high: float = 2.0) -> Tensor:
        values = torch.rand(tuple(sizes), generator=self.generator, dtype=torch.float64) * (high - low) + low
        return (values * (1 if dtype.is_floating_point else 3)).to(dtype)

    def whole(self, sizes: Sequence[int], high: int, dtype: torch.dtype = torch.int64) -> Tensor:
        """Elements from 0 to high - 1."""
        return torch.randint(0, high, tuple(sizes), generator=self.generator).to(dtype)

    def truths(self, sizes: Sequence[int]) -> Tensor:
        return self.whole(sizes, 2).bool()

    def some(self, attrs: Mapping[str, Any], likely: float = 0.7) -> dict[str, Any]:
        """Without some of the attributes, which have their defaults then."""
        return {name: value for name, value in attrs.items() if self.flag(likely)}

    def broadcast(self, sizes: Sequence[int]) -> list[int]:
        """A shape that broadcasts to `sizes`."""
        return [1 if self.flag(0.25) else size for size in sizes[self.number(0, len(sizes)) :]]

    def numbers_as_tensors(self, attr: str, values: Sequence[int], one: str, many: str) -> tuple[Slots, dict[str, Any]]:
        """A list of integers as an attribute, as one tensor, or as a tensor for each."""
        dtype = self.one(*WHOLE)
        form = self.number(0, 3)
        if form == 0:
            return {one: torch.tensor(values, dtype=dtype)}, {attr: [-1] * len(values)}
        if form == 1:
            return {many: [torch.tensor([value], dtype=torch.int32) for value in values]}, {attr: [-1] * len(values)}
        return {}, {attr: list(values)}
