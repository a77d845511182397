"""The operators' functions in C++: about a quarter of the cost of a call through torch.ops.

A fast function reads its arguments by their exact types and calls the typed dispatcher handle. For a subclass of Tensor,
a `__torch_function__` mode, a symbolic number and all else that it does not know it calls the function of the same name
in `ops.py`, which goes through torch.ops. Dynamo, to which a C function is opaque, traces that one too.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from . import _C
from ._after_import import after_import
from ._arguments import named

PYTHON: dict[str, Callable[..., Any]] = {}  # full name of an operator -> the function that its fast one falls back to


def install(ops: ModuleType, package: str) -> None:
    """Replaces the functions of `ops` by fast ones, which say that they are defined in `package`."""
    python: dict[str, Callable[..., Any]] = {name: getattr(ops, name) for name in ops.__all__}
    PYTHON.update((name if package == "phi_torch" else f"{package}.{name}", function) for name, function in python.items())
    fast: dict[str, Callable[..., Any]] = _C.bind_fast_functions(python, package)
    for name, function in python.items():
        setattr(ops, name, fast.get(name) or named(function, package))

    def substitute(dynamo: ModuleType) -> None:
        for name, function in fast.items():
            dynamo.substitute_in_graph(function, skip_signature_check=True)(python[name])

    after_import("torch._dynamo", substitute)
