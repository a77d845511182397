"""What Inductor must know of the operators, told when it is first imported."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

import torch

from ._after_import import after_import
from ._op_info import OpInfo
from .decompositions import composite


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
                module.decompositions[getattr(library, op.name).default] = composite(op.full_name).masked
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
