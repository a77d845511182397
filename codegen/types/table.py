"""The types that an argument of the YAML can have, by name."""

from __future__ import annotations

from .base import Type
from .lists import IntArray, list_of
from .numbers import BOOL, DOUBLE, FLOAT, INT, INT32, INT64, LONG, NUMBERS, Scalar
from .tensors import TENSOR, TENSORS
from .values import DataLayout, DataType, Place, Text

_SCALAR = Scalar(name="Scalar")
_TYPES: tuple[Type, ...] = (
    TENSOR,
    TENSORS,
    _SCALAR,
    *(Scalar(name=f"Scalar({number.name})", of=number) for number in (BOOL, INT, INT64, FLOAT, DOUBLE)),
    list_of(_SCALAR, "Scalar", schema_has_defaults=False),
    IntArray(),
    *NUMBERS,
    Text(),
    Place(),
    DataLayout(),
    DataType(),
    list_of(BOOL, "bool"),
    *(list_of(integer, integer.kernel, "at::IntArrayRef") for integer in (INT, INT32, INT64, LONG)),
    list_of(FLOAT, "float"),
    list_of(DOUBLE, "double"),
    list_of(Text(), "std::string", schema_has_defaults=False),
)
TYPES: dict[str, Type] = {type.name: type for type in _TYPES}
WIDE = {number.name: number.typed for number in NUMBERS}  # numbers travel in the widest type of their kind
