"""The operators' functions in C++: about a quarter of the cost of torch's own function for an operator.

A fast function reads its arguments by their exact types and calls the typed dispatcher handle. For a subclass of Tensor,
a `__torch_function__` mode, a symbolic number and all else that it does not know it calls the function of the same name
in `ops.py`, which goes through torch.ops. Dynamo, to which a C function is opaque, traces that one too.

torch.ops calls them as well, in place of torch's own function, which makes a stack of the arguments and matches it against
the schema; it gets what they do not know.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import torch

from . import _C
from ._after_import import after_import
from ._arguments import named

PYTHON: dict[str, FunctionType] = {}  # full name of an operator -> the function that its fast one falls back to


def install(ops: ModuleType, package: str, namespace: str) -> None:
    """Replaces the functions of `ops` by fast ones, which say that they are defined in `package`, and those of torch.ops."""
    python: dict[str, FunctionType] = {name: getattr(ops, name) for name in ops.__all__}
    PYTHON.update((name if package == "phi_torch" else f"{package}.{name}", function) for name, function in python.items())
    fast: dict[str, Callable[..., Any]] = _C.bind_fast_functions(python, package)
    for name, slow in python.items():
        setattr(ops, name, fast.get(name) or named(slow, package))

    for name, function in fast.items():
        _install_op(function, python[name], getattr(getattr(torch.ops, namespace), name))

    def substitute(dynamo: ModuleType) -> None:
        for name, function in fast.items():
            dynamo.substitute_in_graph(function, skip_signature_check=True)(python[name])

    after_import("torch._dynamo", substitute)


def _install_op(fast: Callable[..., Any], python: FunctionType, packet: torch._ops.OpOverloadPacket[..., Any]) -> None:
    """Makes torch.ops call `fast`, unless a parameter has another name there, as `device` for `place`.

    An operator's hash is that of what it calls, so this has to be done before anybody keeps it in a table.
    """
    op = packet.default
    names = tuple(argument.name for argument in op._schema.arguments)
    if python.__code__.co_varnames[: len(names)] != names:
        return
    op._op = _C.bind_fast_op(fast, op._op)
    packet._op = _C.bind_fast_op(fast, packet._op)
    torch.jit._builtins._register_builtin(packet._op, op._schema.name)  # TorchScript finds an operator by what it calls
