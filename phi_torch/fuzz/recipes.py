"""A call as Python source: what is tried, what is reported, and what a person pastes are one text."""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from types import CodeType
from typing import Any

import torch
from torch import Tensor

from .._namespaces import NAMESPACES

IN_LINSPACE = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.complex64, torch.complex128)


@dataclass(frozen=True)
class TensorRecipe:
    """A tensor: its shape, dtype and values, and templates of what is done with it, such as `{}.t()`."""

    shape: tuple[int, ...]
    dtype: torch.dtype = torch.float32
    low: float = -2.0
    high: float = 2.0
    values: tuple[Any, ...] | None = None  # all of them, or one for all; default: evenly spaced from low to high
    grad: bool = False
    views: tuple[str, ...] = ()

    @property
    def differentiable(self) -> bool:
        return self.dtype in IN_LINSPACE

    def source(self) -> str:
        text = self._values()
        if self.grad and self.differentiable:
            text += ".requires_grad_()"
        count = prod(self.shape)
        if count and self.shape != (count,):
            text += f".reshape({', '.join(map(str, self.shape)) or '()'})"
        for view in self.views:
            text = view.replace("{shape}", repr(self.shape)).replace("{}", text)
        return text

    def _values(self) -> str:
        count, dtype = prod(self.shape), f", dtype={self.dtype}"
        if not count:
            return f"torch.zeros({self.shape}{dtype if self.dtype is not torch.float32 else ''})"
        if self.values is not None:
            numbers = ", ".join(map(_number, self.values))
            return f"torch.tensor([{numbers}]{dtype})" + (f".repeat({count})" if len(self.values) != count else "")
        if self.dtype in IN_LINSPACE:
            default = self.dtype is torch.float32
            return f"torch.linspace({self.low:g}, {self.high:g}, {count}{'' if default else dtype})"
        low, span = int(self.low), max(int(self.high) - int(self.low), 0) + 1
        return f"(torch.arange({count}) % {span} + {low}).to({self.dtype})"

    def with_view(self, view: str) -> TensorRecipe:
        return replace(self, views=(*self.views, view))


@dataclass(frozen=True)
class ListRecipe:
    """A list of tensors."""

    items: tuple[Recipe, ...]

    def source(self) -> str:
        return f"[{', '.join(item.source() for item in self.items)}]"


@dataclass(frozen=True)
class Text:
    """Any other value."""

    text: str

    def source(self) -> str:
        return self.text


Recipe = TensorRecipe | ListRecipe | Text


@dataclass(frozen=True)
class Call:
    """A call: `torch.ops.phi.relu`, and its arguments by name; those of `keywords` are written with their names.

    `aliases` are arguments that are made of another one: name -> (the other's name, a template such as `{}[1:]`).
    """

    function: str
    arguments: Mapping[str, Recipe]
    keywords: frozenset[str] = frozenset()
    aliases: tuple[tuple[str, str, str], ...] = ()

    def source(self) -> str:
        """One expression, in which `torch` and the function's module are known."""
        named = {other: f"a{i}" for i, other in enumerate(dict.fromkeys(other for _, other, _ in self.aliases))}
        aliases = {name: template.replace("{}", named[other]) for name, other, template in self.aliases}
        parts, known = [], set()
        for name, recipe in self.arguments.items():
            if name in aliases and any(other in known for alias, other, _ in self.aliases if alias == name):
                text = aliases[name]
            else:
                text = recipe.source()
                if name in named and "to_mkldnn" not in text:  # ATen's own views of these divide by extents of 0
                    known.add(name)
                    text = f"({named[name]} := {text})"
            parts.append(f"{name}={text}" if name in self.keywords else text)
        return f"{self.function}({', '.join(parts)})"

    def with_argument(self, name: str, recipe: Recipe) -> Call:
        return replace(self, arguments={**self.arguments, name: recipe})


def of_tensor(tensor: Tensor) -> TensorRecipe:
    """A recipe for a tensor of this shape, dtype and range of values; of integers it has the values."""
    tensor = tensor.detach()
    shape, dtype = tuple(tensor.shape), tensor.dtype
    if not tensor.numel():
        return TensorRecipe(shape, dtype)
    if not (dtype.is_floating_point or dtype.is_complex) and tensor.numel() <= 40:
        return TensorRecipe(shape, dtype, values=tuple(tensor.flatten().tolist()))
    real = torch.view_as_real(tensor).double() if dtype.is_complex else tensor.double()
    real = real[real.isfinite()]
    low, high = (real.min().item(), real.max().item()) if real.numel() else (0.0, 1.0)
    return TensorRecipe(shape, dtype, float(f"{low:.3g}"), float(f"{high:.3g}"))


def of_value(value: Any) -> Recipe:
    """A recipe for an argument of a call."""
    if isinstance(value, Tensor):
        return of_tensor(value)
    if isinstance(value, (list, tuple)) and any(isinstance(item, Tensor) for item in value):
        return ListRecipe(tuple(of_value(item) for item in value))
    if isinstance(value, torch.device):
        return Text(repr(str(value)))
    return Text(_number(value) if isinstance(value, float) else repr(value))


def _number(value: Any) -> str:
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return f'float("{value}")'
    return repr(value)


def evaluate(source: str) -> Any:
    """The value of an expression in which torch, phi_torch and the modules of loaded extensions are known."""
    modules = {namespace.functions.__name__ for namespace in NAMESPACES.values()}
    known = {name: sys.modules[name] for name in ("torch", *(m.partition(".")[0] for m in modules)) if name in sys.modules}
    return eval(_code(source), known)


@functools.lru_cache(maxsize=8)  # a call is evaluated several times over
def _code(source: str) -> CodeType:
    return compile(source.strip(), "<call>", "eval")
