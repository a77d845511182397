"""Operators that change which rows sequences have: their order, number and levels of detail."""

from __future__ import annotations

import torch
from torch import Tensor

from ... import ops as phi
from .._differentiable import differentiable
from .._lod_rules import LOD_FORMS
from .._operators import Operands, operator
from ..description import DTYPES
from ..kernels.table import with_size_of
from ..lod import check_lod, lengths_of, lod_of, offsets_of, with_lod
from .sequences import coarsest, numbers, places, required, same_count, sequences, spans_of


@operator("lod_reset")
def lod_reset(op: Operands) -> None:
    """The levels of `Y`, or offsets that it or `target_lod` holds; with `append` these are one level more."""
    x = op.input("X")
    if op.has("Y") and lod_of(op.input("Y")):
        lod = lod_of(op.input("Y"))
    else:
        level = op.input("Y").reshape(-1).tolist() if op.has("Y") else op.attr("target_lod")
        check_lod([level], x.shape[0])
        lod = [*lod_of(x), level] if op.attr("append") else [level]
    op.set("Out", with_lod(torch.clone(x), lod))


@operator("lod_reset_grad")
def lod_reset_grad(op: Operands) -> None:
    op.set("X@GRAD", with_lod(torch.clone(op.input("Out@GRAD")), lod_of(op.input("X"))))


@differentiable("sequence_concat")
def sequence_concat(op: Operands) -> None:
    """The first sequences of all tensors, then the second ones, and so on."""
    lods = [lod_of(one) for one in op.inputs("X")]
    if not lods or any(len(lod) != 1 for lod in lods):
        raise ValueError(f"slot X: expected LoDTensors with one level of detail, got {[*map(len, lods)]} levels")
    for one, lod in zip(op.inputs("X"), lods):
        check_lod(lod, one.shape[0])
        same_count("X", len(lod[0]) - 1, "the first tensor", len(lods[0][0]) - 1)
    parts = [one.split(lengths_of(lod[0])) for one, lod in zip(op.inputs("X"), lods)]
    lengths = [sum(map(len, some)) for some in zip(*parts)]
    op.set("Out", with_lod(torch.cat([part for some in zip(*parts) for part in some]), [offsets_of(lengths)]))


@differentiable("sequence_expand")
def sequence_expand(op: Operands) -> None:
    """Each sequence of X, or each row of a tensor without levels, as often as a sequence of Y is long."""
    _, of = sequences(op, "Y")
    level = op.attr("ref_level")
    if not -1 <= level < len(of):
        raise ValueError(f"attribute ref_level: expected -1 to {len(of) - 1}, got {level}")
    times = lengths_of(of[level])
    x = op.input("X")
    if lod_of(x):
        x, lod = sequences(op, "X", most=1)
        spans = spans_of(lod[0])
    else:
        lod, spans = [], [range(at, at + 1) for at in range(x.shape[0])]
    same_count("X", len(spans), "Y", len(times))
    repeated = [span for span, count in zip(spans, times) for _ in range(count)]
    op.set("Out", with_lod(x[places(repeated, x)], [offsets_of([*map(len, repeated)])] if lod else []))


@differentiable("sequence_expand_as")
def sequence_expand_as(op: Operands) -> None:
    """Each row as often as a sequence of Y is long."""
    x, (_, lod) = op.input("X"), sequences(op, "Y", most=1)
    same_count("X", x.shape[0], "Y", len(lod[0]) - 1)
    times = torch.tensor(lengths_of(lod[0]), device=x.device)
    op.set("Out", with_lod(torch.repeat_interleave(x, times, 0), lod))


@differentiable("sequence_pad")
def sequence_pad(op: Operands) -> None:
    """Sequences as a batch of shape [sequences, steps, ...]; `PadValue` is a number, or a row. The gradient has none."""
    x, lod = sequences(op, "X")
    if x.dim() < 2:
        raise ValueError(f"slot X: expected two dimensions at least, got shape {[*x.shape]}")
    lengths = lengths_of(coarsest(lod))
    longest, steps = max(lengths), op.attr("padded_length")
    if steps != -1 and steps < longest:
        raise ValueError(f"attribute padded_length: expected -1 or {longest} at least, got {steps}")
    steps = longest if steps == -1 else steps
    pad = op.input("PadValue") if op.has("PadValue") else x.new_zeros(1)
    if pad.numel() != 1 and [*pad.shape] != [*x.shape[1:]]:
        raise ValueError(f"slot PadValue: expected one element or shape {[*x.shape[1:]]}, got {[*pad.shape]}")
    if pad.dtype != x.dtype:
        raise ValueError(f"slot PadValue: expected {x.dtype}, got {pad.dtype}")
    out = pad.reshape([1] * x.dim() if pad.numel() == 1 else [1, *x.shape[1:]]).expand(len(lengths) * steps, *x.shape[1:])
    at = places([range(row * steps, row * steps + length) for row, length in enumerate(lengths)], x)
    op.set("Out", out.index_copy(0, at, x).reshape(len(lengths), steps, *x.shape[1:]))
    op.set("Length", torch.tensor(lengths, dtype=torch.int64, device=x.device))


@operator("sequence_unpad")
def sequence_unpad(op: Operands) -> None:
    x = op.input("X")
    if x.dim() < 2:
        raise ValueError(f"slot X: expected two dimensions at least, got shape {[*x.shape]}")
    lengths, steps = numbers(op, "Length", x.shape[0]), x.shape[1]
    if any(not 0 <= length <= steps for length in lengths):
        raise ValueError(f"slot Length: expected lengths from 0 to {steps}, got {lengths}")
    at = places([range(row * steps, row * steps + length) for row, length in enumerate(lengths)], x)
    op.set("Out", with_lod(x.reshape(-1, *(x.shape[2:] or [1]))[at], [offsets_of(lengths)]))


