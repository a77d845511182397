"""What Inductor must know of the operators, told when it is first imported: importing it costs more than all of phi_torch."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import torch

from ._op_info import OpInfo
from .decompositions import composite


class _AfterImport(MetaPathFinder):
    """Calls `then` with the module `name` right after its code has run."""

    def __init__(self, name: str, then: Callable[[ModuleType], None]) -> None:
        self.name = name
        self.then = then

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_then(module: ModuleType) -> None:
            execute(module)
            self.then(module)

        spec.loader.exec_module = execute_then  # type: ignore[method-assign]
        return spec


def after_import(name: str, then: Callable[[ModuleType], None]) -> None:
    """Calls `then` with the module: now if it is imported, else as soon as it is."""
    if name in sys.modules:
        then(sys.modules[name])
    else:
        sys.meta_path.insert(0, _AfterImport(name, then))


def fuses(op: OpInfo) -> bool:
    """Whether Inductor compiles the composite instead of calling the kernel."""
    return bool(op.composite and op.kernels and op.category != "random")


def register(ops: Iterable[OpInfo], namespace: str = "phi") -> None:
    """Gives Inductor the composites, and the in-place twins of the operators that it calls."""
    library = getattr(torch.ops, namespace)
    ops = tuple(ops)

    def add_decompositions(module: ModuleType) -> None:
        for op in ops:
            if fuses(op):
                module.decompositions[getattr(library, op.name).default] = composite(op.name).masked
        # a copy of the table, made by the first compilation
        clear = getattr(getattr(module, "fast_random_decomps", None), "cache_clear", None)
        if clear is not None:
            clear()

    def add_inplace(module: ModuleType) -> None:
        for op in ops:
            twin = f"{op.name}_"
            if not fuses(op) and not op.is_backward and twin in op.overloads and len(op.outputs) == len(op.inplace) == 1:
                pair = module.InplaceableOp(getattr(library, twin).default, 0)
                module.inplaceable_ops[getattr(library, op.name).default] = pair

    after_import("torch._inductor.decomposition", add_decompositions)
    after_import("torch._inductor.fx_passes.reinplace", _guarded(add_inplace))


def _guarded(then: Callable[[ModuleType], None]) -> Callable[[ModuleType], None]:
    """The in-place table is private to torch; without it one copy more is made, and nothing else happens."""

    def run(module: ModuleType) -> None:
        if hasattr(module, "InplaceableOp") and hasattr(module, "inplaceable_ops"):
            then(module)

    return run


def tag_caches(tag: str) -> None:
    """Keys torch's compile caches by `tag` as well: they take an operator for what its name says, whatever it computes."""
    config: Any = torch.compiler.config
    if tag not in config.cache_key_tag.split("+"):
        config.cache_key_tag = "+".join(filter(None, (config.cache_key_tag, tag)))
