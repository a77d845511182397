"""Search for the likeliest sequences: candidates of a step, and the sentences that they are in the end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor

from .._operators import Operands, operator
from ..lod import Lod, lod_of, offsets_of, with_lod
from .sequences import sequences


class Candidate(NamedTuple):
    """Ordered as the search orders them: by score, then by the prefix that it goes on from."""

    score: float
    prefix: int
    id: int

    def is_below(self, other: Candidate) -> bool:
        return self[:2] < other[:2]


def insert(best: list[Candidate], one: Candidate, count: int) -> None:
    """Puts a candidate among the best ones, in falling order; among equal ones it is the last, and the last of so many goes."""
    if len(best) == count:
        if one.is_below(best[-1]):
            return
        best.pop()
    at = len(best)
    while at and best[at - 1].is_below(one):
        at -= 1
    best.insert(at, one)


def rows_of_level(lod: Lod, level: int) -> list[int]:
    """Where the sequences of a level begin, in rows."""
    offsets = lod[level]
    for finer in lod[level + 1 :]:
        offsets = [finer[offset] for offset in offsets]
    return offsets


@operator("beam_search")
def beam_search(op: Operands) -> None:
    """The candidates of each sequence that go on, in the order of their prefixes; none of one whose prefixes have all ended."""
    scores, lod = sequences(op, "scores")
    level, size, end = op.attr("level"), op.attr("beam_size"), op.attr("end_id")
    if not 0 <= level < len(lod):
        raise ValueError(f"attribute level: expected 0 to {len(lod) - 1}, got {level}")
    if size < 1:
        raise ValueError(f"attribute beam_size: expected a number above 0, got {size}")
    offsets = rows_of_level(lod, level)
    before = [op.input(slot).flatten().tolist() for slot in ("pre_ids", "pre_scores")]
    wide = scores.reshape(scores.shape[0], -1)
    ids = op.input("ids").reshape(wide.shape).tolist() if op.has("ids") else [list(range(wide.shape[1]))] * wide.shape[0]
    for slot, one in zip(("pre_ids", "pre_scores"), before):
        if len(one) != wide.shape[0]:
            raise ValueError(f"slot {slot}: expected {wide.shape[0]} numbers, as many as scores has rows, got {len(one)}")
    if not op.attr("is_accumulated"):
        wide = op.input("pre_scores").reshape(-1, 1) + wide.log()
    chosen: list[list[Candidate]] = [[] for _ in range(offsets[-1])]
    for begin, stop in pairwise(offsets):
        best: list[Candidate] = []
        for row in range(begin, stop):
            if before[0][row] == end:
                insert(best, Candidate(before[1][row], row, end), size)
                continue
            for score, id in zip(wide[row].tolist(), ids[row]):
                insert(best, Candidate(score, row, id), size)
        if any(one.id != end or before[0][one.prefix] != end for one in best):
            for one in best:
                chosen[one.prefix].append(one)
    found = [one for some in chosen for one in some]
    levels = [offsets, offsets_of([len(some) for some in chosen])]
    op.set("selected_ids", with_lod(torch.tensor([one.id for one in found], dtype=torch.int64).reshape(-1, 1), levels))
    op.set("selected_scores", with_lod(scores.new_tensor([one.score for one in found]).reshape(-1, 1), levels))
    op.set("parent_idx", torch.tensor([one.prefix for one in found], dtype=torch.int32))


class Sentence(NamedTuple):
    """Its words and the scores of its parts, the last ones first."""

    ids: list[int]
    scores: list[float]


@operator("beam_search_decode")
def beam_search_decode(op: Operands) -> None:
    """The sentences of each sequence, the likeliest first, from what `beam_search` gave in each step."""
    steps, scores = op.array("Ids"), op.array("Scores")
    if not steps or len(steps) != len(scores) or any(len(lod_of(one)) != 2 for one in steps):
        raise ValueError(f"slot Ids: expected tensors with two levels of detail, one for each of {len(scores)} scores")
    count = len(lod_of(steps[0])[0]) - 1
    sentences = [_traced(steps, scores, number, op.attr("beam_size"), op.attr("end_id")) for number in range(count)]
    flat = [one for some in sentences for one in some]
    levels = [offsets_of([len(some) for some in sentences]), offsets_of([len(one.ids) for one in flat])]
    op.set("SentenceIds", with_lod(torch.tensor([id for one in flat for id in one.ids[::-1]], dtype=torch.int64), levels))
    op.set("SentenceScores", with_lod(scores[0].new_tensor([score for one in flat for score in one.scores[::-1]]), levels))


def _traced(steps: Sequence[Tensor], scores: Sequence[Tensor], number: int, size: int, end: int) -> list[Sentence]:
    """The sentences of a sequence, from the step in which it ended back to the first."""
    found = [Sentence([], []) for _ in range(size)]
    rows: list[int] = []  # of this step, that each sentence goes through
    for ids, numbers in zip(reversed(steps), reversed(scores)):
        (coarse, fine), words, values = lod_of(ids), ids.flatten().tolist(), numbers.flatten().tolist()
        prefixes = range(coarse[number], coarse[number + 1])
        is_last = not rows
        if is_last:
            rows = list(range(fine[prefixes.start], fine[prefixes.stop]))
            if len(rows) > size:
                raise ValueError(f"attribute beam_size: expected as many as a step chose, {len(rows)} at least, got {size}")
        for sentence, row in zip(found, rows):
            if is_last or words[row] != end or not sentence.ids:
                sentence.ids.append(words[row])
                sentence.scores.append(values[row])
        rows = [next(prefix for prefix in prefixes if row < fine[prefix + 1]) for row in rows]
    return sorted(found, key=lambda one: -(one.scores[0] if one.scores else -math.inf))
