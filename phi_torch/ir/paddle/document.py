"""Paddle 3's programs as values: what a `.json` file says, with names written out, before anything is made of it.

A document keeps whatever a file holds: types and attributes of an unknown kind are `Opaque`, operators are names. Writing
what was read gives the same file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

VERSIONS = range(5)  # of the format; each later one changed attributes of operators, not the form of the file
PARAMETER = "builtin.parameter"


class Opaque(NamedTuple):
    """A type or an attribute of another kind: its name in the file, such as `4.a_tensor_dist`, and its value as JSON.

    A list of which an element is opaque is opaque itself.
    """

    name: str
    data: str | None


class TensorType(NamedTuple):
    """A tensor: "dense_tensor", "selected_rows" or "dense_tensor_array"; a size that is not known is -1."""

    kind: str
    dtype: str
    dims: tuple[int, ...]
    layout: str = "NCHW"


class ScalarType(NamedTuple):
    dtype: str


class VectorType(NamedTuple):
    elements: tuple[Type, ...]


Type = TensorType | ScalarType | VectorType | Opaque | None  # None: of a result that is absent


class Attr(NamedTuple):
    """An attribute, by kind:

    bool, i32, i64, index, f32, f64, c64, c128, str, tensor  a Python value; a "tensor" is a name
    dtype, layout  the name; place  (type, device, name of the device type)
    intarray  a tuple of integers; scalar  (dtype, number)
    array<KIND>  a tuple of values of one of these; array  a tuple of Attr, of no or of several kinds
    type  a Type; opaque  an Opaque; null  None
    """

    kind: str
    value: Any


class Result(NamedTuple):
    """A value and its type: of an operator with an id above zero, or an argument of a block with one below; 0 is none."""

    id: int
    type: Type


@dataclass(slots=True)
class Op:
    """An operator. `result_attributes` hold one value for each result, such as `stop_gradient`.

    A parameter is `builtin.parameter` with `parameter_name`, and flags that are single bools.
    """

    name: str
    operands: tuple[int, ...] = ()
    results: tuple[Result, ...] = ()
    attributes: dict[str, Attr] = field(default_factory=dict)
    result_attributes: dict[str, Attr] = field(default_factory=dict)
    regions: tuple[Region, ...] = ()


@dataclass(slots=True)
class Block:
    """Operators, and the values that the block is given: by position, and by name."""

    arguments: tuple[Result, ...] = ()
    keywords: dict[str, Result] = field(default_factory=dict)
    ops: list[Op] = field(default_factory=list)


@dataclass(slots=True)
class Region:
    blocks: tuple[Block, ...] = ()


@dataclass(slots=True)
class Document:
    """A program: the version of its format, whether it was saved to be trained, and its block."""

    version: int = VERSIONS[-1]
    trainable: bool = True
    block: Block = field(default_factory=Block)

    def parameters(self) -> Iterator[Op]:
        """The operators that read a parameter of the file beside; parameters that are not saved are left out."""
        for op in self.block.ops:
            if is_state(op) or (op.name == PARAMETER and op.result_attributes.get("persistable", PRESENT).value):
                yield op


def is_state(op: Op) -> bool:
    """Whether an operator reads what an optimizer keeps, such as a moment or the rate: an input that is persistable."""
    return op.name == "pd_op.data" and "name" in op.attributes and op.result_attributes.get("persistable") == KEPT_ONE


def parameter_name(op: Op) -> str:
    return str(op.attributes["name" if op.name == "pd_op.data" else "parameter_name"].value)


PRESENT = Attr("bool", True)
KEPT_ONE = Attr("array<bool>", (True,))
