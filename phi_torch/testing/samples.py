"""Sample inputs: calls of an op, written with descriptions in the place of tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from .._expect import expect
from ..string_tensor import StringTensor


class T:
    """A tensor to be made: uniform in [low, high]; `dtype=None` is the dtype under test, `grad=False` keeps it constant."""

    def __init__(self, *shape: int, dtype: torch.dtype | None = None, low: float = -2, high: float = 2, grad: bool = True) -> None:
        self.shape = shape
        self.dtype = dtype
        self.low = low
        self.high = high
        self.grad = grad

    def __repr__(self) -> str:
        return f"T{self.shape}" if self.dtype is None else f"T({', '.join(map(str, self.shape))}, dtype={self.dtype})"

    def resized(self, shape: tuple[int, ...]) -> T:
        return T(*shape, dtype=self.dtype, low=self.low, high=self.high, grad=self.grad)

    def make(self, dtype: torch.dtype, device: str, generator: torch.Generator) -> Tensor:
        dtype = self.dtype or dtype
        if dtype is torch.bool:
            return torch.randint(0, 2, self.shape, generator=generator).to(device, dtype)
        if dtype.is_complex:
            real, imag = (self._uniform(generator) for _ in range(2))
            return torch.complex(real, imag).to(device, dtype)
        if dtype.is_floating_point:
            return self._uniform(generator).to(device, dtype)
        low = int(max(self.low, torch.iinfo(dtype).min))
        return torch.randint(low, max(int(self.high), low) + 1, self.shape, generator=generator).to(device, dtype)

    def _uniform(self, generator: torch.Generator) -> Tensor:
        unit = torch.rand(self.shape, dtype=torch.float64, generator=generator)
        return unit * (self.high - self.low) + self.low


class Given(T):
    """A tensor with its values: of floating point in the dtype under test, else in its own. Its strides stay.

    `grad=False` keeps it constant, for values at which the operator has no derivative.
    """

    def __init__(self, value: Tensor, grad: bool = True) -> None:
        expect("Given", "value", value, Tensor)
        real = value.detach().real if value.is_complex() else value.detach()
        known = real[real.isfinite()] if real.layout is torch.strided and not real.is_meta else torch.empty(0)
        low, high = (known.min().item(), known.max().item()) if known.numel() else (-2, 2)
        super().__init__(*value.shape, dtype=None if value.is_floating_point() else value.dtype, low=low, high=high, grad=grad)
        self.value = value.detach()

    def __repr__(self) -> str:
        return super().__repr__().replace("T", "Tensor", 1)

    def make(self, dtype: torch.dtype, device: str, generator: torch.Generator) -> Tensor:
        """Another seed than 0 gives the same numbers in another order, so that the rows of a batch differ."""
        wide = torch.complex128 if dtype in (torch.float64, torch.complex128) else self.value.dtype
        dtype = wide if self.value.is_complex() else self.dtype or dtype
        value, seed = self.value, generator.initial_seed()
        if value.layout is not torch.strided:
            return value.to(device, dtype, copy=True)
        if self.dtype is None and seed and value.dim():
            value = value.flatten().roll(seed).view(value.shape)
        size = 1 + sum((n - 1) * stride for n, stride in zip(value.shape, value.stride())) if value.numel() else 0
        memory = value.as_strided((size,), (1,))
        if self.dtype is None and not (dtype.is_floating_point or dtype.is_complex):
            memory = memory.nan_to_num()
        return memory.to(device, dtype, copy=True).as_strided(value.shape, value.stride(), 0)


class _Device:
    """The device under test, as an argument of a call: it has no other tensors."""

    def __repr__(self) -> str:
        return "DEVICE"


DEVICE = _Device()


class Sample:
    """One call: `Sample(T(2, 3), axis=1)` is `phi_torch.<op>(x, axis=1)`.

    A tensor in the place of a T gives its values; like a T it takes the dtype under test if it is of floating point.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args, self.kwargs = tree_map(lambda v: Given(v) if _is_dense(v) else v, (args, kwargs))

    @classmethod
    def of(cls, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Sample:
        """With arguments as they are."""
        sample = cls()
        sample.args, sample.kwargs = args, kwargs
        return sample

    def __repr__(self) -> str:
        parts = [*map(repr, self.args), *(f"{k}={v!r}" for k, v in self.kwargs.items())]
        return f"Sample({', '.join(parts)})"

    def tensors(self) -> list[T]:
        return [t for t in leaves((self.args, self.kwargs)) if isinstance(t, T)]

    def map(self, function: Callable[[T], Any]) -> Sample:
        """The same call with each T replaced."""
        return Sample.of(*tree_map(lambda v: function(v) if isinstance(v, T) else v, (self.args, self.kwargs)))

    def on(self, device: str) -> Sample:
        """The same call with a device in the place of DEVICE."""
        return Sample.of(*tree_map(lambda v: torch.device(device) if v is DEVICE else v, (self.args, self.kwargs)))

    def make(self, dtype: torch.dtype, device: str = "cpu", seed: int = 0, grad: bool = False) -> Arguments:
        """The arguments of the call; `grad` makes the floating tensors that allow it require gradients."""
        generator = torch.Generator().manual_seed(seed)

        def tensor(t: T) -> Tensor:
            value = t.make(dtype, device, generator)
            return value.requires_grad_(grad and t.grad and (value.is_floating_point() or value.is_complex()))

        made = self.on(device).map(tensor)
        return Arguments(made.args, made.kwargs)


@dataclass(frozen=True)
class Arguments:
    """The arguments of one call."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)

    def map(self, function: Callable[[Tensor], Any]) -> Arguments:
        """The same arguments with each tensor replaced."""
        args, kwargs = tree_map(lambda v: function(v) if _is_dense(v) else v, (self.args, self.kwargs))
        return Arguments(args, kwargs)

    def tensors(self) -> list[Tensor]:
        return [t for t in leaves((self.args, self.kwargs)) if _is_dense(t)]

    def differentiable(self) -> list[Tensor]:
        return [t for t in self.tensors() if t.requires_grad]

    def with_tensors(self, tensors: list[Tensor]) -> Arguments:
        """The same arguments with all tensors exchanged, in order."""
        remaining = iter(tensors)
        return self.map(lambda _: next(remaining))

    def with_differentiable(self, tensors: list[Tensor]) -> Arguments:
        remaining = iter(tensors)
        return self.map(lambda t: next(remaining) if t.requires_grad else t)


@dataclass(frozen=True, init=False)
class Error:
    """A call that must fail: the class of the exception and a regular expression for its message. Tensors are given as
    they are."""

    exception: type[Exception]
    match: str
    sample: Sample

    def __init__(self, exception: type[Exception], match: str, *args: Any, **kwargs: Any) -> None:
        object.__setattr__(self, "exception", exception)
        object.__setattr__(self, "match", match)
        object.__setattr__(self, "sample", Sample.of(args, kwargs))


def _is_dense(value: Any) -> bool:
    """Whether it is a tensor that checks may cast, move and stride; one of strings stays as it is."""
    return isinstance(value, Tensor) and not isinstance(value, StringTensor)


def tree_map(function: Callable[[Any], Any], value: Any) -> Any:
    """Applies `function` to what is neither a list, a tuple nor a dict."""
    if isinstance(value, tuple):
        return tuple(tree_map(function, v) for v in value)
    if isinstance(value, list):
        return [tree_map(function, v) for v in value]
    if isinstance(value, dict):
        return {k: tree_map(function, v) for k, v in value.items()}
    return function(value)


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, dict):
        yield from leaves(list(value.values()))
    else:
        yield value
