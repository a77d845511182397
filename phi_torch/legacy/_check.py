"""Whether the parts of a program fit together: blocks, their order and their variables."""

from __future__ import annotations

from functools import partial

from .._paddle.faults import Faults, near, op_place
from .description import EMPTY, Attribute, BlockDesc, OpDesc, ProgramDesc

MAX_DEPTH = 100  # of blocks in blocks
FEEDS = {"feed": ("outputs", "Out"), "fetch": ("inputs", "X"), "fetch_v2": ("inputs", "X")}


def check(program: ProgramDesc, faults: Faults) -> None:
    """Adds what is wrong: blocks out of range or in a cycle, variables that nobody declares, feeds without a column."""
    if not program.blocks:
        faults.add("", "it has no block")
        return
    if not _attributes_fit(program, faults) or not _parents_fit(program, faults):
        return
    for block in program.blocks:
        for index, op in enumerate(block.ops):
            _leave_out(program, block, op)
            _check_names(program, block, index, op, faults)
            _check_blocks(program, block, index, op, faults)
            if op.type in FEEDS:
                _check_feed(op, op_place(block.idx, index, op.type), faults)
    _check_columns(program, faults)


def _attributes_fit(program: ProgramDesc, faults: Faults) -> bool:
    """Of programs that are made in memory, by values where there should be attributes."""
    before = faults.count
    for block in program.blocks:
        for index, op in enumerate(block.ops):
            for name, value in op.attrs.items():
                if not isinstance(value, Attribute):
                    where = f"{op_place(block.idx, index, op.type)}, attribute '{name}'"
                    faults.add(where, f"expected an Attribute with its type, got {value!r:.60}")
    return faults.count == before


def _parents_fit(program: ProgramDesc, faults: Faults) -> bool:
    before = faults.count
    depths: list[int] = []
    for position, block in enumerate(program.blocks):
        where, last = f"block {position}", len(program.blocks) - 1
        if block.idx != position:
            faults.add(where, f"its index is {block.idx}; expected {position}, its position")
        lowest, highest = (-1, -1) if position == 0 else (0, position - 1)
        if not lowest <= block.parent_idx <= highest:
            expected = "-1" if position == 0 else f"0 to {position - 1}, an earlier block of {last + 1}"
            faults.add(where, f"its parent is block {block.parent_idx}; expected {expected}")
            depths.append(0)
            continue
        depths.append(depths[block.parent_idx] + 1 if position else 0)
        if depths[-1] > MAX_DEPTH:
            faults.add(where, f"it stands {depths[-1]} blocks deep; expected at most {MAX_DEPTH}")
    return faults.count == before


def _leave_out(program: ProgramDesc, block: BlockDesc, op: OpDesc) -> None:
    """Gradients of a block which nobody declares: PaddlePaddle looks for them when it runs, and goes on without."""
    if op.type in ("conditional_block_grad", "pylayer_grad"):
        for slots, slot in ((op.inputs, "Out@GRAD"), (op.outputs, "Input@GRAD")):
            if slot in slots:
                slots[slot] = [name if program.find_var(block.idx, name) is not None else EMPTY for name in slots[slot]]


def _check_names(program: ProgramDesc, block: BlockDesc, index: int, op: OpDesc, faults: Faults) -> None:
    for slot, name in op.names():
        if program.find_var(block.idx, name) is None:
            faults.add(f"{op_place(block.idx, index, op.type)}, slot {slot}", partial(_unknown, program, block.idx, name))


def _unknown(program: ProgramDesc, block: int, name: str) -> str:
    known = [name for outer in program.visible(block) for name in outer.vars]
    return f"variable '{name}' does not exist in the block or its parents{near(name, known)}"


def _check_blocks(program: ProgramDesc, block: BlockDesc, index: int, op: OpDesc, faults: Faults) -> None:
    where = op_place(block.idx, index, op.type)
    for idx in op.blocks:
        if not 0 < idx < len(program.blocks):
            faults.add(where, f"it runs block {idx}; expected 1 to {len(program.blocks) - 1}")
        elif any(outer.idx == idx for outer in program.ancestors(block.idx)):
            faults.add(where, f"it runs block {idx}, in which it stands: a cycle")
        elif program.blocks[idx].parent_idx != block.idx:
            parent = program.blocks[idx].parent_idx
            faults.add(where, f"it runs block {idx}, whose parent is block {parent}; expected {block.idx}")


def _check_feed(op: OpDesc, where: str, faults: Faults) -> None:
    column = op.attrs.get("col")
    if column is None or column.type != "INT" or column.value < 0:
        got = "none" if column is None else f"{column.type} {column.value}"
        faults.add(where, f"attribute 'col': expected an INT of at least 0, got {got}")
    side, slot = FEEDS[op.type]
    names = getattr(op, side).get(slot, [])
    if len(names) != 1:
        faults.add(where, f"slot {slot}: expected one variable, got {len(names)}")


def _check_columns(program: ProgramDesc, faults: Faults) -> None:
    if faults.count:
        return
    for types in (("feed",), ("fetch", "fetch_v2")):
        columns = sorted(op.attrs["col"].value for op in program.blocks[0].ops if op.type in types)
        if columns != list(range(len(columns))):
            faults.add(
                "block 0", f"the columns of its {types[0]} operators are {columns}; expected each of 0 to {len(columns) - 1}"
            )
