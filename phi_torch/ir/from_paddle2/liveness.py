"""Whether a program of Paddle 2 reads what a variable has after an operation."""

from __future__ import annotations

from collections.abc import Sequence

from ...legacy.description import OpDesc
from .blocks import Key, Region, Variables


def is_read_later(region: Region, op: OpDesc, name: str) -> bool:
    """Whether anything may read the variable before it is assigned again; in a loop, its next rounds may, too."""
    variables, key = region.variables, region.key(name)
    var = region.variable(name)
    if var is None or var.persistable or key in variables.fetched:
        return True
    at, running = region, op
    while True:
        ops = variables.desc.blocks[at.block].ops
        index = next(index for index, one in enumerate(ops) if one is running)
        found = _first_use(variables, at.block, ops[index + 1 :], key)
        if found is None and at.outer is not None and at.block != key[0]:
            running = next(one for one in variables.desc.blocks[at.outer.block].ops if at.block in one.blocks)
            if running.type.startswith("while"):
                is_read = name in running.inputs.get("Condition", []) or _first_use(variables, at.block, ops[:index], key)
                found = True if is_read else None  # what assigns it in the next round does not run after the last one
            if found is None:
                at = at.outer
                continue
        return bool(found)


def _read(op: OpDesc) -> list[str]:
    """What an operator itself reads: a loop lists what it only assigns, too, the gradient of a block what the block gave."""
    if op.type == "while":
        return op.inputs.get("Condition", [])
    unread = ("Out",) if op.type == "conditional_block_grad" else ()
    return [name for slot, names in op.inputs.items() if slot not in unread for name in names]


def _first_use(variables: Variables, block: int, ops: Sequence[OpDesc], key: Key) -> bool | None:
    """True: operators read the variable first; False: they assign it first; None: they do neither."""
    for op in ops:
        names = [*_read(op), *(name for _, name in op.attribute_names())]
        inner = [_first_use(variables, one, variables.desc.blocks[one].ops, key) for one in op.blocks]
        if True in inner or any(name == key[1] and variables.find(block, name)[0] == key for name in names):
            return True
        written = (name for slot in op.outputs.values() for name in slot)
        if not op.blocks and any(name == key[1] and variables.find(block, name)[0] == key for name in written):
            return False
    return None
