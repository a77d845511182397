"""Parameters that a program of Paddle 2 reads from files itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor

from ...legacy._operators import Operands, no_block
from ...legacy.description import LOADS, OpDesc
from ...legacy.lod import lod_of, with_lod
from ...legacy.operators.saved import read
from .blocks import Region, Unknown
from .rules import rule

if TYPE_CHECKING:
    from .program import _Translation


def loaded(self: _Translation) -> dict[str, Tensor]:
    """What the first block loads of variables that nothing names before and nothing assigns afterwards: these are parameters."""
    found, named = dict[str, Tensor](), set[str]()
    saved = set(self.desc.saved_names())
    for op in self.desc.blocks[0].ops:
        names = op.outputs.get("Out", [])
        if op.type in LOADS and {*names} <= saved - named and all(self.variables.times_assigned((0, name)) == 1 for name in names):
            with self.naming(""):
                for name, one in zip(names, read(Operands(op, {}, lambda name: name, no_block))):
                    found[name] = with_lod(one, [])
                    if lod_of(one):
                        self.leveled[0, name] = op.type
        named.update(name for _, name in op.names())
    return found


@rule(*LOADS)
def _load(self: _Translation, op: OpDesc, region: Region) -> None:
    if region.block != 0 or not {*op.outputs["Out"]} <= self.loaded:
        raise Unknown("it loads what is no parameter, or what is used or assigned otherwise")
