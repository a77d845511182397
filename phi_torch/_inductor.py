"""What torch.compile must know of the operators, told when its parts are first imported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import torch

from . import _fast
from ._after_import import after_import
from ._op_info import OpInfo
from .decompositions import composite


def fuses(op: OpInfo) -> bool:
    """Whether Inductor compiles the composite instead of calling the kernel: not where it would call ATen's instead."""
    return bool(op.composite and op.kernels and op.category != "random" and not op.data_dependent)


def register(ops: Iterable[OpInfo], namespace: str = "phi") -> None:
    """Gives Inductor the composites and the in-place twins of the operators that it calls, and names those that are random."""
    library = getattr(torch.ops, namespace)
    ops = tuple(ops)

    def add_decompositions(module: ModuleType) -> None:
        for op in ops:
            if fuses(op):
                module.decompositions[getattr(library, op.name).default] = composite(op.full_name).masked
        _forget_copy(module)

    def add_inplace(module: ModuleType) -> None:
        for op in ops:
            twin = f"{op.name}_"
            if not fuses(op) and not op.is_backward and twin in op.overloads and len(op.outputs) == len(op.inplace) == 1:
                pair = module.InplaceableOp(getattr(library, twin).default, 0)
                module.inplaceable_ops[getattr(library, op.name).default] = pair

    def add_random(module: ModuleType) -> None:
        # by this list alone, whatever an operator's tags say, two equal calls in a graph with gradients do not become one
        if isinstance(getattr(module, "rand_ops", None), list):
            module.rand_ops.extend(getattr(library, op.name) for op in ops if op.category == "random")

    def add_inplace_views(module: ModuleType) -> None:
        # Dynamo traces the Python function, which ends the graph before an input changes its shape, for torch.ops too
        builder = module.variables.builder
        rules: dict[int, Any] = getattr(getattr(builder, "VariableBuilder", None), "_id_dispatch", dict)()
        for op in ops:
            if op.category == "view" and f"{op.name}_" in op.overloads:
                function = _fast.PYTHON[f"{op.full_name}_"]
                rules[id(getattr(library, f"{op.name}_"))] = lambda _, __, f=function: builder.UserFunctionVariable(f)

    after_import("torch._dynamo", add_inplace_views)
    after_import("torch._inductor.decomposition", add_decompositions)
    after_import("torch._inductor.fx_passes.reinplace", _guarded(add_inplace))
    after_import("torch._functorch.compile_utils", add_random)


def _forget_copy(module: Any) -> None:
    """The first compilation copies the table of decompositions."""
    clear = getattr(getattr(module, "fast_random_decomps", None), "cache_clear", None)
    if clear is not None:
        clear()


@contextmanager
def without_decompositions(overloads: Iterable[Any]) -> Iterator[None]:
    """Inductor calls these operators' kernels."""
    from torch._inductor import decomposition

    table = decomposition.decompositions
    removed = {overload: table.pop(overload) for overload in overloads if overload in table}
    _forget_copy(decomposition)
    try:
        yield
    finally:
        table.update(removed)
        _forget_copy(decomposition)


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
