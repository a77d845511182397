"""Arguments of operators that have no gradient. A call that a person makes refuses one that requires grad; a program gives
whatever it computes there, and Paddle differentiates the rest."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from torch import Tensor

from ._op_info import OpInfo
from ._op_table import OPS


@functools.cache
def undifferentiated(op: OpInfo) -> frozenset[str]:
    """The names of its tensors of which the backward operator gives no gradient."""
    backward = OPS.get(op.backward or "")
    if backward is None or op.is_backward or op.namespace != "phi":
        return frozenset()
    tensors = {one.split()[1].partition("=")[0] for one in op.schema[1 : op.schema.index(") ->")].split(", ") if "Tensor" in one}
    return frozenset(tensors - {out.removesuffix("_grad") for out in backward.outputs})


def detaching(function: Callable[..., Any], op: OpInfo) -> Callable[..., Any]:
    """The function, for which those arguments are constants."""
    constant = undifferentiated(op)
    if not constant:
        return function
    places = {place for place, name in enumerate(op.names) if name in constant}

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = [_detached(one) if place in places else one for place, one in enumerate(args)]
        return function(*given, **{name: _detached(one) if name in constant else one for name, one in kwargs.items()})

    return call


def _detached(value: Any) -> Any:
    return value.detach() if isinstance(value, Tensor) and value.requires_grad else value
