"""Programs as values: what a `.pdmodel` file says, before anything of it is run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch

from .._expect import expect
from .._paddle.faults import ProgramError as ProgramError
from .._paddle.faults import near
from .._paddle.parameters import DTYPE_NUMBERS as DTYPE_NUMBERS
from .._paddle.parameters import DTYPES as DTYPES
from .._paddle.parameters import in_order

# VarType.Type: the kinds of variables
KINDS: dict[int, str] = {
    **{7: "dense_tensor", 8: "selected_rows", 9: "feed_list", 10: "fetch_list", 11: "step_scopes", 12: "lod_rank_table"},
    **{13: "tensor_array", 14: "place_list", 15: "reader", 17: "raw", 18: "tuple", 25: "string", 26: "strings", 27: "vocab"},
    **{28: "feed_names", 29: "pstring", 30: "sparse_coo", 31: "sparse_csr"},
}
KIND_NUMBERS = {kind: number for number, kind in KINDS.items()}
TENSOR_KINDS = ("dense_tensor", "selected_rows", "tensor_array", "sparse_coo", "sparse_csr")  # that have a dtype and dimensions

# AttrType -> the field of the message that holds the value
ATTRIBUTE_TYPES: tuple[tuple[str, str], ...] = (
    *(("INT", "i"), ("FLOAT", "f"), ("STRING", "s"), ("INTS", "ints"), ("FLOATS", "floats"), ("STRINGS", "strings")),
    *(("BOOLEAN", "b"), ("BOOLEANS", "bools"), ("BLOCK", "block_idx"), ("LONG", "l"), ("BLOCKS", "blocks_idx")),
    *(("LONGS", "longs"), ("FLOAT64S", "float64s"), ("VAR", "var_name"), ("VARS", "vars_name"), ("FLOAT64", "float64")),
    *(("SCALAR", "scalar"), ("SCALARS", "scalars")),
)

_WHOLE, _REAL = (int,), (int, float)
ATTRIBUTE_VALUES: dict[str, tuple[type, ...]] = {
    **{"INT": _WHOLE, "FLOAT": _REAL, "STRING": (str,), "INTS": _WHOLE, "FLOATS": _REAL, "STRINGS": (str,), "BOOLEAN": _WHOLE},
    **{"BOOLEANS": _WHOLE, "BLOCK": _WHOLE, "LONG": _WHOLE, "BLOCKS": _WHOLE, "LONGS": _WHOLE, "FLOAT64S": _REAL, "VAR": (str,)},
    **{"VARS": (str,), "FLOAT64": _REAL, "SCALAR": (int, float, complex), "SCALARS": (int, float, complex)},
}

EMPTY = "@EMPTY@"  # the name of no variable
LOADS = ("load", "load_combine")  # operators that read variables from files


class _Typed(NamedTuple):
    type: str
    value: Any


class Attribute(_Typed):
    """An attribute of an operator: one of ATTRIBUTE_TYPES, and a bool, int, float, str, complex or a list of one of these.

    Raises:
        ProgramError: there is no such type, or the value is none of it.
    """

    __slots__ = ()

    def __new__(cls, type: str, value: Any) -> Attribute:
        expect("Attribute", "type", type, str, "write as in Attribute('INT', 1)")
        kinds = ATTRIBUTE_VALUES.get(type)
        if kinds is None:
            raise ProgramError(
                f"an attribute of type {type!r}: expected one of {', '.join(ATTRIBUTE_VALUES)}{near(type, ATTRIBUTE_VALUES)}"
            )
        many = type.endswith("S")
        values = value if many else [value]
        if not isinstance(values, list) or not all([isinstance(one, kinds) for one in values]):
            expected = "a list of " * many + " or ".join(kind.__name__ for kind in kinds)
            raise ProgramError(f"an attribute of type {type}: expected {expected}, got {value!r:.60}")
        return super().__new__(cls, type, value)


@dataclass
class VarDesc:
    """A variable: what it holds, and for tensors the dtype and the dimensions, negative for unknown ones."""

    name: str
    kind: str = "dense_tensor"
    dtype: torch.dtype | None = None
    dims: tuple[int, ...] | None = None
    lod_level: int = 0
    persistable: bool = False
    is_parameter: bool = False
    stop_gradient: bool = False
    need_check_feed: bool = False

    @property
    def is_saved(self) -> bool:
        """Whether a file of parameters holds it."""
        return self.persistable and self.kind in ("dense_tensor", "selected_rows")


@dataclass
class OpDesc:
    """An operator: its type, the names of variables by slot, and its attributes."""

    type: str
    inputs: dict[str, list[str]] = field(default_factory=dict)
    outputs: dict[str, list[str]] = field(default_factory=dict)
    attrs: dict[str, Attribute] = field(default_factory=dict)
    is_target: bool = False

    @property
    def blocks(self) -> list[int]:
        """The indices of the blocks that it runs."""
        found: list[int] = []
        for attribute in self.attrs.values():
            if attribute.type in ("BLOCK", "BLOCKS"):
                found += [attribute.value] if attribute.type == "BLOCK" else attribute.value
        return found

    def names(self) -> Iterator[tuple[str, str]]:
        """(slot, variable) for each variable that it names."""
        for slots in (self.inputs, self.outputs):
            for slot, arguments in slots.items():
                yield from ((slot, name) for name in arguments if name != EMPTY)
        yield from self.attribute_names()

    def attribute_names(self) -> Iterator[tuple[str, str]]:
        """(attribute, variable) for each variable that holds an attribute."""
        for name, attribute in self.attrs.items():
            if attribute.type in ("VAR", "VARS"):
                yield from ((name, var) for var in ([attribute.value] if attribute.type == "VAR" else attribute.value))


@dataclass
class BlockDesc:
    """A list of operators with the variables that it declares; names that it does not declare are those of its parent, or of the
    block whose gradients it computes.
    """

    idx: int = 0
    parent_idx: int = -1
    vars: dict[str, VarDesc] = field(default_factory=dict)
    ops: list[OpDesc] = field(default_factory=list)
    forward_block_idx: int = -1


@dataclass
class ProgramDesc:
    """Blocks of operators, of which the first is run; `version` is that of Paddle, `major * 1000000 + minor * 1000 + patch`."""

    blocks: list[BlockDesc] = field(default_factory=lambda: [BlockDesc()])
    version: int = 0
    op_versions: dict[str, int] = field(default_factory=dict)

    def ancestors(self, idx: int) -> Iterator[BlockDesc]:
        """The block, its parent, and so on."""
        while idx >= 0:
            yield self.blocks[idx]
            idx = self.blocks[idx].parent_idx

    def visible(self, idx: int) -> Iterator[BlockDesc]:
        """The blocks whose variables a block may name, the nearest first: itself, the one whose gradients it computes, its
        parent, and those that these may name.
        """
        seen, queue = set[int](), [idx]
        for at in queue:
            if 0 <= at < len(self.blocks) and at not in seen:
                seen.add(at)
                block = self.blocks[at]
                yield block
                queue += (block.forward_block_idx, block.parent_idx)

    def find_var(self, idx: int, name: str) -> tuple[VarDesc, int] | None:
        """The variable that `name` means in a block, and the index of the block that declares it."""
        for block in self.visible(idx):
            if name in block.vars:
                return block.vars[name], block.idx
        return None

    def saved_names(self) -> list[str]:
        """The variables that a file of parameters holds, in the order of the file."""
        return in_order({var.name for block in self.blocks for var in block.vars.values() if var.is_saved})

    def loaded_names(self) -> set[str]:
        """The variables that operators of its first block read from files."""
        return {name for op in self.blocks[0].ops if op.type in LOADS for name in op.outputs.get("Out", [])}

    def feeds(self) -> list[str]:
        """The names of its inputs, in their order."""
        return [op.outputs["Out"][0] for op in self._columns("feed")]

    def fetches(self) -> list[str]:
        """The names of its outputs, in their order."""
        return [op.inputs["X"][0] for op in self._columns("fetch", "fetch_v2")]

    def _columns(self, *types: str) -> list[OpDesc]:
        return sorted((op for op in self.blocks[0].ops if op.type in types), key=lambda op: op.attrs["col"].value)
