"""Operators that compute on sequences: on the rows that levels of detail hold together."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor

from .._differentiable import differentiable
from .._operators import Operands, operator
from ..lod import Lod, check_lod, lengths_of, lod_of, offsets_of, with_lod


def sequences(op: Operands, slot: str, *, most: int = 1 << 30) -> tuple[Tensor, Lod]:
    """The rows of a slot as a plain tensor, and its levels, of which there may be `most`.

    Raises:
        ValueError: it has no levels, too many, or they are not those of its rows.
    """
    value = op.input(slot)
    lod = lod_of(value)
    if not lod:
        raise ValueError(f"slot {slot}: expected a LoDTensor, got a tensor without levels of detail")
    if len(lod) > most:
        raise ValueError(f"slot {slot}: expected a level of detail, got {len(lod)}")
    try:
        check_lod(lod, value.shape[0])
    except ValueError as error:
        raise ValueError(f"slot {slot}: {error}") from None
    return with_lod(value, []), lod


def places(spans: Iterable[Iterable[int]], like: Tensor) -> Tensor:
    """The indices of all spans, one after the other."""
    return torch.tensor([at for span in spans for at in span], dtype=torch.int64, device=like.device)


def coarsest(lod: Lod) -> list[int]:
    """The rows that the sequences of the first level begin at."""
    offsets = lod[-1]
    for level in reversed(lod[:-1]):
        offsets = [offsets[at] for at in level]
    return offsets


def spans_of(offsets: list[int]) -> list[range]:
    return [range(low, high) for low, high in pairwise(offsets)]


def same_count(slot: str, got: int, of: str, expected: int) -> None:
    if got != expected:
        raise ValueError(f"slot {slot}: expected {expected} sequences, as many as {of} has, got {got}")


def numbers(op: Operands, slot: str, count: int) -> list[int]:
    """One integer for each sequence."""
    found = op.input(slot).reshape(-1).tolist()
    same_count(slot, len(found), "X", count)
    return found  # type: ignore[no-any-return]


def required(op: Operands, name: str) -> Any:
    """An attribute without a default."""
    value = op.attr(name)
    if value is None:
        raise ValueError(f"attribute {name}: it is missing")
    return value


# ---- a number or a distribution for each sequence


@differentiable("sequence_pool")
def sequence_pool(op: Operands) -> None:
    """A sequence without rows gives `pad_value`."""
    x, lod = sequences(op, "X", most=2)
    offsets, kind = lod[-1], op.attr("pooltype")
    spans, lengths = spans_of(offsets), lengths_of(offsets)
    full = [at for at, length in enumerate(lengths) if length]
    if kind == "MAX":
        found, index = _largest(x, spans, full)
        op.set("MaxIndex", index)
    elif kind in ("FIRST", "LAST"):
        found = x[[spans[at][0 if kind == "FIRST" else -1] for at in full]]
    elif kind in ("SUM", "AVERAGE", "SQRT"):
        of = torch.repeat_interleave(torch.arange(len(spans), device=x.device), torch.tensor(lengths, device=x.device))
        found = x.new_zeros(len(spans), *x.shape[1:]).index_add(0, of, x)[full]
        power = {"SUM": 0.0, "AVERAGE": 1.0, "SQRT": 0.5}[kind]
        by = [float(lengths[at]) ** power for at in full]
        found = found / torch.tensor(by, dtype=x.dtype, device=x.device).reshape(-1, *[1] * (x.dim() - 1))
    else:
        raise ValueError(f"attribute pooltype: expected AVERAGE, SUM, SQRT, MAX, LAST or FIRST, got {kind!r}")
    out = x.new_full((len(spans), *x.shape[1:]), op.attr("pad_value"))
    op.set("Out", with_lod(out.index_copy(0, torch.tensor(full, dtype=torch.int64, device=x.device), found), lod[:-1]))


def _largest(x: Tensor, spans: list[range], full: list[int]) -> tuple[Tensor, Tensor]:
    """The largest rows of the sequences that have rows, and where each element is from, -1 in other sequences."""
    index = torch.full((len(spans), *x.shape[1:]), -1, dtype=torch.int32, device=x.device)
    if not full:
        return x[:0], index
    at = torch.stack([x.detach()[spans[one].start : spans[one].stop].argmax(0) + spans[one].start for one in full])
    index[full] = at.to(torch.int32)
    return x.gather(0, at), index


@differentiable("sequence_softmax")
def sequence_softmax(op: Operands) -> None:
    x, lod = sequences(op, "X")
    if x.numel() != x.shape[0]:
        raise ValueError(f"slot X: expected shape [N] or [N, 1], got {[*x.shape]}")
    parts = [torch.softmax(part, 0) for part in x.split(lengths_of(lod[-1]))]
    op.set("Out", with_lod(torch.cat(parts), lod))


# ---- windows of rows


@differentiable("sequence_conv")
def sequence_conv(op: Operands) -> None:
    """Rows before and behind a sequence are zeros, or those of `PaddingData`: first those before it, then those behind it."""
    x, lod = sequences(op, "X", most=1)
    start, length = op.attr("contextStart"), required(op, "contextLength")
    if op.attr("contextStride") != 1:
        raise ValueError(f"attribute contextStride: expected 1, got {op.attr('contextStride')}")
    if length < 1:
        raise ValueError(f"attribute contextLength: expected 1 at least, got {length}")
    before, behind = max(0, -start), max(0, start + length - 1)
    if op.attr("paddingTrainable"):
        padding = op.input("PaddingData")
        if [*padding.shape] != [before + behind, x.shape[1]]:
            raise ValueError(f"slot PaddingData: expected shape {[before + behind, x.shape[1]]}, got {[*padding.shape]}")
    else:
        padding = x.new_zeros(before + behind, x.shape[1])
    if [*op.input("Filter").shape[:1]] != [length * x.shape[1]]:
        raise ValueError(f"slot Filter: expected {length * x.shape[1]} rows, got shape {[*op.input('Filter').shape]}")
    rows = torch.cat([x, padding])

    def place(at: int, span: range) -> int:
        """The row of x, or behind them that of the padding."""
        if at < span.start:
            return len(x) + before + at - span.start
        return at if at < span.stop else len(x) + before + at - span.stop

    windows = ([place(at + start + step, span) for step in range(length)] for span in spans_of(lod[-1]) for at in span)
    context = rows[places(windows, x)].reshape(len(x), length * x.shape[1])
    op.set("Out", with_lod(context @ op.input("Filter"), lod))


@differentiable("row_conv")
def row_conv(op: Operands) -> None:
    """Of sequences, or of a batch of shape [B, T, D]."""
    value, weight = op.input("X"), op.input("Filter")
    if lod_of(value):
        x, lod = sequences(op, "X", most=1)
        op.set("Out", with_lod(torch.cat([_row_conv(part, weight) for part in x.split(lengths_of(lod[-1]))]), lod))
    elif value.dim() == 3:
        op.set("Out", _row_conv(value.transpose(0, 1), weight).transpose(0, 1))
    else:
        raise ValueError(f"slot X: expected a LoDTensor or shape [B, T, D], got shape {[*value.shape]}")


def _row_conv(x: Tensor, weight: Tensor) -> Tensor:
    """Of the rows of the first dimension: each one and those after it, times rows of the weight."""
    if x.shape[-1] != weight.shape[-1]:
        raise ValueError(f"slot Filter: expected {x.shape[-1]} columns, got shape {[*weight.shape]}")
    out = x * weight[0]
    for step in range(1, min(len(weight), len(x))):
        out = out + torch.cat([x[step:] * weight[step], x.new_zeros(step, *x.shape[1:])])
    return out


@differentiable("var_conv_2d")
def var_conv_2d(op: Operands) -> None:
    """Of images of several sizes, whose elements are sequences; ROW and COLUMN have as many rows as an image has, and columns."""
    (x, lod), (_, rows), (_, columns) = (sequences(op, slot, most=1) for slot in ("X", "ROW", "COLUMN"))
    high, wide, down, right = (int(op.attr(f"{name}{side}")) for name in ("Kernel", "Stride") for side in "HW")
    channels, weight, parts = op.attr("InputChannel"), op.input("W"), []
    sizes = [(channels, height, width) for height, width in zip(lengths_of(rows[0]), lengths_of(columns[0]))]
    if lengths_of(lod[0]) != [math.prod(size) for size in sizes]:
        raise ValueError(f"slot X: expected a sequence for each of the images {sizes}, got the lengths {lengths_of(lod[0])}")
    for image, size in zip(x.reshape(-1).split(lengths_of(lod[0])), sizes):
        if not image.numel():
            parts.append(x.new_zeros(weight.shape[1], 0))
            continue
        sides = (wide // 2, wide - 1 - wide // 2, high // 2, high - 1 - high // 2)
        padded = torch.nn.functional.pad(image.reshape(1, *size), sides)
        parts.append(torch.nn.functional.unfold(padded, (high, wide), stride=(down, right))[0])
    for slot, found in (("Out", [weight @ part for part in parts]), ("Col", parts)):
        levels = [offsets_of([one.numel() for one in found])]
        op.set(slot, with_lod(torch.cat([one.reshape(-1) for one in found]).reshape(-1, 1), levels))


@operator("sequence_enumerate")
def sequence_enumerate(op: Operands) -> None:
    x, lod = sequences(op, "X", most=1)
    if x.numel() != x.shape[0]:
        raise ValueError(f"slot X: expected shape [N] or [N, 1], got {[*x.shape]}")
    size = required(op, "win_size")
    if size < 2:
        raise ValueError(f"attribute win_size: expected 2 at least, got {size}")
    padded = torch.cat([x.reshape(-1), x.new_full((1,), op.attr("pad_value"))])
    spans = spans_of(lod[-1])
    windows = ([at + step if at + step < span.stop else len(x) for step in range(size)] for span in spans for at in span)
    op.set("Out", with_lod(padded[places(windows, x)].reshape(len(x), size), lod))


@differentiable("im2sequence")
def im2sequence(op: Operands) -> None:
    """A sequence of patches for each image; `Y` holds, for several images, their sizes before they were padded to one size."""
    x, kernel, stride = op.input("X"), required(op, "kernels"), op.attr("strides")
    up, left, down, right = op.attr("paddings")
    if x.dim() != 4:
        raise ValueError(f"slot X: expected shape [N, C, H, W], got {[*x.shape]}")
    sizes = [tuple(x.shape[2:])] * len(x)
    if op.has("Y") and len(x) > 1:
        scale = op.attr("out_stride")
        sizes = [tuple(-(-int(size) // one) for size, one in zip(row, scale)) for row in op.input("Y").tolist()]
        same_count("Y", len(sizes), "X", len(x))
    counts = [
        tuple(-(-(size + pads - k) // step) + 1 for size, pads, k, step in zip(one, (up + down, left + right), kernel, stride))
        for one in sizes
    ]
    # an image that was larger is 0 beyond what there is of it
    ends = [max(0, max((n - 1) * step for n in all) + k) for all, step, k in zip(zip(*counts), stride, kernel)]
    below, beside = (max(pad, end - before - has) for pad, end, before, has in zip((down, right), ends, (up, left), x.shape[2:]))
    padded = torch.nn.functional.pad(with_lod(x, []), (left, beside, up, below))
    windows = padded.unfold(2, kernel[0], stride[0]).unfold(3, kernel[1], stride[1])
    out, lengths = [], []
    for image, (rows, columns) in zip(windows, counts):
        out.append(image[:, :rows, :columns].permute(1, 2, 0, 3, 4).reshape(rows * columns, -1))
        lengths.append(rows * columns)
    op.set("Out", with_lod(torch.cat(out), [offsets_of(lengths)]))


@operator("add_position_encoding_grad")
def add_position_encoding_grad(op: Operands) -> None:
    grad = op.input("Out@GRAD")
    op.set("X@GRAD", with_lod(torch.mul(grad, op.attr("alpha")), lod_of(grad)))


@operator("add_position_encoding")
def add_position_encoding(op: Operands) -> None:
    """Of a batch of shape [B, T, D], or of sequences of rows."""
    x, half = op.input("X"), op.input("X").shape[-1] // 2
    if x.shape[-1] % 2 or not half:
        raise ValueError(f"slot X: expected an even last dimension, got shape {[*x.shape]}")
    if lod_of(x):
        x, lod = sequences(op, "X", most=1)
        at = places([range(length) for length in lengths_of(lod[-1])], x)
    elif x.dim() == 3:
        lod, at = [], torch.arange(x.shape[1], device=x.device)
    else:
        raise ValueError(f"slot X: expected a LoDTensor or shape [B, T, D], got shape {[*x.shape]}")
    scale = 10000.0 ** (torch.arange(half, dtype=x.dtype, device=x.device) / max(half - 1, 1)) if half > 1 else 10000.0
    angle = at.to(x.dtype).unsqueeze(-1) / scale
    encoding = torch.cat([angle.sin(), angle.cos()], -1)
    op.set("Out", with_lod(x * op.attr("alpha") + encoding * op.attr("beta"), lod))
