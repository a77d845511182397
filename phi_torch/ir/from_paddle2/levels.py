"""Levels of detail, of which a program here has the rows alone: whoever would read the levels does not run in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...legacy._derived_gradients import DERIVED_OPERATORS
from ...legacy._lod_rules import COMPUTED, LOD_FORMS, makes_lod, source_of
from ...legacy._operators import OPERATORS
from ...legacy.description import EMPTY, LOADS, OpDesc
from .blocks import Region, Unknown

if TYPE_CHECKING:
    from .program import _Translation


FED = "feed"


def check_levels(self: _Translation, op: OpDesc, region: Region) -> None:
    """Refuses an operator that reads levels which an operator of the program gives, or that are fed.

    Raises:
        Unknown: what it reads has some.
    """
    if not self.leveled or not _reads_levels(op):
        return
    for name in (name for names in op.inputs.values() for name in names if name != EMPTY):
        maker = self.leveled.get(region.key(name))
        if maker is not None and (maker != FED or _would_do_without(op)):
            raise Unknown(f"it reads the levels of detail of '{name}', which '{maker}' gives; phi_torch.legacy has these")


def note_levels(self: _Translation, op: OpDesc, region: Region) -> None:
    """Which of the results have levels; those that are fed or loaded are noted."""
    if op.type == FED or op.type in LOADS:
        return
    for slot, names in op.outputs.items():
        maker = op.type if makes_lod(op) else _maker(self, op, slot, region)
        for key in (region.key(name) for name in names if name != EMPTY):
            if maker is not None:
                self.leveled[key] = maker
            else:
                self.leveled.pop(key, None)


def _maker(self: _Translation, op: OpDesc, slot: str, region: Region) -> str | None:
    """Who gave the levels that the results of a slot share."""
    if not self.leveled:
        return None
    source = source_of(op, slot)
    computed = [name for names in op.inputs.values() for name in names] if op.type in COMPUTED else []
    found = (self.leveled.get(region.key(name)) for name in (*computed, source) if name not in (None, EMPTY))
    return next((maker for maker in found if maker is not None), None)


def _reads_levels(op: OpDesc) -> bool:
    is_ours = op.type in OPERATORS and op.type not in DERIVED_OPERATORS and op.type not in _OF_ROWS
    return op.type in LOD_FORMS or is_ours


def _would_do_without(op: OpDesc) -> bool:
    """Whether it has another meaning without levels, and nothing else says the lengths."""
    lengths = (name for slot, names in op.inputs.items() if slot.endswith(("Length", "Num")) for name in names)
    return op.type in LOD_FORMS and all(name == EMPTY for name in lengths)


# which give what they are given, or have blocks whose operators are asked themselves
_OF_ROWS = frozenset(
    ("conditional_block", "conditional_block_infer", "feed", "fetch", "fetch_v2", "print", "select_input", "while")
)