@operator("sequence_unpad_grad")
def sequence_unpad_grad(op: Operands) -> None:
    x, (grad, lod) = op.input("X"), sequences(op, "Out@GRAD", most=1)
    same_count("Out@GRAD", len(lod[0]) - 1, "X", x.shape[0])
    at = places([range(row * x.shape[1], row * x.shape[1] + length) for row, length in enumerate(lengths_of(lod[0]))], x)
    rows = grad.new_zeros(x.shape[0] * x.shape[1], *grad.shape[1:])
    op.set("X@GRAD", rows.index_copy(0, at, grad).reshape(x.shape))


@differentiable("sequence_reshape")
def sequence_reshape(op: Operands) -> None:
    """Rows of another width; sequences keep their elements."""
    x, lod = sequences(op, "X", most=1)
    width, old = required(op, "new_dim"), x.shape[-1]
    if x.dim() != 2:
        raise ValueError(f"slot X: expected shape [N, D], got {[*x.shape]}")
    if width < 1 or any(offset * old % width for offset in lod[0]):
        what = f"got {width} for {old} columns and {lengths_of(lod[0])} rows"
        raise ValueError(f"attribute new_dim: expected a divisor of the elements of each sequence, {what}")
    op.set("Out", with_lod(x.reshape(-1, width), [[offset * old // width for offset in lod[0]]]))


@operator("sequence_reverse")
def sequence_reverse(op: Operands) -> None:
    x, lod = sequences(op, "X", most=1)
    op.set("Y", with_lod(x[places([span[::-1] for span in spans_of(lod[0])], x)], lod))


@differentiable("sequence_slice")
def sequence_slice(op: Operands) -> None:
    x, lod = sequences(op, "X", most=1)
    spans = spans_of(lod[0])
    begins, lengths = (numbers(op, slot, len(spans)) for slot in ("Offset", "Length"))
    for span, begin, length in zip(spans, begins, lengths):
        if begin < 0 or length < 0 or begin + length > len(span):
            raise ValueError(f"slots Offset and Length: expected rows of a sequence with {len(span)}, got {begin} and {length}")
    parts = [span[begin : begin + length] for span, begin, length in zip(spans, begins, lengths)]
    op.set("Out", with_lod(x[places(parts, x)], [offsets_of(lengths)]))


@operator("sequence_erase")
def sequence_erase(op: Operands) -> None:
    """Without the rows that are one of `tokens`."""
    x, lod = sequences(op, "X")
    if x.numel() != x.shape[0]:
        raise ValueError(f"slot X: expected shape [N] or [N, 1], got {[*x.shape]}")
    tokens = torch.tensor(required(op, "tokens"), dtype=x.dtype, device=x.device)
    kept = ~torch.isin(x.reshape(-1), tokens)
    lengths = [int(part.sum()) for part in kept.split(lengths_of(lod[-1]))]
    op.set("Out", with_lod(x[kept], [*lod[:-1], offsets_of(lengths)]))


@operator("sequence_scatter")
def sequence_scatter(op: Operands) -> None:
    """Adds the elements of a sequence of `Updates` to a row of X, at the columns that a sequence of `Ids` names."""
    x, updates = op.input("X"), op.input("Updates")
    rows, ids = _elements(op, x)
    if len(ids) != updates.numel():
        raise ValueError(f"slot Updates: expected {len(ids)} elements, as many as Ids has, got shape {[*updates.shape]}")
    op.set("Out", with_lod(torch.index_put(x, (rows, ids), updates.reshape(-1), accumulate=True), lod_of(x)))


@operator("sequence_scatter_grad")
def sequence_scatter_grad(op: Operands) -> None:
    grad, updates = op.input("Out@GRAD"), op.input("Updates")
    rows, ids = _elements(op, grad)
    op.set("X@GRAD", with_lod(torch.clone(grad), lod_of(grad)))
    op.set("Updates@GRAD", with_lod(with_lod(grad, [])[rows, ids].reshape(updates.shape), lod_of(updates)))


def _fill_constant_batch_size_like(op: Operands) -> None:
    """A batch is the number of the finest sequences."""
    x, at, into = op.input("Input"), op.attr("input_dim_idx"), op.attr("output_dim_idx")
    shape = with_size_of(x, op.attr("shape"), at, into)
    if at == 0:
        shape[into] = len(lod_of(x)[-1]) - 1
    value = float(op.attr("str_value") or op.attr("value"))
    op.set("Out", phi.full(shape, value, DTYPES[op.attr("dtype")], x.device))


LOD_FORMS["fill_constant_batch_size_like"] = _fill_constant_batch_size_like


def _elements(op: Operands, x: Tensor) -> tuple[Tensor, Tensor]:
    """The rows and columns of x that the sequences of `Ids` name."""
    ids, lod = sequences(op, "Ids", most=1)
    same_count("Ids", len(lod[0]) - 1, "X", x.shape[0])
    if ids.numel() and not 0 <= int(ids.min()) <= int(ids.max()) < x.shape[1]:
        raise ValueError(f"slot Ids: expected columns from 0 to {x.shape[1] - 1}, got {int(ids.min())} to {int(ids.max())}")
    return places([[row] * len(span) for row, span in enumerate(spans_of(lod[0]))], x), ids.reshape(-1).long()
