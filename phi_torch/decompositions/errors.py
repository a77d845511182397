"""What goes wrong inside of a composite, told of the operator and its entry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from torch import Tensor

from .._errors import OF_INPUT
from .._op_info import OpInfo

# What Python says of an expression that was not written for its arguments.
_INTERNAL = (AttributeError, ArithmeticError, LookupError, NameError, AssertionError)
_TOLD = "_phi_torch_composite"


def explained(error: Exception, op: OpInfo, args: Sequence[Any], kwargs: dict[str, Any]) -> Exception:
    """`error` as it is to be raised: in the name of the operator, unless an operator inside of it has done so."""
    if hasattr(error, _TOLD) or not (type(error) in OF_INPUT or isinstance(error, _INTERNAL)):
        return error
    name = f"{op.namespace}::{op.name}"
    text = str(error)
    told: Exception
    if type(error) in OF_INPUT:  # these very classes: torch's subclasses steer its tracing
        text = text if text.startswith(name) else f"{name}: {text}"
        told = type(error)(f"{text}\n(in the composite of '{op.name}', {op.loc})")
    else:
        given = {**dict(zip(op.names, args)), **kwargs}
        missing = [key for key, value in given.items() if value is None and re.search(rf"\bTensor {key}\b", op.schema)]
        if missing:
            told = TypeError(f"{name}: argument '{missing[0]}': expected a tensor, got None")
        else:
            values = ", ".join(f"{key}={_described(value)}" for key, value in given.items())
            told = RuntimeError(f"{name}: its composite ({op.loc}) does not take these arguments: {text}; got {values}")
    setattr(told, _TOLD, True)
    return told


@contextmanager
def indices_of(argument: str, most: str) -> Iterator[None]:
    """Around a function of torch that indices lead: IndexError, which names `argument`, for one that does not fit."""
    try:
        yield
    except (RuntimeError, IndexError) as error:
        if not any(words in str(error) for words in ("out of bounds", "out of range", "indexing axis dim should be positive")):
            raise
        raise IndexError(f"argument '{argument}': expected {most}: {error}") from error


def _described(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], Tensor):
        return f"[{', '.join(map(_described, value))}]"
    return repr(value)
