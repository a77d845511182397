"""Operators that Paddle's passes put in the place of several that compute on sequences: most run these, without gradients."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from .._operators import OPERATORS, Operands, OperatorFunction, no_block, operator
from ..description import Attribute, OpDesc
from ..kernels.tensors import cvm
from ..lod import lengths_of, lod_of, with_lod
from .sequences import sequences

_ACTIVATIONS = {"identity": torch.clone, "relu": torch.relu, "sigmoid": torch.sigmoid, "tanh": torch.tanh}


def _part(op: Operands, type: str, *outputs: str, **inputs: Any) -> tuple[Tensor, ...]:
    """What an operator gives that has the attributes of the one it is a part of; inputs that are None are left out."""
    values = {slot: value for slot, value in inputs.items() if value is not None}
    part = OpDesc(type, {slot: [slot] for slot in values}, {slot: [f"{slot} of {type}"] for slot in outputs}, op.op.attrs)
    OPERATORS[type](Operands(part, values, str, no_block))
    return tuple(values[f"{slot} of {type}"] for slot in outputs)


def _optional(op: Operands, *slots: str) -> dict[str, Tensor]:
    return {slot: op.input(slot) for slot in slots if op.has(slot)}


def _in_float32(function: OperatorFunction) -> OperatorFunction:
    """Of bfloat16 oneDNN computes the states in float32, with weights of either, and gives the type that X has."""

    def run(op: Operands) -> None:
        x = op.input("X")
        if x.dtype != torch.bfloat16:
            return function(op)
        wide = {slot: with_lod(op.input(slot).float(), lod_of(op.input(slot))) for slot in op.op.inputs if op.has(slot)}
        read = Operands(OpDesc(op.op.type, {slot: [slot] for slot in wide}, op.op.outputs, op.op.attrs), wide, str, no_block)
        function(read)
        dtype = torch.float32 if op.attr("force_fp32_output", False) else x.dtype
        for slot, names in op.op.outputs.items():
            if names and names[0] in wide:
                op.set(slot, with_lod(wide[names[0]].to(dtype), lod_of(wide[names[0]])))

    return run


def _projected(op: Operands) -> Tensor:
    x, lod = sequences(op, "X", most=1)
    weight = op.input("WeightX")
    if x.shape[1:] != weight.shape[:1]:
        raise ValueError(f"slot WeightX: expected as many rows as X has columns, got shapes {[*weight.shape]} and {[*x.shape]}")
    return with_lod(x @ weight, lod)


@operator("fusion_gru")
@_in_float32
def fusion_gru(op: Operands) -> None:
    """Of Paddle's two kernels for the CPU that of oneDNN alone reads `origin_mode`."""
    is_onednn = op.attr("use_mkldnn", False) or op.attr("use_onednn", False)
    attrs = {name: one for name, one in op.op.attrs.items() if is_onednn or name != "origin_mode"}
    read = Operands(OpDesc(op.op.type, op.op.inputs, op.op.outputs, attrs), op.values, op.place, no_block)
    (hidden,) = _part(read, "gru", "Hidden", Input=_projected(op), Weight=op.input("WeightH"), **_optional(op, "Bias", "H0"))
    op.set("Hidden", hidden)


@operator("multi_gru")
def multi_gru(op: Operands) -> None:
    """Layers of two `fusion_gru` each, of which the second begins at the end, beside each other."""
    x, lod = sequences(op, "X", most=1)
    weights, biases, layers = [*zip(op.inputs("WeightX"), op.inputs("WeightH"))], op.inputs("Bias"), op.attr("layers")
    if len(weights) != 2 * layers or len(biases) not in (0, 2 * layers):
        raise ValueError(
            f"slots WeightX, WeightH and Bias: expected {2 * layers} for {layers} layers, got {len(weights)} and {len(biases)}"
        )
    for first in range(0, 2 * layers, 2):
        sides = [
            _side(op, with_lod(x @ weights[at][0], lod), weights[at][1], biases[at] if biases else None, is_back=at > first)
            for at in (first, first + 1)
        ]
        x = torch.cat(sides, 1)
    op.set("Hidden", with_lod(x, lod))


def _side(op: Operands, rows: Tensor, weight: Tensor, bias: Tensor | None, *, is_back: bool) -> Tensor:
    attrs = {**op.op.attrs, "is_reverse": Attribute("BOOLEAN", is_back)}
    one = Operands(OpDesc(op.op.type, op.op.inputs, op.op.outputs, attrs), op.values, op.place, no_block)
    return with_lod(_part(one, "gru", "Hidden", Input=rows, Weight=weight, Bias=bias)[0], [])


def _lstm(op: Operands, rows: Tensor, bias: Tensor) -> None:
    first = _optional(op, "H0", "C0")
    hidden, cell = _part(op, "lstm", "Hidden", "Cell", Input=rows, Weight=op.input("WeightH"), Bias=bias, **first)
    op.set("Hidden", hidden)
    op.set("Cell", cell)


@operator("fusion_lstm")
@_in_float32
def fusion_lstm(op: Operands) -> None:
    _lstm(op, _projected(op), op.input("Bias"))


