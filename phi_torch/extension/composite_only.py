"""Operators that are composites and nothing else, defined without a compiler."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor

from .._op_info import OpInfo
from ..decompositions import KEYS

_libraries: list[torch.library.Library] = []  # an operator goes when its library does


def define(ops: Iterable[OpInfo], namespace: str) -> None:
    """Defines the operators in the dispatcher; their composites are registered as those of all operators are."""
    library = torch.library.Library(namespace, "FRAGMENT")
    _libraries.append(library)
    for op in ops:
        for overload, schema in op.schemas:
            library.define(schema, tags=(torch.Tag.pt2_compliant_tag,))
            if overload:
                name = schema.partition("(")[0]  # of the in-place form too
                for key in KEYS:
                    library.impl(name, _read_tensors(name.partition(".")[0], namespace), key)


def _read_tensors(op: str, namespace: str) -> Callable[..., Any]:
    """The overload that takes numbers as tensors: reads them and calls the operator."""

    def function(*args: Any, **kwargs: Any) -> Any:
        default = getattr(getattr(torch.ops, namespace), op).default
        declared = {a.name: a for a in default._schema.arguments}
        given = dict(zip(declared, args)) | kwargs
        return default(**{name: _read(value, str(declared[name].type)) for name, value in given.items()})

    return function


def _read(value: Any, type: str) -> Any:
    if not isinstance(value, Tensor) or "Tensor" in type:
        return value
    return value.tolist() if "List" in type else value.item()
