"""Attributes of programs as the values that kernels take."""

from __future__ import annotations

from typing import Any

import torch

from ._callee import Parameter
from .description import DTYPES, Attribute

NUMBERS = (bool, int, float, complex)


def value_of(attribute: Attribute, parameter: Parameter, float32: torch.dtype = torch.float32) -> Any:
    """The value of an attribute for a kernel's parameter; `float32` is the dtype to run in where the program says float32.

    Raises:
        ValueError: it is of a type that the parameter does not take.
    """
    value, type = attribute.value, parameter.type
    if "ScalarType" in type:
        dtype = _dtype(value, type)
        return float32 if dtype == torch.float32 else dtype
    if type == "number":
        return _number(value)
    if type == "bool" and value in (0, 1):
        return bool(value)
    if type == "int" and isinstance(value, (bool, int)):
        return int(value)
    if type == "float" and isinstance(value, (bool, int, float)):
        return float(value)
    if type == "str" and isinstance(value, str):
        return "NCHW" if value == "AnyLayout" else value
    if type.startswith("List"):
        values = value if isinstance(value, list) else [value]
        if all(isinstance(one, str if "str" in type else NUMBERS) for one in values):
            return values
    raise ValueError(f"expected {type}, got {attribute.type} {value!r}")


def _dtype(value: Any, type: str) -> Any:
    if isinstance(value, int) and value == -1 and "Optional" in type:
        return None
    if not isinstance(value, int) or value not in DTYPES:
        raise ValueError(f"expected the number of a data type, got {value!r}")
    return DTYPES[value]


def _number(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):  # as fill_constant's str_value
        try:
            return int(value)
        except ValueError:
            return float(value)
    if not isinstance(value, NUMBERS):
        raise ValueError(f"expected a number, got {value!r}")
    return value
