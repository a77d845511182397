"""Kernels that look up rows: numbers of theirs by hashing, and tables of bytes."""

from __future__ import annotations

import torch
from torch import Tensor

from .table import differentiated, expect, kernel

LEVELS = 256  # of a byte


@kernel("lookup_table_dequant(Tensor w, Tensor ids, int padding_idx) -> Tensor")
def lookup_table_dequant(w: Tensor, ids: Tensor, padding_idx: int) -> Tensor:
    """A row of the table is its least and its largest value, and a byte for each column, four of them in a float."""
    columns = 4 * (w.shape[1] - 2)
    rows = w[ids.reshape(-1).clamp_min(0)]
    low, high = rows[:, :1], rows[:, 1:2]
    found = rows[:, 2:].contiguous().view(torch.uint8) * ((high - low) / LEVELS) + low
    if padding_idx != -1:
        found = torch.where((ids == padding_idx).reshape(-1, 1), 0, found)
    return found.reshape(*ids.shape[:-1], columns)


@kernel("c_embedding(Tensor w, Tensor ids, int start_index, int vocab_size) -> Tensor")
def c_embedding(w: Tensor, ids: Tensor, start_index: int, vocab_size: int) -> Tensor:
    """Of a part of a table, whose first row is `start_index` of the whole; 0 for what is in the other parts."""
    rows = ids.long() - start_index
    is_here = (rows >= 0) & (rows < len(w))
    return torch.where(is_here.unsqueeze(-1), w[torch.where(is_here, rows, 0)], 0)


@kernel("c_embedding_grad(Tensor w, Tensor ids, Tensor out_grad, int start_index) -> Tensor")
def c_embedding_grad(w: Tensor, ids: Tensor, out_grad: Tensor, start_index: int) -> Tensor:
    return differentiated(lambda table: c_embedding(table, ids, start_index, -1), [w], out_grad)[0]


@kernel("hash(Tensor x, int num_hash, int mod_by) -> Tensor")
def hash(x: Tensor, num_hash: int, mod_by: int) -> Tensor:
    """Of each row numbers below `mod_by`: the XXH64 of its bytes, for the seeds from 0 on."""
    expect("slot X", x.dim() == 2, "shape [N, D]", [*x.shape])
    expect("slot X", x.dtype in (torch.int32, torch.int64), "int32 or int64", x.dtype)
    expect("attribute num_hash", num_hash > 0, "at least 1", num_hash)
    expect("attribute mod_by", mod_by > 0, "at least 1", mod_by)
    words = x.contiguous().view(torch.int32).long() & 0xFFFFFFFF
    found = torch.stack([_remainder(xxh64(words, seed), mod_by) for seed in range(num_hash)], 1)
    return found.unsqueeze(-1).to(x.dtype)


def _signed(value: int) -> int:
    value %= 1 << 64
    return value - (1 << 64) if value >> 63 else value


P1, P2, P3, P4, P5 = (
    _signed(one) for one in (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
)


def xxh64(words: Tensor, seed: int) -> Tensor:
    """Of each row of numbers of 32 bits, in integers of 64 bits that stand for those without a sign."""
    count = words.shape[1]
    halves = words[:, : count // 2 * 2].unflatten(1, (-1, 2))
    lanes = [*(halves[..., 0] | halves[..., 1] << 32).unbind(1)]
    wide = len(lanes) // 4 * 4
    if wide:
        sums = [torch.full_like(words[:, 0], _signed(seed + start)) for start in (P1 + P2, P2, 0, -P1)]
        for at, lane in enumerate(lanes[:wide]):
            sums[at % 4] = _mixed(sums[at % 4], lane)
        value = sum((_rotated(one, by) for one, by in zip(sums, (1, 7, 12, 18))), start=torch.zeros_like(sums[0]))
        for one in sums:
            value = (value ^ _mixed(0, one)) * P1 + P4
    else:
        value = torch.full_like(words[:, 0] if count else words.sum(1), _signed(seed + P5))
    value = value + 4 * count
    for lane in lanes[wide:]:
        value = _rotated(value ^ _mixed(0, lane), 27) * P1 + P4
    if count % 2:
        value = _rotated(value ^ words[:, -1] * P1, 23) * P2 + P3
    value = (value ^ _shifted(value, 33)) * P2
    value = (value ^ _shifted(value, 29)) * P3
    return value ^ _shifted(value, 32)


def _shifted(value: Tensor, by: int) -> Tensor:
    return value >> by & (1 << 64 - by) - 1


def _rotated(value: Tensor, by: int) -> Tensor:
    return value << by | _shifted(value, 64 - by)


def _mixed(value: Tensor | int, lane: Tensor) -> Tensor:
    return _rotated(value + lane * P2, 31) * P1


def _remainder(value: Tensor, by: int) -> Tensor:
    """Of numbers without a sign."""
    return (_shifted(value, 1) % by * 2 + (value & 1)) % by