@operator("fused_embedding_fc_lstm")
def fused_embedding_fc_lstm(op: Operands) -> None:
    """Rows of the table are what the gates read, with the bias; of the slot Bias the peepholes alone are read."""
    ids, lod = sequences(op, "Ids", most=1)
    table, bias = op.input("Embeddings"), op.input("Bias").clone()
    bias[:, : table.shape[1]] = 0
    _lstm(op, with_lod(table[ids.reshape(-1)], lod), bias)


@operator("fusion_seqconv_eltadd_relu")
def fusion_seqconv_eltadd_relu(op: Operands) -> None:
    (found,) = _part(op, "sequence_conv", "Out", X=op.input("X"), Filter=op.input("Filter"))
    op.set("Out", with_lod(torch.relu(found + op.input("Bias").reshape(1, -1)), lod_of(found)))


@operator("fusion_seqpool_concat")
def fusion_seqpool_concat(op: Operands) -> None:
    """A row for each sequence, of which Paddle makes a sequence."""
    _set_rows(op, _pooled(op))


@operator("fusion_seqpool_cvm_concat")
def fusion_seqpool_cvm_concat(op: Operands) -> None:
    """The first two columns of each input are counts of shows and clicks, of which Paddle takes the logarithms even without
    `use_cvm`; of the slot CVM it reads nothing.
    """
    _set_rows(op, [cvm(one, one, use_cvm=True) for one in _pooled(op)])


def _pooled(op: Operands) -> list[Tensor]:
    if op.attr("axis") != 1:
        raise ValueError(f"attribute axis: expected 1, got {op.attr('axis')}")
    if op.attr("pooltype") not in ("SUM", "AVERAGE", "SQRT"):
        raise ValueError(f"attribute pooltype: expected SUM, AVERAGE or SQRT, got {op.attr('pooltype')!r}")
    return [_part(op, "sequence_pool", "Out", X=one)[0] for one in op.inputs("X")]


def _set_rows(op: Operands, parts: list[Tensor]) -> None:
    found = torch.cat(parts, 1)
    op.set("Out", with_lod(found, [[*range(len(found) + 1)]]))


@operator(
    "fusion_seqexpand_concat_fc",
    inputs=["X[]", "FCWeight", "FCBias?"],
    outputs=["Out", "FCOut"],
    attrs={"fc_activation": "identity"},
)
def fusion_seqexpand_concat_fc(op: Operands) -> None:
    """A product with the rows of sequences, beside each of which stands what the other inputs have for its sequence."""
    (first, *others), weight, name = op.inputs("X"), op.input("FCWeight"), op.attr("fc_activation")
    if name not in _ACTIVATIONS:
        raise ValueError(f"attribute fc_activation: expected {', '.join(_ACTIVATIONS)}, got {name!r}")
    lod = lod_of(first)
    if len(lod) != 1 or any(len(one) != len(lod[0]) - 1 for one in others):
        sizes = [len(one) for one in others]
        raise ValueError(
            f"slot X: expected a LoDTensor of one level, and a row for each of its sequences, got {lod} and {sizes} rows"
        )
    width = first.shape[1]
    each = torch.cat(others, 1) @ weight[width:]
    if op.has("FCBias"):
        each = each + op.input("FCBias").reshape(-1)
    rows = with_lod(first, []) @ weight[:width] + each.repeat_interleave(torch.tensor(lengths_of(lod[0]), device=each.device), 0)
    op.set("Out", with_lod(_ACTIVATIONS[name](rows), lod))
    op.set("FCOut", each)


def _looked_up(op: Operands) -> tuple[Tensor, Tensor, int, int]:
    """The rows of the table that count, the place of each in a result whose rows are cut to ones of the table, how many sequences
    there are, and how many rows of the table stand side by side.
    """
    if op.attr("combiner") != "sum":
        raise ValueError(f"attribute combiner: expected sum, got {op.attr('combiner')!r}")
    ids, lod = sequences(op, "Ids", most=1)
    if ids.shape[-1] != 1:
        raise ValueError(f"slot Ids: expected one number in the last dimension, got shape {[*ids.shape]}")
    lengths, width = torch.tensor(lod[0]).diff(), math.prod(ids.shape[1:])
    places = torch.arange(len(lengths)).repeat_interleave(lengths)[:, None] * width + torch.arange(width)
    ids = ids.reshape(-1).long()
    counts = ids != op.attr("padding_idx", -1)
    return ids[counts], places.reshape(-1).to(ids.device)[counts], len(lengths), width


@operator("fused_embedding_seq_pool")
def fused_embedding_seq_pool(op: Operands) -> None:
    """A sum of rows of the table for each sequence; of several in a row of `Ids`, one sum beside the other."""
    (ids, places, count, width), table = _looked_up(op), op.input("W")
    sums = table.new_zeros(count * width, table.shape[1]).index_add(0, places, table[ids])
    op.set("Out", sums.reshape(count, width * table.shape[1]))


@operator("fused_embedding_seq_pool_grad")
def fused_embedding_seq_pool_grad(op: Operands) -> None:
    (ids, places, _, _), table = _looked_up(op), op.input("W")
    rows = with_lod(op.input("Out@GRAD"), []).reshape(-1, table.shape[1])[places]
    if op.attr("is_sparse"):
        op.set("W@GRAD", torch.sparse_coo_tensor(ids[None], rows, table.shape, check_invariants=False))
    else:
        op.set("W@GRAD", torch.zeros_like(table).index_add(0, ids, rows))
