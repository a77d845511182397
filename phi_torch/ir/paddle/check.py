"""What of a document does not fit together: ids of values, and where they are seen."""

from __future__ import annotations

from collections.abc import Iterator

from ..._paddle.faults import Faults
from .document import PARAMETER, Block, Document, Op, Result, Type

MAX_DEPTH = 64  # of regions


def check(document: Document, faults: Faults) -> None:
    """Adds what is wrong: an id is defined once, and used after that in the same region or in one below it.

    A parameter may be there twice, as the state that each `rnn` of a program has: a name is one tensor.
    """
    checker = _Checker(faults)
    checker.defined = {value.id for value in _values(document.block)}
    checker.block(document.block, "", 1)
    named: dict[str, Type] = {}
    for index, op in enumerate(document.block.ops):
        if op.name == PARAMETER and "parameter_name" in op.attributes and op.results:
            name, type = op.attributes["parameter_name"].value, op.results[0].type
            if named.setdefault(name, type) != type:
                faults.add(f"ops[{index}]", f"parameter '{name}' is there twice, as tensors of two types")


def _values(block: Block) -> Iterator[Result]:
    yield from (*block.arguments, *block.keywords.values())
    for op in block.ops:
        yield from op.results
        for region in op.regions:
            for inner in region.blocks:
                yield from _values(inner)


class _Checker:
    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.seen: set[int] = set()
        self.visible: set[int] = set()
        self.defined: set[int] = set()

    def block(self, block: Block, where: str, depth: int) -> None:
        own: list[int] = []
        for index, value in enumerate((*block.arguments, *block.keywords.values())):
            self.define(value, f"{where}args[{index}]", own)
        for index, op in enumerate(block.ops):
            place = f"{where}ops[{index}]"
            self.operands(op, place)
            if op.name == PARAMETER and where:
                self.faults.add(place, "a parameter in a region; expected it among the operators of the program")
            for number, region in enumerate(op.regions):
                if depth == MAX_DEPTH:
                    self.faults.add(place, f"its regions stand {depth + 1} deep; expected at most {MAX_DEPTH}")
                    break
                for inner, one in enumerate(region.blocks):
                    self.block(one, f"{place}.regions[{number}].blocks[{inner}].", depth + 1)
            for number, value in enumerate(op.results):
                self.define(value, f"{place}.O[{number}]" if op.name != PARAMETER else f"{place}.O", own)
        self.visible.difference_update(own)

    def operands(self, op: Op, place: str) -> None:
        for index, id in enumerate(op.operands):
            if id == 0 or id in self.visible:
                continue
            what = "defined later, or in another region" if id in self.defined else "not defined"
            self.faults.add(f"{place}.I[{index}]", f"{op.name} uses the value {id}, which is {what}")

    def define(self, value: Result, place: str, own: list[int]) -> None:
        if value.id == 0:
            if value.type is not None:
                self.faults.add(place, "the id 0 is that of no value, but it has a type")
            return
        if value.id in self.seen:
            self.faults.add(place, f"the id {value.id} is defined twice")
            return
        self.seen.add(value.id)
        self.visible.add(value.id)
        own.append(value.id)
