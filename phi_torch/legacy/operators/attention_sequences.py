"""Sequences that are compared with each other, or of which a network looks at all rows in each step."""

from __future__ import annotations

import torch
from torch import Tensor

from .._differentiable import differentiable
from .._operators import Operands, operator
from ..lod import offsets_of, with_lod
from .recurrent_v1 import activation, expect_shape, first_state
from .sequences import same_count, sequences, spans_of


@differentiable("match_matrix_tensor")
def match_matrix_tensor(op: Operands) -> None:
    """For each pair of sequences, and each of the `dim_t` matrices, the products of all rows with all rows."""
    (x, of_x), (y, of_y) = sequences(op, "X", most=1), sequences(op, "Y", most=1)
    same_count("Y", len(of_y[0]), "X", len(of_x[0]))
    width, count = x.shape[1], op.attr("dim_t")
    weight = expect_shape(op, "W", width, count, width)
    rows = (x @ weight.reshape(width, -1)).unflatten(1, (count, width))
    found = [
        (rows[one.start : one.stop].transpose(0, 1) @ y[other.start : other.stop].T).reshape(-1, 1)
        for one, other in zip(spans_of(of_x[0]), spans_of(of_y[0]))
    ]
    op.set("Out", with_lod(torch.cat(found), [offsets_of([len(one) for one in found])]))
    op.set("Tmp", rows.reshape(-1, 1))


@operator("attention_lstm")
def attention_lstm(op: Operands) -> None:
    """In each step the network reads a mean of all rows of the sequence, weighed by how they and the cell are scored. Gates are
    those to forget, of the input, of the output, and of the candidate.
    """
    x, lod = sequences(op, "X", most=1)
    columns, width = x.shape[1], op.input("LSTMWeight").shape[1] // 4
    weight, bias = expect_shape(op, "LSTMWeight", width + columns, 4 * width), op.input("LSTMBias").reshape(-1)
    scores = expect_shape(op, "AttentionWeight", columns + width, 1).reshape(-1)
    gate, cell, candidate = (activation(op, f"{name}_activation") for name in ("gate", "cell", "candidate"))
    scored = x @ scores[:columns] + _number(op, "AttentionBias", x)
    hiddens, cells = list[Tensor](), list[Tensor]()
    for span, hidden, now in zip(spans_of(lod[0]), first_state(op, "H0", "X", width), first_state(op, "C0", "X", width)):
        rows, of_rows = x[span.start : span.stop], scored[span.start : span.stop]
        for _ in span:
            score = torch.relu(of_rows + now @ scores[columns:])
            if op.has("AttentionScalar"):
                score = torch.relu(score * _number(op, "AttentionScalar", x) + _number(op, "AttentionScalarBias", x))
            gates = torch.softmax(score, 0) @ rows @ weight[width:] + hidden @ weight[:width] + bias
            forget, of_input, output = gate(gates[: 3 * width]).split(width)
            now = forget * now + of_input * candidate(gates[3 * width :])
            hidden = output * cell(now)
            hiddens.append(hidden)
            cells.append(now)
    op.set("Hidden", with_lod(torch.stack(hiddens), lod))
    op.set("Cell", with_lod(torch.stack(cells), lod))
    op.set("AttentionedX", scored.unsqueeze(1))


def _number(op: Operands, slot: str, like: Tensor) -> Tensor:
    return expect_shape(op, slot, 1, 1).reshape(()) if op.has(slot) else like.new_zeros(())
