"""The operator `chunk_eval`: how many chunks of sequences of labels are found, as names in a text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import torch

from .._operators import Operands, operator
from .sequences import same_count, sequences

Chunk = tuple[int, int, int]  # first and last place, and type


class Scheme(NamedTuple):
    """How many tags a type has, and what they mean; -1 for those that the scheme has not."""

    tags: int
    begin: int = -1
    inside: int = -1
    end: int = -1
    single: int = -1


SCHEMES = {
    "IOB": Scheme(2, begin=0, inside=1),
    "IOE": Scheme(2, inside=0, end=1),
    "IOBES": Scheme(4, 0, 1, 2, 3),
    "plain": Scheme(1),
}


def chunks_of(labels: Sequence[int], types: int, scheme: Scheme) -> list[Chunk]:
    found: list[Chunk] = []
    begin, before = -1, (-1, types)
    for at, label in enumerate([*labels, types * scheme.tags]):  # behind the last one nothing goes on
        if not 0 <= label <= types * scheme.tags:
            raise ValueError(f"expected labels from 0 to {types * scheme.tags}, got {label}")
        tag, type = label % scheme.tags, label // scheme.tags
        is_other = type == types
        has_ended = (
            is_other or type != before[1] or tag in (scheme.begin, scheme.single) or before[0] in (scheme.end, scheme.single)
        )
        if begin >= 0 and has_ended:
            found.append((begin, at - 1, before[1]))
            begin = -1
        if begin < 0 and not is_other:
            begin = at
        before = tag, type
    return found


@operator("chunk_eval")
def chunk_eval(op: Operands) -> None:
    types, name, excluded = op.attr("num_chunk_types"), op.attr("chunk_scheme"), op.attr("excluded_chunk_types")
    scheme = SCHEMES.get(name)
    if scheme is None:
        raise ValueError(f"attribute chunk_scheme: expected {', '.join(SCHEMES)}, got {name!r}")
    counts = [0, 0, 0]
    for inferred, labels in zip(*(_parts(op, slot) for slot in ("Inference", "Label"))):
        same_count("Inference", len(inferred), "Label", len(labels))
        some = [{one for one in chunks_of(given, types, scheme) if one[2] not in excluded} for given in (inferred, labels)]
        for index, one in enumerate((*some, some[0] & some[1])):
            counts[index] += len(one)
    found, there, right = counts
    precision, recall = right / found if found else 0.0, right / there if there else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    for slot, value in {"Precision": precision, "Recall": recall, "F1-Score": f1}.items():
        op.set(slot, torch.tensor([value], dtype=torch.float32))
    for slot, number in {"NumInferChunks": found, "NumLabelChunks": there, "NumCorrectChunks": right}.items():
        op.set(slot, torch.tensor([number]))


def _parts(op: Operands, slot: str) -> list[list[int]]:
    """The labels of each sequence: rows as long as SeqLength says, or what levels of detail tell."""
    if not op.has("SeqLength"):
        x, lod = sequences(op, slot)
        labels = x.flatten().tolist()
        return [labels[begin:end] for begin, end in pairwise(lod[-1])]
    lengths, x = op.input("SeqLength").flatten().tolist(), op.input(slot)
    rows = x.reshape(x.shape[0], -1).tolist()
    same_count(slot, len(rows), "SeqLength", len(lengths))
    return [row[:length] for row, length in zip(rows, lengths)]
