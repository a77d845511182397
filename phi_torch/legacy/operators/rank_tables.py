"""Sequences by length, the longest first, and the steps of all of them as an array of tensors: what a dynamic network runs on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from .._operators import Operands, operator
from ..lod import Lod, lengths_of, lod_of, offsets_of, with_lod
from .sequences import places, same_count, sequences


class RankTable(NamedTuple):
    """The sequences of a level: number and length of each, the longest first; `coarse` are the levels above."""

    items: list[tuple[int, int]]
    coarse: Lod

    def longer_than(self, step: int) -> list[int]:
        return [number for number, length in self.items if length > step]


def part_of(lod: Lod, begin: int, end: int) -> tuple[Lod, range]:
    """The lengths of the sequences `begin` to `end` of the first level in all levels, and the rows that they are."""
    lengths: Lod = []
    for level in lod:
        lengths.append(lengths_of(level[begin : end + 1]))
        begin, end = level[begin], level[end]
    return lengths, range(begin, end)


def gathered(x: Tensor, lod: Lod, which: Sequence[tuple[int, int]]) -> Tensor:
    """Runs of sequences of the first level, one after the other; of rows where there are no levels."""
    parts = [part_of(lod, begin, end) for begin, end in which]
    levels = [offsets_of([one for lengths, _ in parts for one in lengths[at]]) for at in range(len(lod))]
    return with_lod(with_lod(x, [])[places([span for _, span in parts], x)], levels)


def table_of(op: Operands) -> RankTable:
    table = op.input("RankTable")
    if not isinstance(table, RankTable):
        raise ValueError(f"slot RankTable: expected what lod_rank_table gives, got {type(table).__name__}")
    return table


@operator("lod_rank_table")
def lod_rank_table(op: Operands) -> None:
    _, lod = sequences(op, "X")
    level = op.attr("level")
    if not 0 <= level < len(lod):
        raise ValueError(f"attribute level: expected 0 to {len(lod) - 1}, got {level}")
    items = sorted(enumerate(lengths_of(lod[level])), key=lambda item: -item[1])
    op.set("Out", RankTable(items, lod[:level]))


@operator("max_sequence_len")
def max_sequence_len(op: Operands) -> None:
    op.set("Out", torch.tensor([table_of(op).items[0][1]]))


@operator("lod_tensor_to_array")
def lod_tensor_to_array(op: Operands) -> None:
    """For each step its rows of the sequences that have it; of the sequences of the next level where there is one."""
    (x, lod), table = sequences(op, "X"), table_of(op)
    level = len(table.coarse)
    if level >= len(lod):
        raise ValueError(f"slot X: expected more than {level} levels of detail, got {len(lod)}")
    same_count("X", len(lod[level]) - 1, "RankTable", len(table.items))
    first, inner = lod[level], lod[level + 1 :]
    steps = range(table.items[0][1])
    runs = ([(first[number] + step, first[number] + step + 1) for number in table.longer_than(step)] for step in steps)
    op.set("Out", [gathered(x, inner, some) for some in runs])


@operator("array_to_lod_tensor")
def array_to_lod_tensor(op: Operands) -> None:
    array, table = op.input("X"), table_of(op)
    longest = table.items[0][1]
    if not array or len(array) < longest or any(one is None for one in array[:longest]):
        raise ValueError(f"slot X: expected an array of {longest} tensors, got {len(array)}")
    for step, one in enumerate(array[:longest]):
        count, has = len(table.longer_than(step)), len(lod_of(one)[0]) - 1 if lod_of(one) else one.shape[0]
        same_count("X", has, f"step {step} of RankTable", count)
    ranks = sorted(range(len(table.items)), key=lambda rank: table.items[rank][0])
    taken = [(rank, step) for rank in ranks for step in range(table.items[rank][1])]
    pieces = [part_of(lod_of(array[step]), rank, rank + 1) for rank, step in taken]
    depth = len(lod_of(array[0]))
    inner = [offsets_of([one for lengths, _ in pieces for one in lengths[at]]) for at in range(depth)]
    begins = offsets_of([one.shape[0] for one in array])
    spans = [range(begins[step] + span.start, begins[step] + span.stop) for (_, step), (_, span) in zip(taken, pieces)]
    rows = torch.cat([with_lod(one, []) for one in array])
    level = offsets_of([table.items[rank][1] for rank in ranks])
    op.set("Out", with_lod(rows[places(spans, rows)], [*table.coarse, level, *inner]))


@operator("shrink_rnn_memory")
def shrink_rnn_memory(op: Operands) -> None:
    """The states of the sequences that have a step I."""
    x, count = op.input("X"), len(table_of(op).longer_than(int(op.input("I"))))
    lod = lod_of(x)
    has = len(lod[0]) - 1 if lod else x.shape[0]
    if count > has:
        raise ValueError(f"slot X: expected {count} states at least, got {has}")
    op.set("Out", gathered(x, lod, [(0, count)]))


@operator("shrink_rnn_memory_grad")
def shrink_rnn_memory_grad(op: Operands) -> None:
    """Zeros for those that ended before."""
    x = op.input("X")
    out = torch.zeros_like(x)
    if op.has("Out@GRAD"):
        grad = op.input("Out@GRAD")
        out[: grad.shape[0]] = grad
    op.set("X@GRAD", with_lod(out, lod_of(x)))


@operator("reorder_lod_tensor_by_rank")
def reorder_lod_tensor_by_rank(op: Operands) -> None:
    _reorder(op, [number for number, _ in table_of(op).items])


@operator("reorder_lod_tensor_by_rank_grad")
def reorder_lod_tensor_by_rank_grad(op: Operands) -> None:
    ranks = range(len(table_of(op).items))
    _reorder(op, sorted(ranks, key=lambda rank: table_of(op).items[rank][0]))


def _reorder(op: Operands, order: list[int]) -> None:
    x = op.input("X")
    lod = lod_of(x)
    same_count("X", len(lod[0]) - 1 if lod else x.shape[0], "RankTable", len(order))
    op.set("Out", gathered(x, lod, [(number, number + 1) for number in order]))
