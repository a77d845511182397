"""The composites: each operator in terms of others, as its YAML entry says.

One formula serves double backward, forward mode, vmap, a backend without a kernel, and Inductor's fusion. In the
dispatcher it is an operator of its own, `phi_composite::<op>` (`my_composite::<op>` for an extension `my`), which the
C++ side looks up by name.
"""

from __future__ import annotations

import ast
import builtins
import dis
import importlib
import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import torch

from .._op_info import OpInfo

# CompositeImplicitAutograd alone leaves functionalization and vmap out for operators outside of ATen.
KEYS = ("CompositeImplicitAutograd", "FuncTorchBatchedDecomposition", "Functionalize")
MODULES = {"phi": torch.ops.phi, "aten": torch.ops.aten, "prims": torch.ops.prims, "torch": torch, "math": math}

_libraries: list[torch.library.Library] = []  # a library's registrations go when it does
_composites: dict[str, Composite] = {}


def _extreme(name: str) -> Callable[..., Any]:
    """`min` and `max` serve tensors as torch's and sizes as Python's."""
    tensor_function, number_function = getattr(torch, name), getattr(builtins, name)

    def function(*args: Any, **kwargs: Any) -> Any:
        return (tensor_function if isinstance(args[0], torch.Tensor) else number_function)(*args, **kwargs)

    return function


_FUNCTIONS: dict[str, Any] = {
    **{name: getattr(builtins, name) for name in ("abs", "bool", "float", "int", "len", "list", "range", "tuple")},
    "max": _extreme("max"),
    "min": _extreme("min"),
}


class Composite:
    """The composite of one operator as a Python function, made when it is first called."""

    def __init__(self, op: OpInfo, package: str = __name__) -> None:
        self.op = op
        self.package = package

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    @cached_property
    def function(self) -> Callable[..., Any]:
        """Takes the operator's arguments by their YAML names; returns all outputs.

        Raises:
            NameError: the expression names neither an argument nor a function of torch.
            AttributeError, ModuleNotFoundError: there is no such `module:function`.
            TypeError: the function's parameters are not the operator's arguments.
        """
        text = self.op.composite or ""
        scope: dict[str, Any] = {"torch": torch}
        if match := re.fullmatch(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)", text):
            scope["_function"] = self._function_of_module(*match.groups())
            text = f"_function({', '.join(_names(self.op))})"
        code = compile(f"lambda {self.op.params}: ({text})", self.op.loc, "eval")
        for name in _global_names(code):
            if name not in scope:
                scope[name] = self._resolve(name)
        compiled: Callable[..., Any] = eval(code, scope)
        return compiled

    def _resolve(self, name: str) -> Any:
        for found in (MODULES, _FUNCTIONS):
            if name in found:
                return found[name]
        if name == self.op.namespace:
            return getattr(torch.ops, name)
        if hasattr(torch, name):
            return getattr(torch, name)
        raise NameError(f"composite of '{self.op.name}' ({self.op.loc}) names '{name}', which torch has not")

    def _function_of_module(self, module: str, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(
            importlib.import_module(f"{self.package}.{module}" if self.package else module), name
        )
        expected, actual = _names(self.op), list(inspect.signature(function).parameters)
        if actual != expected:
            raise TypeError(
                f"{self.op.composite}, composite of '{self.op.name}' ({self.op.loc}): expected parameters "
                f"({', '.join(expected)}), got ({', '.join(actual)})"
            )
        return function

    def masked(self, *args: Any, output_mask: Iterable[bool] | None = None, **kwargs: Any) -> Any:
        """As the operator with its `output_mask`: outputs that are not wanted are None."""
        result = self.function(*args, **kwargs)
        if output_mask is None:
            return result
        return tuple(value if wanted else None for value, wanted in zip(result, output_mask))


def _names(op: OpInfo) -> list[str]:
    lambda_ = ast.parse(f"lambda {op.params}: 0", mode="eval").body
    assert isinstance(lambda_, ast.Lambda)
    return [argument.arg for argument in lambda_.args.args]


def _global_names(code: Any) -> set[str]:
    """The names that an expression takes from outside, those of nested lambdas and comprehensions included."""
    names = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return names.union(*(_global_names(c) for c in code.co_consts if inspect.iscode(c)))


def composite(name: str) -> Composite:
    """The composite of an operator.

    Raises:
        KeyError: the operator has none.
    """
    return _composites[name]


def composites() -> Mapping[str, Composite]:
    return _composites


def register(ops: Iterable[OpInfo], namespace: str = "phi", package: str = __name__) -> None:
    """Makes the composites of `ops` known to the dispatcher.

    `package` holds the modules that a `module:function` names; with an empty one they are names to import.
    """
    definitions = torch.library.Library(f"{namespace}_composite", "FRAGMENT")
    implementations = torch.library.Library(namespace, "IMPL")
    _libraries.extend((definitions, implementations))
    for op in ops:
        if op.composite is None:
            continue
        found = _composites[op.full_name] = Composite(op, package)
        definitions.define(op.name + op.schema)
        for key in KEYS:
            definitions.impl(op.name, found, key)
            if op.composite_only:
                implementations.impl(op.name, found, key)
